// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of two ways an operation on another image's memory takes: by messages that the target's
// processor carries out, or by UCX's own put and get (RMA), which a card carries out alone where
// the network has RDMA. Which is faster depends on the network and on the size (a protocol's
// crossover), so the first operations of each size are timed.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::pgas {

enum class MemoryOperation : std::uint8_t { put, get };
enum class MemoryWay : std::uint8_t { message, rma };

// Of one image. Callable from several threads. Tested by
// tests/pgas/transport/ucx/way_table_test.cpp.
class WayTable {
 public:
  // Puts of up to `aggregated_bytes` share messages where many are under way
  // (message_aggregate.hpp), which one that is timed by itself does not show: RMA must be twice as
  // fast. 0: none do.
  explicit WayTable(std::size_t aggregated_bytes = 0) : aggregated_bytes_{aggregated_bytes} {}

  struct Choice {
    MemoryWay way{};
    bool is_timed{};  // note() wants to know what it takes

    friend bool operator==(Choice const&, Choice const&) = default;
  };

  // The way that such operations take for good; nothing while that is learned. Needs no clock.
  [[nodiscard]] std::optional<MemoryWay> known(MemoryOperation operation, std::size_t bytes);
  // Of an operation of so many bytes that begins now. Of each size class, a power of 2, the first
  // operations that can be timed take either way by turns; when each way has been timed
  // `times_wanted` times, all take the one whose shortest time was shorter: what disturbs, and a
  // thread that computes before it looks, makes times longer, never shorter. Operations of one size
  // that are under way together (pieces of a long put) take one way, and their time is shared by
  // all of them; those of another size go the same way meanwhile. What cannot be timed takes
  // messages until all is known.
  [[nodiscard]] Choice choose(MemoryOperation operation, std::size_t bytes, bool can_be_timed,
                              std::int64_t now_ns);
  // A timed operation is complete.
  void note(MemoryOperation operation, std::size_t bytes, std::int64_t now_ns);
  // One that was to be timed has not begun.
  void take_back(MemoryOperation operation, std::size_t bytes);

  // A timed operation was given up: what shared a run with it is timed still, and a run that it was
  // the last of tells nothing.
  void give_up(MemoryOperation operation, std::size_t bytes);

  static constexpr int times_wanted = 8;  // of either way
  // Operations that share a time at most; more go by messages, untimed.
  static constexpr int run_most = 64;

 private:
  enum class State : std::uint8_t { learns, message, rma };

  struct Cell {
    std::atomic<State> state{State::learns};
    std::array<int, 2> begun{};  // runs, by way
    std::array<int, 2> timed{};
    std::array<std::int64_t, 2> shortest_ns{};  // of an operation
  };

  // Operations of one cell that are under way together.
  struct Run {
    Cell* cell{};  // null: there is none
    MemoryWay way{};
    int operations{};
    int under_way{};
    std::int64_t begin_ns{};
  };

  std::size_t aggregated_bytes_;
  static constexpr std::size_t size_classes = 24;
  [[nodiscard]] Cell& cell_of(MemoryOperation operation, std::size_t bytes);
  void decide(Cell& cell, bool shares_messages);

  SpinLock lock_{};  // of what is learned
  Run run_{};
  std::array<std::array<Cell, size_classes>, 2> cells_{};
};

}  // namespace makespan::pgas

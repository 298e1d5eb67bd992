// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all images can reach of a bag: the word that claims are made from and the speeds of all
// workers on image 0, and on each image the board of its own workers.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/dispatch/shared_bag_state.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/bag/protocol/steal_choice.hpp"
#include "makespan/bag/worker_board.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bag {

// A worker's entry of the board as it lies in the heap: WorkerBoard::Entry.
struct alignas(64) BoardEntryWords {
  std::uint64_t range;
  double begun;
  std::int64_t since;
};

// Thread t of the team reaches it by endpoint t + 1. Functions that take an endpoint are for its
// thread. Tested through tests/bag/image/image_team_test.cpp.
class PgasBagState final : public SharedBagState {
 public:
  // Collective. Keeps references.
  PgasBagState(pgas::Runtime& runtime, ImageRoster const& roster);

  void look(int thread, Look& look) override;
  [[nodiscard]] std::uint64_t look_word(int thread) override;
  [[nodiscard]] std::uint64_t fetch_add(int thread, std::uint64_t value) override;
  [[nodiscard]] std::uint64_t compare_swap(int thread, std::uint64_t expected,
                                           std::uint64_t desired) override;
  void report_speed(int thread, int worker, Speed speed) override {
    report_speed(here(thread), worker, speed);
  }
  void look_at_all(int thread, Look& look, std::vector<WorkerView>& views) override;
  [[nodiscard]] bool take_tail(int thread, int victim, ItemRange tail) override;
  void publish(int worker, ItemRange range) override { board_.publish(worker, range); }
  void take_all(int worker) override { board_.take_all(worker); }

  // On image 0: sets the word before the first claim, and at the end, so that no worker claims any
  // more.
  void set_word(pgas::Endpoint& here, std::uint64_t word) const;

  // Does not wait until it is there.
  void report_speed(pgas::Endpoint& here, int worker, Speed speed) const;

  // The same for all workers of an image of which a speed is known.
  void tell_speeds(pgas::Endpoint& here, int image, SpeedTable const& speeds) const;

  // Its workers do not count any more.
  void forget(pgas::Endpoint& here, int image) const;

  // Of this image's workers, by their number here.
  [[nodiscard]] WorkerBoard& board() { return board_; }

  // By how much an image's clock is ahead of image 0's, within half a round trip.
  [[nodiscard]] WorkerBoard::Clock::duration clock_ahead(int image) const {
    return WorkerBoard::Clock::duration{clock_ahead_[static_cast<std::size_t>(image)]};
  }

  // To image 0 and back, while no worker computes; 0 on image 0.
  [[nodiscard]] Seconds round_trip() const { return round_trip_; }

 private:
  // What boards showed, by image.
  using BoardCopies = std::vector<std::vector<BoardEntryWords>>;

  [[nodiscard]] std::vector<int> ask_for_boards(int thread, BoardCopies& boards,
                                                std::vector<pgas::Future<void>>& arrivals);
  [[nodiscard]] pgas::Endpoint& here(int thread) const { return runtime_.endpoint(1 + thread); }
  [[nodiscard]] WorkerView view_of(int image, BoardEntryWords const& entry, Speed speed) const;
  void measure_clocks_all();
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> word() const { return shared_.at(ImageId{0}); }

  pgas::Runtime& runtime_;
  ImageRoster const& roster_;
  pgas::SymmetricArray<std::uint64_t> shared_;  // the word, then a speed for each worker
  pgas::SymmetricArray<BoardEntryWords> entries_;
  WorkerBoard board_;
  Seconds round_trip_{};
  std::vector<std::int64_t> clock_ahead_;  // by image: its clock less image 0's [ticks]
};

}  // namespace makespan::bag

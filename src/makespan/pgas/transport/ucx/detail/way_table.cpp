// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/way_table.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

namespace makespan::pgas {

namespace {

constexpr std::size_t index(MemoryWay way) {
  return static_cast<std::size_t>(way);
}

}  // namespace

WayTable::Cell& WayTable::cell_of(MemoryOperation operation, std::size_t bytes) {
  auto const width = static_cast<std::size_t>(std::bit_width(bytes));
  return cells_[static_cast<std::size_t>(operation)][std::min(width, size_classes - 1)];
}

std::optional<MemoryWay> WayTable::known(MemoryOperation operation, std::size_t bytes) {
  switch (cell_of(operation, bytes).state.load(std::memory_order_relaxed)) {
    case State::message:
      return MemoryWay::message;
    case State::rma:
      return MemoryWay::rma;
    default:
      return std::nullopt;
  }
}

WayTable::Choice WayTable::choose(MemoryOperation operation, std::size_t bytes, bool can_be_timed,
                                  std::int64_t now_ns) {
  if (auto const way = known(operation, bytes)) return {.way = *way};
  Cell& cell = cell_of(operation, bytes);
  if (!can_be_timed) return {.way = MemoryWay::message};
  std::scoped_lock const lock(lock_);
  // One run at a time for each image, since what is under way together shares the network;
  // operations of another size take the same way meanwhile.
  if (run_.cell == nullptr) {
    // By turns, messages first.
    bool const is_rmas_turn =
        cell.begun[index(MemoryWay::rma)] < cell.begun[index(MemoryWay::message)];
    run_ = {.cell = &cell,
            .way = is_rmas_turn ? MemoryWay::rma : MemoryWay::message,
            .begin_ns = now_ns};
    ++cell.begun[index(run_.way)];
  } else if (run_.cell != &cell) {
    return {.way = run_.way};
  } else if (run_.operations == run_most) {
    return {.way = MemoryWay::message};
  }
  ++run_.operations;
  ++run_.under_way;
  return {.way = run_.way, .is_timed = true};
}

void WayTable::note(MemoryOperation operation, std::size_t bytes, std::int64_t now_ns) {
  Cell& cell = cell_of(operation, bytes);
  std::scoped_lock const lock(lock_);
  if (run_.cell != &cell || --run_.under_way > 0) return;
  Run const run = std::exchange(run_, {});
  std::int64_t const taken_ns = (now_ns - run.begin_ns) / run.operations;
  int& timed = cell.timed[index(run.way)];
  std::int64_t& shortest = cell.shortest_ns[index(run.way)];
  shortest = timed == 0 ? taken_ns : std::min(shortest, taken_ns);
  ++timed;
  if (std::ranges::min(cell.timed) < times_wanted) return;
  decide(cell, operation == MemoryOperation::put && bytes <= aggregated_bytes_);
}

void WayTable::take_back(MemoryOperation operation, std::size_t bytes) {
  std::scoped_lock const lock(lock_);
  if (run_.cell != &cell_of(operation, bytes)) return;
  --run_.operations;
  // The last that has ended would have ended the run; no time is known of it now.
  if (--run_.under_way == 0) run_ = {};
}

void WayTable::give_up(MemoryOperation operation, std::size_t bytes) {
  std::scoped_lock const lock(lock_);
  if (run_.cell != &cell_of(operation, bytes)) return;
  if (--run_.under_way == 0) run_ = {};
}

void WayTable::decide(Cell& cell, bool shares_messages) {
  bool const is_rma = cell.shortest_ns[index(MemoryWay::rma)] * (shares_messages ? 2 : 1) <
                      cell.shortest_ns[index(MemoryWay::message)];
  cell.state.store(is_rma ? State::rma : State::message, std::memory_order_relaxed);
}

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/way_table.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

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

WayTable::Choice WayTable::choose(MemoryOperation operation, std::size_t bytes, bool can_be_timed) {
  Cell& cell = cell_of(operation, bytes);
  switch (cell.state.load(std::memory_order_relaxed)) {
    case State::message:
      return {.way = MemoryWay::message};
    case State::rma:
      return {.way = MemoryWay::rma};
    case State::learns:
      break;
  }
  if (!can_be_timed) return {.way = MemoryWay::message};
  std::scoped_lock const lock(lock_);
  bool const is_rmas_turn =
      cell.begun[index(MemoryWay::rma)] < cell.begun[index(MemoryWay::message)];
  MemoryWay const way = is_rmas_turn ? MemoryWay::rma : MemoryWay::message;
  ++cell.begun[index(way)];
  return {.way = way, .is_timed = true};
}

void WayTable::note(MemoryOperation operation, std::size_t bytes, MemoryWay way,
                    std::int64_t taken_ns) {
  Cell& cell = cell_of(operation, bytes);
  std::scoped_lock const lock(lock_);
  if (cell.state.load(std::memory_order_relaxed) != State::learns) return;
  int& timed = cell.timed[index(way)];
  std::int64_t& shortest = cell.shortest_ns[index(way)];
  shortest = timed == 0 ? taken_ns : std::min(shortest, taken_ns);
  ++timed;
  if (std::ranges::min(cell.timed) < times_wanted) return;
  bool const shares_messages = operation == MemoryOperation::put && bytes <= batched_bytes_;
  bool const is_rma = cell.shortest_ns[index(MemoryWay::rma)] * (shares_messages ? 2 : 1) <
                      cell.shortest_ns[index(MemoryWay::message)];
  cell.state.store(is_rma ? State::rma : State::message, std::memory_order_relaxed);
}

}  // namespace makespan::pgas

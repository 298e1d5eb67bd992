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

std::int64_t median(std::vector<std::int64_t> values) {
  auto const middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
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
  auto const all_of = [&](MemoryWay which) -> std::vector<std::int64_t>& {
    return cell.taken_ns[index(which)];
  };
  all_of(way).push_back(taken_ns);
  auto const is_known = [&](MemoryWay which) { return all_of(which).size() > times_kept; };
  if (!is_known(MemoryWay::message) || !is_known(MemoryWay::rma)) return;
  auto const usual = [&](MemoryWay which) {
    auto const& all = all_of(which);
    return median({all.begin() + 1, all.end()});
  };
  bool const is_rma = usual(MemoryWay::rma) < usual(MemoryWay::message);
  cell.state.store(is_rma ? State::rma : State::message, std::memory_order_relaxed);
  cell.taken_ns = {};
}

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/node_pool.hpp"

#include <algorithm>
#include <bit>

#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/pgas/atomics.hpp"

namespace makespan::bag {

namespace {

constexpr int ranges = 2;

}  // namespace

NodePool::NodePool(pgas::Runtime& runtime, ImageRoster const& roster)
    : runtime_(runtime),
      roster_(roster),
      first_(runtime.node_team().members().front()),
      words_(runtime.allocate_all<std::uint64_t>(ranges + roster.workers(), "items of a node")) {
  for (ImageId const image : runtime.node_team().members()) {
    auto const at = static_cast<std::size_t>(image.value());
    for (int worker = roster.first_worker[at]; worker < roster.first_worker[at + 1]; ++worker) {
      members_.push_back(worker);
    }
  }
}

pgas::GlobalPtr<std::uint64_t> NodePool::word() const {
  return words_.at(first_) + static_cast<std::int64_t>(bag_ % ranges);
}

pgas::GlobalPtr<std::uint64_t> NodePool::speeds() const {
  return words_.at(first_) + ranges;
}

void NodePool::begin(pgas::Endpoint& here, std::uint64_t number) {
  bag_ = number;
  if (runtime_.image() != first_) return;
  // Two words take turns: what a bag that was stopped has left is gone before its word is used
  // again.
  auto const other = words_.at(first_) + static_cast<std::int64_t>((number + 1) % ranges);
  pgas::store(here, other, std::uint64_t{0});
}

bool NodePool::is_there() const {
  return runtime_.is_alive(first_);
}

Speed NodePool::speed_together(int thread) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(roster_.workers()));
  // Those of all workers by one round trip; those of the node count.
  pgas::load_each(here(thread), speeds(), words);
  std::vector<Speed> known;
  known.reserve(members_.size());
  for (int const worker : members_) {
    known.emplace_back(std::bit_cast<double>(words[static_cast<std::size_t>(worker)]));
  }
  return bag::speed_together(known);
}

void NodePool::report_speed(int thread, int worker, Speed speed) {
  pgas::store(here(thread), speeds() + worker, std::bit_cast<std::uint64_t>(speed.value()));
}

ItemRange NodePool::load(int thread) const {
  return RangeWord(pgas::load(here(thread), word())).range();
}

bool NodePool::is_empty(int thread) {
  return load(thread).empty();
}

bool NodePool::replace(int thread, ItemRange& seen, ItemRange with) const {
  std::uint64_t const expected = RangeWord::of(seen).bits();
  std::uint64_t const before =
      pgas::compare_swap(here(thread), word(), expected, RangeWord::of(with).bits());
  if (before == expected) return true;
  seen = RangeWord(before).range();
  return false;
}

std::optional<ItemRange> NodePool::take(int thread, Chunk const& chunk) {
  ItemRange left = load(thread);
  while (!left.empty()) {
    ItemRange const taken = chunk(left);
    if (replace(thread, left, {taken.end, left.end})) return taken;
  }
  return std::nullopt;
}

bool NodePool::offer(int thread, ItemRange items) {
  // A word holds one range: nothing is added to what is there.
  for (ItemRange seen = load(thread); seen.empty();) {
    if (replace(thread, seen, items)) return true;
  }
  return false;
}

}  // namespace makespan::bag

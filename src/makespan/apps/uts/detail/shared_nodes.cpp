// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/uts/detail/shared_nodes.hpp"

#include <algorithm>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/atomics.hpp"

namespace makespan::uts {

namespace {

using pgas::EndpointAddress;
using pgas::GlobalPtr;

// Words of two threads lie in cache lines of their own, two apart for prefetchers.
constexpr std::int64_t words_each = 16;

// Both counts of a ring's first word.
struct Ends {
  std::uint32_t claimed{};
  std::uint32_t put{};

  [[nodiscard]] std::uint32_t between() const { return put - claimed; }
};

Ends ends_of(std::uint64_t word) {
  return {.claimed = static_cast<std::uint32_t>(word >> 32U),
          .put = static_cast<std::uint32_t>(word)};
}

std::uint64_t word_of(Ends const& ends) {
  return (static_cast<std::uint64_t>(ends.claimed) << 32U) | ends.put;
}

}  // namespace

NodeRings::NodeRings(pgas::Runtime& runtime, int threads, std::int64_t ring_capacity)
    : capacity{ring_capacity},
      words{runtime.allocate_all<std::uint64_t>(threads * words_each, "ends of node rings")},
      nodes{runtime.allocate_all<Node>(threads * ring_capacity, "node rings")} {
  // Numbers of nodes go on where they run over.
  MAKESPAN_EXPECT(ring_capacity > 0 && (ring_capacity & (ring_capacity - 1)) == 0);
}

void NodeRings::free_all(pgas::Runtime& runtime) const {
  runtime.free_all(nodes);
  runtime.free_all(words);
}

SharedNodes::SharedNodes(pgas::Endpoint& here, NodeRings const& rings)
    : here_{here}, rings_{rings}, free_until_{static_cast<std::uint32_t>(rings.capacity)} {
}

std::int64_t SharedNodes::first_word(int thread) const {
  return thread * words_each;
}

GlobalPtr<std::uint64_t> SharedNodes::claims(EndpointAddress const& at) const {
  return rings_.words.at(at.image, first_word(at.thread));
}

GlobalPtr<std::uint64_t> SharedNodes::copies(EndpointAddress const& at) const {
  return rings_.words.at(at.image, first_word(at.thread) + 1);
}

GlobalPtr<Node> SharedNodes::node_at(EndpointAddress const& at, std::uint32_t number) const {
  auto const place = static_cast<std::int64_t>(number) & (rings_.capacity - 1);
  return rings_.nodes.at(at.image, at.thread * rings_.capacity + place);
}

std::int64_t SharedNodes::available(EndpointAddress const& at) const {
  return ends_of(load(here_, claims(at))).between();
}

// Calls use(at, run) for the parts of `count` nodes from number `first` on that lie in a row: two
// where they go around the end of the ring.
template <class Use>
void SharedNodes::each_run(std::uint32_t first, std::uint32_t count, Use const& use) const {
  auto const capacity = static_cast<std::uint32_t>(rings_.capacity);
  for (std::uint32_t at = 0; at < count;) {
    std::uint32_t const run = std::min(count - at, capacity - ((first + at) & (capacity - 1)));
    use(at, run);
    at += run;
  }
}

bool SharedNodes::offer(std::span<Node const> nodes) {
  EndpointAddress const own = here_.address();
  Ends const ends = ends_of(load(here_, claims(own)));
  auto const count = static_cast<std::uint32_t>(nodes.size());
  // Before that number a node would lie where one is still copied.
  if (static_cast<std::int32_t>(ends.put + count - free_until_) > 0) {
    // What has been copied by all is free; which of several claims are through is not known. In
    // this order: if as many have been copied as are claimed later, no claim was under way.
    auto const copied = static_cast<std::uint32_t>(load(here_, copies(own)));
    std::uint32_t const claimed = ends_of(load(here_, claims(own))).claimed;
    if (copied == claimed) free_until_ = claimed + static_cast<std::uint32_t>(rings_.capacity);
    if (static_cast<std::int32_t>(ends.put + count - free_until_) > 0) return false;
  }
  each_run(ends.put, count, [&](std::uint32_t at, std::uint32_t run) {
    here_.put(node_at(own, ends.put + at), nodes.subspan(at, run));
  });
  // A thread that sees the new count may copy the nodes at once.
  here_.flush(own.image);
  // Claims come in between, so that it is added, and the low half never carries: `put` itself runs
  // over only with a carry that is taken off again.
  // Fetched, since an update is sure to be done only after a flush: the next offer() reads `put`
  // from the word.
  std::uint64_t const carry =
      ends.put + count < ends.put ? std::uint64_t{1} << 32U : std::uint64_t{0};
  static_cast<void>(fetch_add(here_, claims(own), std::uint64_t{count} - carry));
  return true;
}

int SharedNodes::take(EndpointAddress const& from, int most, std::vector<Node>& to) {
  std::uint64_t const seen = load(here_, claims(from));
  Ends const ends = ends_of(seen);
  std::uint32_t const count = std::min((ends.between() + 1) / 2, static_cast<std::uint32_t>(most));
  if (count == 0) return 0;
  Ends const next{.claimed = ends.claimed + count, .put = ends.put};
  // Others were faster, or the owner has put more: the caller looks again.
  if (compare_swap(here_, claims(from), seen, word_of(next)) != seen) return 0;
  std::size_t const before = to.size();
  to.resize(before + count);
  each_run(ends.claimed, count, [&](std::uint32_t at, std::uint32_t run) {
    here_.get(node_at(from, ends.claimed + at), std::span(to).subspan(before + at, run));
  });
  // After the copy, which has come when get() returns: from now on the owner may write there.
  pgas::add(here_, copies(from), std::uint64_t{count});
  return static_cast<int>(count);
}

}  // namespace makespan::uts

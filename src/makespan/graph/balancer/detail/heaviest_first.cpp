// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/heaviest_first.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace makespan::graph {

namespace {

// By kind; 0 of kinds that no place has.
std::vector<double> greatest_speeds(Graph const& graph, Places const& places) {
  std::vector<double> greatest(static_cast<std::size_t>(graph.kinds()));
  for (Place const& place : places.all()) {
    double& speed = greatest[static_cast<std::size_t>(place.kind)];
    speed = std::max(speed, place.speed.value());
  }
  return greatest;
}

// An object, by the bits of its time: times are not negative (nor -0), so their bits are in their
// order.
struct Keyed {
  std::uint64_t time;
  std::int32_t object;
};

constexpr std::size_t digits = 256;  // of a byte

// Descending by time; what is equal stays in its order. A radix sort from the least byte on, over
// the bytes in which the times differ: O(objects) for each.
void sort_descending(std::vector<Keyed>& keyed) {
  std::array<std::array<std::uint32_t, digits>, sizeof(std::uint64_t)> counts{};
  for (Keyed const& one : keyed) {
    for (std::size_t byte = 0; byte < counts.size(); ++byte) {
      ++counts[byte][one.time >> (8 * byte) & 0xffU];
    }
  }
  std::vector<Keyed> sorted(keyed.size());
  for (std::size_t byte = 0; byte < counts.size(); ++byte) {
    auto& begin = counts[byte];
    if (std::ranges::find(begin, keyed.size()) != begin.end()) continue;  // all have the same
    std::uint32_t sum = 0;
    for (std::size_t digit = digits; digit-- > 0;) sum += std::exchange(begin[digit], sum);
    for (Keyed const& one : keyed) sorted[begin[one.time >> (8 * byte) & 0xffU]++] = one;
    keyed.swap(sorted);
  }
}

}  // namespace

std::vector<std::int32_t> heaviest_first(Graph const& graph, Places const& places) {
  std::vector<double> const speeds = greatest_speeds(graph, places);
  std::vector<Keyed> keyed;
  keyed.reserve(static_cast<std::size_t>(graph.objects()));
  for (int object = 0; object < graph.objects(); ++object) {
    if (!graph.may_move(object)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (int kind = 0; kind < graph.kinds(); ++kind) {
      double const speed = speeds[static_cast<std::size_t>(kind)];
      if (speed > 0.0) least = std::min(least, graph.work(object, kind).value() / speed);
    }
    keyed.push_back({std::bit_cast<std::uint64_t>(least + 0.0), object});
  }
  sort_descending(keyed);
  std::vector<std::int32_t> order;
  order.reserve(keyed.size());
  for (Keyed const& one : keyed) order.push_back(one.object);
  return order;
}

}  // namespace makespan::graph

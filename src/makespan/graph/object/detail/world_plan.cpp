// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/world_plan.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"

namespace makespan::graph {

int WorldPlan::add(CollectionInfo info) {
  for (CollectionInfo const& other : collections) {
    if (other.name != info.name) continue;
    throw InputError("a second collection named " + info.name, "names tell them apart",
                     "give each its own");
  }
  if (info.count < 0 || info.count > std::numeric_limits<int>::max() - objects) {
    throw InputError("collection " + info.name + " of " + std::to_string(info.count) + " objects",
                     "a world has 0 to 2^31 - 1", "make fewer, larger objects");
  }
  info.first = objects;
  objects += info.count;
  collections.push_back(std::move(info));
  return collections.back().first;
}

CollectionInfo const& WorldPlan::collection_of(int number) const {
  MAKESPAN_EXPECT(number >= 0);
  MAKESPAN_EXPECT(number < objects);
  // An empty collection has the same first number as the next one: the last of such has objects.
  return *std::prev(std::ranges::upper_bound(collections, number, {}, &CollectionInfo::first));
}

std::vector<int> WorldPlan::ends() const {
  std::vector<int> ends;
  ends.reserve(collections.size());
  for (CollectionInfo const& each : collections) ends.push_back(each.first + each.count);
  return ends;
}

BalancedObjects WorldPlan::balanced_objects() const {
  BalancedObjects known;
  known.is_fixed.reserve(static_cast<std::size_t>(objects));
  known.group.reserve(static_cast<std::size_t>(objects));
  for (std::size_t at = 0; at < collections.size(); ++at) {
    CollectionInfo const& each = collections[at];
    auto const count = static_cast<std::size_t>(each.count);
    known.is_fixed.insert(known.is_fixed.end(), count, each.mobility == Mobility::fixed);
    known.group.insert(known.group.end(), count, static_cast<std::int32_t>(at));
  }
  return known;
}

std::uint64_t WorldPlan::fingerprint() const {
  std::string text;
  for (CollectionInfo const& each : collections) {
    text += each.name + ' ' + std::to_string(each.count) + '\n';
  }
  return fnv1a(std::as_bytes(std::span(text)));
}

std::string WorldPlan::name_of(int number) const {
  CollectionInfo const& collection = collection_of(number);
  return collection.name + "[" + std::to_string(number - collection.first) + "]";
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/world_plan.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/fnv1a.hpp"

namespace makespan::graph {

CollectionInfo const& WorldPlan::collection_of(int number) const {
  MAKESPAN_EXPECT(number >= 0);
  MAKESPAN_EXPECT(number < objects);
  return *std::prev(std::ranges::upper_bound(collections, number, {}, &CollectionInfo::first));
}

std::vector<bool> WorldPlan::fixed_objects() const {
  std::vector<bool> is_fixed;
  is_fixed.reserve(static_cast<std::size_t>(objects));
  for (CollectionInfo const& each : collections) {
    is_fixed.insert(is_fixed.end(), static_cast<std::size_t>(each.count),
                    each.mobility == Mobility::fixed);
  }
  return is_fixed;
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

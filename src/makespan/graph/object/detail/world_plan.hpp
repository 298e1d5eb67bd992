// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the places of a run have in common, and none changes.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/trace_use.hpp"
#include "makespan/graph/object/world_options.hpp"
#include "makespan/graph/rebalance/balanced_objects.hpp"
#include "makespan/graph/rebalance/place_layout.hpp"

namespace makespan::graph {

// Generations count restarts in their lower half, runs in the upper one.
constexpr std::uint32_t generations_of_a_run = std::uint32_t{1} << 16U;
constexpr std::uint32_t run_of(std::uint32_t generation) {
  return generation / generations_of_a_run;
}

struct WorldPlan {
  WorldOptions options{};
  std::vector<CollectionInfo> collections{};
  int objects{0};                          // in all collections
  PlaceLayout layout{};                    // of all places
  std::shared_ptr<Places const> places{};  // the same, at speed 1
  TraceUse trace{};                        // of this run: with the environment's file
  std::int64_t first_phase{0};             // where a run is taken up
  std::uint32_t generation{0};  // rises from run to run, and with restarts: what is older is void

  // Appends a collection; the number of its first object. Throws InputError if its name is taken,
  // or there would be more than 2^31 - 1 objects.
  int add(CollectionInfo info);
  // The collection of object `number`.
  [[nodiscard]] CollectionInfo const& collection_of(int number) const;
  // By collection: one more than the number of its last object.
  [[nodiscard]] std::vector<int> ends() const;
  // By object: whether it is of a collection whose objects the balancer may not move, and the
  // number of that.
  [[nodiscard]] BalancedObjects balanced_objects() const;
  // Of names, sizes and order of collections: the same on all images, and in a checkpoint.
  [[nodiscard]] std::uint64_t fingerprint() const;
  // "cells[17]", for errors.
  [[nodiscard]] std::string name_of(int number) const;
};

}  // namespace makespan::graph

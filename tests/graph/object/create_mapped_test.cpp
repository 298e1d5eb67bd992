// SPDX-License-Identifier: Apache-2.0
// Goal: each object is made once, where its map has it. Method: places write down which objects
// they have when the first phase begins.
#include "makespan/graph/object/create_mapped.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "counter.hpp"
#include "makespan/graph/object/object_world.hpp"

namespace makespan::graph {
namespace {

// By object, its place + 1, over all images; 0 for one that is nowhere.
std::vector<std::int64_t> places_of_objects(InitialMap map, int count, int& places) {
  pgas::Runtime runtime({.threads = 2, .heap_bytes = 1 << 20});
  ObjectWorld world(runtime, {.threads = 2});
  places = world.places();
  auto const counters = world.add<Counter>("counters", count);
  std::vector<std::int64_t> mine(static_cast<std::size_t>(count));
  world.run_all(
      {.create = [&](ObjectPlace& here) { create_mapped(here, counters, map, new_counter); },
       .begin =
           [&](ObjectPlace& here, std::int64_t) {
             here.for_each(counters, [&](int index, Counter const& counter) {
               EXPECT_EQ(counter.memory, std::vector<int>(100, index));
               mine[static_cast<std::size_t>(index)] = here.place() + 1;
             });
           }});
  std::vector<std::int64_t> all(mine.size());
  runtime.team().all_reduce_all(pgas::ReduceOp::sum, std::span<std::int64_t const>(mine),
                                std::span<std::int64_t>(all));
  runtime.finish_all();
  return all;
}

class CreateMapped : public testing::TestWithParam<InitialMap> {};

TEST_P(CreateMapped, Objects_are_where_their_map_has_them) {
  int places = 0;
  auto const found = places_of_objects(GetParam(), 23, places);

  std::vector<std::int64_t> expected;
  for (int index = 0; index < 23; ++index) {
    expected.push_back(first_place(GetParam(), index, 23, places) + 1);
  }
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(Maps, CreateMapped,
                         testing::Values(InitialMap::block, InitialMap::round_robin));

}  // namespace
}  // namespace makespan::graph

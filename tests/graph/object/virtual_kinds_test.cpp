// SPDX-License-Identifier: Apache-2.0
// Goal: in a running program objects go to the kinds of places where they run well, and no image is
// given more than it has memory for. Method: virtual time, where the test says what methods take on
// which kind of place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <vector>

#include "makespan/graph/object/create_mapped.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"
#include "virtual_programs.hpp"

namespace makespan::graph {
namespace {

// Takes memory.
struct Heavy {
  std::vector<double> data{};

  void work(ObjectPlace& /*here*/, std::int64_t ns) { taken_ns() += ns; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(data);
  }
};

class VirtualKindsTest : public VirtualObjectWorldTest {};

// Two kinds of objects and of places: a method of an odd one takes four times as long on places of
// kind 1.
TEST_F(VirtualKindsTest, learns_what_runs_well_on_which_kind_of_place) {
  Places const equal = free_of_costs({1.0, 1.0, 1.0, 1.0});
  std::vector<Place> places(equal.all().begin(), equal.all().end());
  places[2].kind = places[3].kind = 1;
  Places const machine(places, {Domain{}},
                       {.latency_s = {0.0}, .bandwidth_bytes_s = {1e30}, .receive_s = {0.0}});
  VirtualOptions options = with_test_clock();
  constexpr int in_first = 32;  // of two collections
  options.kind_times = [](int object, int kind) {
    return object >= in_first && kind == 1 ? 4.0 : 1.0;
  };
  VirtualObjectWorld world(
      machine, {.balance = {.trigger = {.when = BalanceWhen::periodic, .every = 1}}}, options);
  auto const good = world.add<ClockedWorker>("good", in_first);
  auto const picky = world.add<ClockedWorker>("picky", 32);

  world.run_all(log.watching({.create =
                                  [&](ObjectPlace& here) {
                                    for (auto const& all : {good, picky}) {
                                      create_mapped(here, all, InitialMap::round_robin,
                                                    [&](int) { return ClockedWorker{all}; });
                                    }
                                  },
                              .begin =
                                  [&](ObjectPlace& here, std::int64_t) {
                                    for (auto const& all : {good, picky}) {
                                      here.for_each(all, [&](int index, ClockedWorker const&) {
                                        here.send<&ClockedWorker::work>(all, index,
                                                                        std::int64_t{1'000'000});
                                      });
                                    }
                                  },
                              .phases = 8}));

  // At first 8 of each at each place; at the end places of kind 0 have the picky ones.
  EXPECT_NEAR(phase_s(0), 40e-3, 1e-6);
  EXPECT_NEAR(phase_s(7), 16e-3, 1e-3);
}

// Their places know work on one kind.
TEST_F(VirtualKindsTest, balances_places_of_two_kinds_that_decide_together) {
  Places const equal = free_of_costs(std::vector<double>(8, 1.0));
  std::vector<Place> places(equal.all().begin(), equal.all().end());
  for (std::size_t place = 4; place < 8; ++place) places[place].kind = 1;
  Places const machine(places, {Domain{}},
                       {.latency_s = {0.0}, .bandwidth_bytes_s = {1e30}, .receive_s = {0.0}});
  for (BalanceWhen const when : {BalanceWhen::periodic, BalanceWhen::automatic}) {
    // One that looks by itself waits until phases have told what is chance.
    std::int64_t const phases = when == BalanceWhen::periodic ? 6 : 60;
    for (char const* const balancer : {"hierarchical", "gossip"}) {
      SCOPED_TRACE(balancer);
      VirtualObjectWorld world(
          machine, {.balance = {.trigger = {.when = when, .every = 1}, .balancer = balancer}},
          with_test_clock());
      std::size_t const first = log.reports().size();
      run(world, 64, phases, [](ObjectPlace& here, Collection<ClockedWorker> all, std::int64_t) {
        here.for_each(all, [&](int index, ClockedWorker const&) {
          here.send<&ClockedWorker::work>(all, index,
                                          std::int64_t{index < 8 ? 8'000'000 : 1'000'000});
        });
      });

      // The eight heavy ones are all at place 0 at first.
      EXPECT_NEAR(phase_s(first), 64e-3, 1e-6);
      EXPECT_LT(phase_s(first + static_cast<std::size_t>(phases) - 1), 24e-3);
    }
  }
}

// Three images of one place; there is room for half of the objects at one.
TEST_F(VirtualKindsTest, gives_no_image_more_than_it_has_memory_for) {
  for (double const limit : {0.0, 20.5}) {
    BalanceOptions balance{.trigger = {.when = BalanceWhen::periodic, .every = 1}};
    double const bytes_each = 1e5;  // and what goes with them
    if (limit > 0.0) balance.image_memory_bytes = limit * (bytes_each + 1000.0);
    VirtualObjectWorld world(machine_of({1.0, 0.1, 0.1}, true, 1e-6, 1e-6, 1e12),
                             {.balance = balance}, with_test_clock());
    auto const all = world.add<Heavy>("heavy", 36);
    std::vector<int> most(3);
    world.run_all(log.watching(
        {.create =
             [&](ObjectPlace& here) {
               create_mapped(here, all, InitialMap::block, [](int) {
                 return Heavy{.data = std::vector<double>(static_cast<std::size_t>(1e5 / 8))};
               });
             },
         .begin =
             [&](ObjectPlace& here, std::int64_t) {
               int count = 0;
               here.for_each(all, [&](int index, Heavy const&) {
                 here.send<&Heavy::work>(all, index, std::int64_t{1'000'000});
                 ++count;
               });
               int& seen = most[static_cast<std::size_t>(here.place())];
               seen = std::max(seen, count);
             },
         .phases = 6}));

    if (limit == 0.0) {
      EXPECT_GT(most[0], 24) << "or nothing is tested";
    } else {
      EXPECT_EQ(most[0], 20);
    }
  }
}

}  // namespace
}  // namespace makespan::graph

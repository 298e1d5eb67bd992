// SPDX-License-Identifier: Apache-2.0
// Goal: a program of objects takes in virtual time what its methods, messages and links take by the
// machine's description, and is balanced by what the runtime learns. Method: a processor's clock of
// the test's own, which methods advance, so that every time is known.
#include "makespan/graph/object/virtual_object_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/create_mapped.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/object_run_failed.hpp"
#include "makespan/graph/object/phase_log.hpp"
#include "virtual_programs.hpp"

namespace makespan::graph {
namespace {

using Worker = ClockedWorker;

// Of one place each, with a network that takes no time.
Places hosts(std::size_t count) {
  return machine_of(std::vector<double>(count, 1.0), true, 1e-9, 0.0, 1e30);
}

TEST_F(VirtualObjectWorldTest, takes_what_methods_take_at_the_speed_of_their_place) {
  VirtualObjectWorld world(free_of_costs({1.0, 0.5}), never(), with_test_clock());

  run(world, 4, 2, [](ObjectPlace& here, Collection<Worker> all, std::int64_t phase) {
    here.for_each(all, [&](int index, Worker const&) {
      here.send<&Worker::work>(all, index, std::int64_t{1'000'000} * (phase + 1));
    });
  });

  // Two objects at each place; the second place is half as fast.
  EXPECT_NEAR(phase_s(0), 4e-3, 1e-9);
  EXPECT_NEAR(phase_s(1), 8e-3, 1e-9);
  EXPECT_NEAR(log.reports()[1].busy_s_longest, 8e-3, 1e-9);
  EXPECT_NEAR(log.reports()[1].busy_s_mean, 6e-3, 1e-9);
  EXPECT_NEAR(log.total_s(), 12e-3, 1e-9);
  EXPECT_EQ(calls, 8);
}

TEST_F(VirtualObjectWorldTest, sends_when_the_method_has_come_so_far) {
  for (bool const are_nodes : {false, true}) {
    VirtualObjectWorld world(machine_of({1.0, 0.5}, are_nodes, 1e-9, 0.0, 1e30), never(),
                             with_test_clock());

    run(world, 2, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
      if (here.place() != 0) return;
      here.send<&Worker::work_and_tell>(all, 0, 1, std::int64_t{1'000'000});
    });

    // One after the other, the second at half the speed.
    EXPECT_NEAR(phase_s(0), 3e-3, 1e-6);
  }
}

TEST_F(VirtualObjectWorldTest, sends_to_other_images_while_its_place_goes_on) {
  VirtualObjectWorld world(hosts(2), never(), with_test_clock());

  run(world, 2, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    if (here.place() != 0) return;
    here.send<&Worker::work_and_tell>(all, 0, 1, std::int64_t{1'000'000});
    for (int i = 0; i < 19; ++i) here.send<&Worker::work>(all, 0, std::int64_t{1'000'000});
    here.send<&Worker::work_and_tell>(all, 0, 1, std::int64_t{1'000'000});
  });

  // What the second place is told first it has done long before the last.
  EXPECT_NEAR(phase_s(0), 22e-3, 1e-6);
}

TEST_F(VirtualObjectWorldTest, gathers_what_short_methods_send) {
  VirtualObjectWorld world(hosts(2), never(), with_test_clock());

  // Of a microsecond each: what they send goes out together, when the place has nothing left to do.
  run(world, 2, 2, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    if (here.place() != 0) return;
    for (int i = 0; i < 20; ++i) {
      here.send<&Worker::work_and_tell>(all, 0, 1, std::int64_t{1'000});
    }
  });

  EXPECT_NEAR(phase_s(0), 40e-6, 1e-6);
  EXPECT_NEAR(phase_s(1), 40e-6, 1e-6) << "a wait is no turn of methods";
}

TEST_F(VirtualObjectWorldTest, gathers_for_longer_where_there_are_more_receivers) {
  VirtualObjectWorld world(hosts(3), never(), with_test_clock());

  // 350 µs in all: too long for one receiver, and not for two.
  run(world, 3, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    if (here.place() != 0) return;
    here.send<&Worker::work_and_tell>(all, 0, 1, std::int64_t{150'000});
    here.send<&Worker::work_and_tell>(all, 0, 2, std::int64_t{150'000});
    here.send<&Worker::work>(all, 0, std::int64_t{50'000});
  });

  EXPECT_NEAR(phase_s(0), 500e-6, 1e-6);
}

TEST_F(VirtualObjectWorldTest, takes_what_has_come_between_long_methods) {
  VirtualObjectWorld world(hosts(2), never(), with_test_clock());

  // The first place is at thirty methods, one after the other, when it is asked for another, which
  // has the second place compute.
  run(world, 2, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    if (here.place() == 0) {
      here.send<&Worker::work_on>(all, 0, 0, std::int64_t{1'000'000}, 30);
    } else {
      here.send<&Worker::work_and_tell>(all, 0, 1, std::int64_t{20'000'000});
    }
  });

  EXPECT_NEAR(phase_s(0), 50e-3, 1e-6);
}

TEST_F(VirtualObjectWorldTest, says_how_long_a_decision_took) {
  WorldOptions options;
  options.balance.trigger = {.when = BalanceWhen::periodic, .every = 1};
  options.balance.balancer = "rotate";
  int readings = 0;
  VirtualObjectWorld world(free_of_costs({1.0, 1.0}), options, {.cpu_ns = [&readings] {
                             // What a reading takes of itself is found by the first ones.
                             return taken_ns() += ++readings > 100 ? 1000 : 0;
                           }});

  run(world, 4, 2, [](ObjectPlace&, Collection<Worker>, std::int64_t) {});

  // Now a microsecond passes from one to the next.
  EXPECT_GE(log.reports()[1].decision_s, 1e-6);
  EXPECT_LT(log.reports()[1].decision_s, 1e-4) << "it reads the clock a few times";
}

TEST_F(VirtualObjectWorldTest, takes_methods_many_times_over_where_that_is_asked_for) {
  VirtualObjectWorld world(free_of_costs({1.0, 0.5}), never(),
                           {.cpu_ns = with_test_clock().cpu_ns, .program_times = 10.0});

  run(world, 4, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    here.for_each(all, [&](int index, Worker const&) {
      here.send<&Worker::work>(all, index, std::int64_t{100'000});
    });
  });

  EXPECT_NEAR(phase_s(0), 4e-3, 1e-9);
}

TEST_F(VirtualObjectWorldTest, takes_the_latency_and_the_receivers_time_of_each_message) {
  VirtualObjectWorld world(machine_of({1.0, 1.0}, false, 2e-7, 1e-7, 1e30), never(),
                           with_test_clock());

  run(world, 2, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    if (here.place() == 0) here.send<&Worker::pass>(all, 0, 1, 0, std::int64_t{1000});
  });

  // A thousand hops, of which each is seen at the next look into the mailbox; the end of the phase
  // takes some messages of the protocol, too.
  EXPECT_GT(phase_s(0), 1000 * 3e-7);
  EXPECT_LT(phase_s(0), 1000 * (3e-7 + 1e-7) + 10e-6);
  EXPECT_EQ(calls, 1001);
}

TEST_F(VirtualObjectWorldTest, sends_bytes_over_a_link_one_batch_after_the_other) {
  // 10^8 bytes a second: a message of 800 KB takes 8 ms, whichever of the two sends it.
  VirtualObjectWorld world(machine_of({1.0, 1.0, 1.0}, true, 1e-6, 0.0, 1e8), never(),
                           with_test_clock());

  run(world, 3, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    if (here.place() == 0) return;
    here.send<&Worker::take>(all, 0, std::vector<double>(100'000));
  });

  EXPECT_NEAR(phase_s(0), 16e-3, 0.2e-3);
}

TEST_F(VirtualObjectWorldTest, a_busy_receiver_does_not_hold_up_what_is_for_others) {
  // As above, 8 ms a message. Places 1 and 2 send to 0, and then 2 to 3: 0 has all after 16 ms, and
  // 3 has its own after 16, when 2 has sent both, not after 24.
  VirtualObjectWorld world(machine_of({1.0, 1.0, 1.0, 1.0}, true, 1e-6, 0.0, 1e8), never(),
                           with_test_clock());

  run(world, 4, 1, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    if (here.place() != 1 && here.place() != 2) return;
    here.send<&Worker::take>(all, 0, std::vector<double>(100'000));
    if (here.place() == 2) here.send<&Worker::take>(all, 3, std::vector<double>(100'000));
  });

  EXPECT_NEAR(phase_s(0), 16e-3, 0.2e-3);
}

TEST_F(VirtualObjectWorldTest, learns_loads_and_speeds_and_moves_objects) {
  WorldOptions options;
  options.balance.trigger = {.when = BalanceWhen::periodic, .every = 2};
  VirtualObjectWorld world(free_of_costs({1.0, 0.25}), options, with_test_clock());

  run(world, 40, 20, [](ObjectPlace& here, Collection<Worker> all, std::int64_t) {
    here.for_each(all, [&](int index, Worker const&) {
      here.send<&Worker::work>(all, index, std::int64_t{100'000});
    });
  });

  // At first 20 objects take 8 ms at the slow place; 40 units over a speed of 1.25 take 3.2 ms.
  EXPECT_NEAR(phase_s(0), 8e-3, 1e-6);
  EXPECT_LT(phase_s(19), 3.6e-3);
  EXPECT_EQ(calls, 800);
}

// Half of the objects go to a place that is taken for as fast as the other, and have to come back:
// their times there have told how slow it is, so that a few go again.
TEST_F(VirtualObjectWorldTest, learns_speeds_from_a_mapping_that_must_go_back) {
  struct Case {
    char const* balancer;
    int long_phases;
  };
  // A speed is learned by halves: place 0 learns when objects must go back, places that decide
  // together also when they are back.
  for (auto const& [balancer, long_phases] : {Case{"makespan", 3}, Case{"hierarchical", 1}}) {
    SCOPED_TRACE(balancer);
    // As many as make up for the one that is tried in vain.
    constexpr std::int64_t phases = 400;
    PhaseLog seen;
    VirtualObjectWorld world(
        free_of_costs({1.0, 0.2}),
        {.balance = {.trigger = {.when = BalanceWhen::automatic}, .balancer = balancer}},
        with_test_clock());
    auto const all = world.add<Worker>("workers", 24);
    world.run_all(seen.watching({.create =
                                     [&](ObjectPlace& here) {
                                       for (int at = 0; here.place() == 0 && at < all.count; ++at) {
                                         here.create(all, at, Worker{all});
                                       }
                                     },
                                 .begin =
                                     [&](ObjectPlace& here, std::int64_t) {
                                       here.for_each(all, [&](int index, ClockedWorker const&) {
                                         here.send<&ClockedWorker::work>(all, index,
                                                                         std::int64_t{1'000'000});
                                       });
                                     },
                                 .phases = phases}));

    EXPECT_NEAR(seen.reports().front().time_s, 24e-3, 1e-6);
    EXPECT_NEAR(seen.reports().back().time_s, 20e-3, 1e-6);
    EXPECT_EQ(std::ranges::count_if(seen.reports(),
                                    [](PhaseReport const& each) { return each.time_s > 26e-3; }),
              long_phases);
  }
}

// Else it would tell a part of what it took, and the place where it ends would seem to be fast.
TEST_F(VirtualObjectWorldTest, an_object_that_moves_brings_what_it_took_in_the_phase) {
  for (bool const are_nodes : {false, true}) {
    SCOPED_TRACE(are_nodes);
    VirtualObjectWorld world(machine_of({1.0, 0.5}, are_nodes, 0.0, 0.0, 1e30), never(),
                             with_test_clock());
    auto const all = world.add<Worker>("workers", 2);
    double phase_s = -1.0;
    std::vector<double> whole_s(2, -1.0);
    world.run_all({.create =
                       [&](ObjectPlace& here) {
                         create_mapped(here, all, InitialMap::block,
                                       [&](int) { return Worker{all}; });
                       },
                   .begin =
                       [&](ObjectPlace& here, std::int64_t phase) {
                         if (phase == 0 && here.place() == 0) {
                           here.send<&Worker::work_and_go>(all, 0, 0, 1, std::int64_t{1'000'000});
                         }
                         if (phase == 1 && here.find(all, 0) != nullptr)
                           phase_s = here.cpu_s(all, 0);
                       },
                   .is_measured = [](std::int64_t phase) { return phase == 0; },
                   .end =
                       [&](ObjectPlace& here) {
                         whole_s[static_cast<std::size_t>(here.place())] = here.whole_cpu_s(all, 0);
                       },
                   .phases = 2});

    // At half the speed it takes twice as long.
    EXPECT_NEAR(phase_s, 3e-3, 1e-6);
    EXPECT_NEAR(whole_s[0], 1e-3, 1e-6);
    EXPECT_NEAR(whole_s[1], 2e-3, 1e-6);
  }
}

// The balancer moves it before a phase that is not measured.
TEST_F(VirtualObjectWorldTest, says_at_its_new_place_what_an_object_took_in_the_measured_phase) {
  WorldOptions options;
  options.balance.trigger = {.when = BalanceWhen::periodic, .every = 2};
  options.balance.balancer = "rotate";
  for (bool const are_nodes : {false, true}) {
    SCOPED_TRACE(are_nodes);
    VirtualObjectWorld world(machine_of({1.0, 1.0}, are_nodes, 0.0, 0.0, 1e30), options,
                             with_test_clock());
    std::vector<double> took_s(4, -1.0);

    run(world, 4, 3, [&](ObjectPlace& here, Collection<Worker> all, std::int64_t phase) {
      here.for_each(all, [&](int index, Worker const&) {
        if (phase == 2) took_s[static_cast<std::size_t>(index)] = here.cpu_s(all, index);
        here.send<&Worker::work>(all, index, std::int64_t{1'000'000} * (index + 1));
      });
    });

    ASSERT_EQ(log.reports().back().moved, 4);
    EXPECT_FALSE(log.reports().back().is_measured);
    for (std::size_t index = 0; index < took_s.size(); ++index) {
      EXPECT_NEAR(took_s[index], 1e-3 * static_cast<double>(index + 1), 1e-6) << index;
    }
  }
}

TEST_F(VirtualObjectWorldTest, repeats_to_the_last_bit) {
  auto const times = [&] {
    PhaseLog here;
    WorldOptions options;
    options.balance.trigger = {.when = BalanceWhen::periodic, .every = 1};
    VirtualObjectWorld world(machine_of({1.0, 1.0, 0.5, 0.5}, true, 3e-6, 2e-7, 1e9), options,
                             with_test_clock());
    auto const all = world.add<Worker>("workers", 30);
    world.run_all(here.watching(
        {.create =
             [&](ObjectPlace& place) {
               create_mapped(place, all, InitialMap::block, [&](int) { return Worker{all}; });
             },
         .begin =
             [&](ObjectPlace& place, std::int64_t) {
               place.for_each(all, [&](int index, Worker const&) {
                 place.send<&Worker::work>(all, index, std::int64_t{1000} * index);
                 place.send<&Worker::take>(all, (index + 7) % 30, std::vector<double>(50));
               });
             },
         .phases = 10}));
    std::vector<double> all_times;
    for (PhaseReport const& report : here.reports()) all_times.push_back(report.time_s);
    return all_times;
  };

  EXPECT_EQ(times(), times());
}

TEST_F(VirtualObjectWorldTest, runs_several_programs_one_after_the_other) {
  VirtualObjectWorld world(free_of_costs({1.0, 1.0}), never(), with_test_clock());
  auto const all = world.add<Worker>("workers", 2);
  for (int round = 0; round < 2; ++round) {
    world.run_all(
        {.create =
             [&](ObjectPlace& here) {
               create_mapped(here, all, InitialMap::block, [&](int) { return Worker{all}; });
             },
         .begin =
             [&](ObjectPlace& here, std::int64_t) {
               here.for_each(all, [&](int index, Worker const&) {
                 here.send<&Worker::work>(all, index, std::int64_t{10});
               });
             },
         .end =
             [&](ObjectPlace& here) {
               here.for_each(all, [&](int, Worker const& worker) { calls += worker.calls; });
             },
         .phases = 3});
  }
  EXPECT_EQ(calls, 2 * 2 * 3);
}

TEST_F(VirtualObjectWorldTest, says_what_a_program_throws) {
  VirtualObjectWorld world(free_of_costs({1.0, 1.0}), never(), with_test_clock());
  auto const run_it = [&] {
    run(world, 2, 1, [](ObjectPlace& here, Collection<Worker>, std::int64_t) {
      if (here.place() == 1) throw InputError("a thing", "it is wrong", "mend it");
    });
  };

  // Not that a place elsewhere failed, which the others throw.
  EXPECT_THROW(run_it(), InputError);
}

TEST_F(VirtualObjectWorldTest, refuses_options_that_a_balancer_does_not_like) {
  EXPECT_THROW(VirtualObjectWorld(free_of_costs({1.0}), {.balance = {.balancer = "makespam"}}),
               InputError);
}

TEST_F(VirtualObjectWorldTest, refuses_times_and_triggers_that_cannot_be) {
  EXPECT_THROW(VirtualObjectWorld(free_of_costs({1.0}), {}, {.program_times = 0.0}), InputError);
  EXPECT_THROW(VirtualObjectWorld(free_of_costs({1.0}), {.balance = {.trigger = {.every = 0}}}),
               InputError);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: each version of SimGrid makes the hosts and actors that a simulation asks for.
// Method: two hosts, and an actor that sleeps on one of them, each in a process of its own.
#include "makespan/sim/detail/simgrid_api.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <simgrid/s4u.hpp>

#include "makespan/sim/detail/engine_words.hpp"

namespace makespan::sim {
namespace {

void exit_unless(bool holds) {
  if (!holds) std::_Exit(1);
}

TEST(SimgridApiDeathTest, adds_hosts_that_the_engine_knows) {
  EXPECT_EXIT(
      {
        EngineWords words;
        simgrid::s4u::Engine const engine(&words.count(), words.arguments());
        auto const hosts = add_hosts(2, 3e9);
        exit_unless(hosts.size() == 2 && engine.get_host_count() == 2);
        for (auto const* host : hosts) exit_unless(host->get_speed() == 3e9);
        exit_unless(hosts[0]->get_name() == "node0" && hosts[1]->get_name() == "node1");
        exit_unless(engine.host_by_name("node1") == hosts[1]);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(SimgridApiDeathTest, runs_an_actor_on_its_host_in_virtual_time) {
  EXPECT_EXIT(
      {
        EngineWords words;
        simgrid::s4u::Engine const engine(&words.count(), words.arguments());
        auto* const host = add_hosts(2, 1e9)[1];
        double end = 0.0;
        auto const actor = add_actor("sleeper", host, [&end] {
          simgrid::s4u::this_actor::sleep_until(86400.0);
          end = simgrid::s4u::Engine::get_clock();
        });
        exit_unless(actor->get_host() == host && actor->get_name() == "sleeper");
        engine.run();
        exit_unless(end == 86400.0);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace makespan::sim

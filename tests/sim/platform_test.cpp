// SPDX-License-Identifier: Apache-2.0
// Goal: hosts and routes are those of the file; a bag's messages take the routes' time.
// Method: a platform of three hosts in a row, each question in a process of its own.
#include "makespan/sim/platform.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <simgrid/s4u.hpp>
#include <string>
#include <tuple>

#include "apart.hpp"
#include "makespan/base/error.hpp"
#include "makespan/sim/detail/engine_words.hpp"

namespace makespan::sim {
namespace {

class PlatformFile : public testing::Test {
 protected:
  PlatformFile()
      : path_{std::filesystem::temp_directory_path() /
              ("platform-" + std::to_string(getpid()) + ".xml")} {}
  ~PlatformFile() override { std::filesystem::remove(path_); }

  std::string written(std::string const& links, std::string const& far = "40ms") {
    std::ofstream(path_) << R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="c" speed="3Gf" core="2"/>
    <host id="a" speed="1Gf"/>
    <host id="b" speed="2Gf" core="4"/>
    <link id="near" bandwidth="1GBps" latency="1ms"/>
    <link id="far" bandwidth="100MBps" latency=")"
                         << far << R"("/>
)" << links << R"(
  </zone>
</platform>
)";
    return path_.string();
  }
  std::string whole() {
    return written(R"(
    <route src="a" dst="b"><link_ctn id="near"/></route>
    <route src="b" dst="c"><link_ctn id="far"/></route>
    <route src="a" dst="c"><link_ctn id="near"/><link_ctn id="far"/></route>)");
  }

 private:
  std::filesystem::path path_;
};

using PlatformDeathTest = PlatformFile;

void expect(bool holds) {
  if (!holds) std::_Exit(1);
}

TEST_F(PlatformDeathTest, has_hosts_in_the_order_of_their_names) {
  std::string const path = whole();
  EXPECT_EXIT(
      {
        auto const hosts = platform_hosts(path);
        expect(hosts.size() == 3);
        expect(hosts[0].name == "a" && hosts[0].speed == Speed{1e9} && hosts[0].cores == 1);
        expect(hosts[1].name == "b" && hosts[1].speed == Speed{2e9} && hosts[1].cores == 4);
        expect(hosts[2].name == "c" && hosts[2].speed == Speed{3e9} && hosts[2].cores == 2);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(PlatformDeathTest, adds_latencies_up_and_has_the_narrowest_bandwidth) {
  std::string const path = whole();
  EXPECT_EXIT(
      {
        EngineWords words;
        simgrid::s4u::Engine const engine(&words.count(), words.arguments());
        Platform const platform(path);
        Route const& route = platform.route(0, 2);
        expect(std::abs(route.latency.value() - 0.041) < 1e-9 && route.bandwidth == 1e8);
        expect(std::abs(platform.route(2, 0).latency.value() - 0.041) < 1e-9);
        expect(std::abs(platform.route(0, 1).latency.value() - 0.001) < 1e-9);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(PlatformDeathTest, says_the_line_of_what_cannot_be_read) {
  std::string const path = written("<route src='a'/>");
  EXPECT_EXIT(
      {
        try {
          static_cast<void>(platform_hosts(path));
        } catch (InputError const& error) {
          expect(std::string(error.what()).find(path + ":10") != std::string::npos);
          std::_Exit(0);
        }
      },
      testing::ExitedWithCode(0), "");
}

// SimGrid gives an empty route, where others are given.
TEST_F(PlatformDeathTest, names_hosts_without_a_route) {
  std::string const path = written(R"(
    <route src="a" dst="b"><link_ctn id="near"/></route>)");
  EXPECT_EXIT(
      {
        try {
          static_cast<void>(platform_hosts(path));
        } catch (InputError const& error) {
          expect(std::string(error.what()).find("no route from a to c") != std::string::npos);
          std::_Exit(0);
        }
      },
      testing::ExitedWithCode(0), "");
}

BagJob job_on(std::string const& platform) {
  BagJob job{.segments = {{TaskId{0}, 300, Work{1.0}}},
             .policy = "self",
             .dispatcher = bag::Dispatcher::counter};
  job.machine.network.platform = platform;
  for (int node = 0; node < 3; ++node) {
    job.machine.images.push_back({.node = node, .devices = {{.speed = Speed{100.0}}}});
  }
  return job;
}

TEST_F(PlatformFile, has_far_workers_wait_for_their_claims) {
  BagResult const result = simulated(job_on(whole()));

  ASSERT_TRUE(result.complete);
  // A claim is at least one way there and back: 82 ms for each of the third's items of 10 ms.
  auto const& [first, second, third] =
      std::tie(result.workers[0], result.workers[1], result.workers[2]);
  EXPECT_GE(third.claiming, Seconds{0.082} * static_cast<double>(third.items));
  EXPECT_LT(third.items, second.items / 4);
  EXPECT_LT(second.items, first.items);
}

TEST_F(PlatformDeathTest, is_refused_where_it_has_fewer_hosts_than_the_machine_has_nodes) {
  BagJob job = job_on(whole());
  job.machine.images.push_back({.node = 3, .devices = {{.speed = Speed{100.0}}}});
  EXPECT_EXIT(
      {
        try {
          static_cast<void>(simulate(job));
        } catch (InputError const& error) {
          expect(std::string(error.what()).find("it has 3 hosts, the machine has 4 nodes") !=
                 std::string::npos);
          std::_Exit(0);
        }
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace makespan::sim

// SPDX-License-Identifier: Apache-2.0
// Goal: the text of a kind has all that makes a worker fast or slow, and speeds of one kind become
// one. Method: teams by their layout alone.
#include "makespan/apps/asian/run/detail/worker_kind.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/base/error.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/core_kind.hpp"

namespace makespan::asian {
namespace {

std::vector<std::string> kinds_of(PricingSettings const& settings) {
  return worker_kinds(devices_of(settings), bag::TeamLayout(team_options(settings).devices));
}

PricingSettings on_devices(std::string const& devices) {
  PricingSettings settings;
  settings.devices = machine::devices_from(devices);
  settings.isa = "one_lane";
  return settings;
}

std::string all_cores() {
  auto const cores = machine::allowed_cores().size();
  return std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

TEST(WorkerKind, says_instruction_set_threads_and_cores) {
  auto const kinds = kinds_of(on_devices("cpu[threads=2] cpu[threads=1,isa=auto]"));

  std::string const best(Kernels::available().front()->isa);
  std::string const own = "one_lane, 1 of 2 threads on " + all_cores();
  EXPECT_EQ(kinds,
            (std::vector<std::string>{own, own, best + ", 1 of 1 thread on " + all_cores()}));
}

TEST(WorkerKind, of_a_device_that_claims_as_one_is_that_of_all_its_threads) {
  auto const kinds = kinds_of(on_devices("cpu[threads=3,mode=mt]"));

  EXPECT_EQ(kinds, std::vector<std::string>{"one_lane, 3 of 3 threads on " + all_cores()});
}

TEST(WorkerKind, says_which_kind_of_core_the_threads_are_tied_to) {
  int const core = machine::allowed_cores().front();

  auto const kinds = kinds_of(on_devices("cpu[cores=" + std::to_string(core) + "]"));

  std::string const kind = machine::core_kind(core);
  EXPECT_EQ(kinds, std::vector<std::string>{"one_lane, 1 of 1 thread on 1 core" +
                                            (kind.empty() ? "" : " of " + kind)});
}

TEST(WorkerKind, has_one_speed_for_those_alike) {
  bag::SpeedTable speeds(4);
  speeds.remember(3, Speed{7.0});
  speeds.record(0, Work{30.0}, Seconds{1.0});
  speeds.record(1, Work{30.0}, Seconds{2.0});
  speeds.record(2, Work{50.0}, Seconds{1.0});

  auto const by_kind = speeds_by_kind({"a", "a", "b", "c"}, speeds);

  EXPECT_EQ(by_kind, (SpeedByKind{{"a", Speed{20.0}}, {"b", Speed{50.0}}}));
}

TEST(WorkerKind, has_no_speed_after_a_moment) {
  bag::SpeedTable speeds(1);
  speeds.record(0, Work{1.0}, Seconds{1e-3});

  EXPECT_TRUE(speeds_by_kind({"a"}, speeds).empty());
}

TEST(WorkerKind, gives_its_workers_the_speed_that_is_remembered) {
  PricingSettings settings = on_devices("cpu[threads=2] cpu[threads=1]");
  settings.speeds["one_lane, 1 of 2 threads on " + all_cores()] = Speed{3.0};
  settings.speeds["of another machine"] = Speed{4.0};

  EXPECT_EQ(team_options(settings).speeds, (std::vector<Speed>{Speed{3.0}, Speed{3.0}, Speed{}}));
}

// A boss has its own mode, and with it another number of workers.
TEST(WorkerKind, counts_the_workers_of_the_team_that_will_be) {
  PricingSettings settings = on_devices("cpu[threads=2,mode=mt]");
  settings.dispatcher = bag::Dispatcher::boss;
  settings.speeds["one_lane, 1 of 2 threads on " + all_cores()] = Speed{3.0};

  EXPECT_EQ(team_options(settings).speeds, (std::vector<Speed>{Speed{3.0}, Speed{3.0}}));
}

TEST(WorkerKind, refuses_speeds_that_are_none) {
  for (double const wrong : {0.0, -1.0, 1e-300, 1e300, std::nan("")}) {
    PricingSettings settings;
    settings.speeds["cpu"] = Speed{wrong};
    EXPECT_THROW(check(settings), InputError) << wrong;
  }
}

}  // namespace
}  // namespace makespan::asian

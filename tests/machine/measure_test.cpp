// SPDX-License-Identifier: Apache-2.0
// Goal: what can be measured here is, under the right names and places. Method: this machine, in
// the least time, on little memory. What the numbers are is not looked at.
#include "makespan/machine/measure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/detail/gpu_link.hpp"

namespace makespan::machine {
namespace {

class Measure : public testing::Test {
 protected:
  void SetUp() override {
    try {
      machine_.emplace(Machine::this_one());
    } catch (NotConfigured const&) {
      GTEST_SKIP() << "this build is without hwloc";
    }
    std::vector<int> cpus = allowed_cores();
    if (cpus.size() > 2) cpus.erase(cpus.begin() + 2, cpus.end());
    plan_ = plan_of(machine_->topology(), cpus);
    plan_.cycle_bytes.assign(plan_.memories.size(), 1 << 16);
  }

  std::optional<Machine> machine_;
  MeasurePlan plan_;
  MeasureBoard board_;
};

TEST_F(Measure, fills_every_pair_of_cores_but_with_itself) {
  auto const matrices = measure(*machine_, plan_, {.budget = Seconds{0.01}}, board_);

  auto const found = std::ranges::find(matrices, core_latency_name, &CostMatrix::name);
  if (plan_.cores.size() < 2) GTEST_SKIP() << "there is one core";
  ASSERT_NE(found, matrices.end());
  EXPECT_EQ(found->kind, CostKind::latency);
  EXPECT_EQ(found->from, found->to);
  EXPECT_EQ(found->from, (std::vector{plan_.cores[0].place, plan_.cores[1].place}));
  EXPECT_EQ(found->at(0, 0), 0.0);
  EXPECT_GT(found->at(0, 1), 0.0);
  EXPECT_EQ(found->at(0, 1), found->at(1, 0));
}

TEST_F(Measure, fills_memory_by_the_places_that_it_hangs_on) {
  auto const matrices = measure(*machine_, plan_, {.budget = Seconds{0.01}}, board_);

  for (std::string_view const name : {memory_latency_name, memory_copy_name, memory_triad_name}) {
    auto const found = std::ranges::find(matrices, name, &CostMatrix::name);
    ASSERT_NE(found, matrices.end()) << name;
    EXPECT_EQ(found->to, plan_.memories);
    EXPECT_EQ(found->from.front(), plan_.core_sets.front().place);
    EXPECT_GT(*std::ranges::max_element(found->values), 0.0);
  }
}

// By a stand-in: the second of two GPUs cannot be used.
TEST_F(Measure, fills_gpus_by_cores_near_to_a_memory) {
  int const first = plan_.memories.front();
  int const second = plan_.cores.front().place;
  plan_.gpus = {{first, "0000:01:00.0"}, {second, "0000:02:00.0"}};
  double times = 0.0;
  auto const link = [&](std::string const& bus, int cpu, Seconds budget) -> LinkCosts {
    EXPECT_EQ(cpu, plan_.core_sets.front().cpus.front());
    EXPECT_GT(budget, Seconds{});
    if (bus == "0000:02:00.0") return {};
    times += 1.0;
    return {.latency = Seconds{1e-6 * times}, .upload = 1e9 * times, .download = 2e9};
  };

  auto const matrices =
      measure(*machine_, plan_, {.budget = Seconds{0.01}, .gpu_link = link}, board_);

  std::vector<double> const best{1e-6, 1e9 * times, 2e9};
  std::vector<double> found;
  for (std::string_view const name : {gpu_latency_name, gpu_upload_name, gpu_download_name}) {
    auto const matrix = std::ranges::find(matrices, name, &CostMatrix::name);
    ASSERT_NE(matrix, matrices.end()) << name;
    EXPECT_EQ(matrix->to, (std::vector{first, second}));
    EXPECT_EQ(matrix->from.front(), plan_.core_sets.front().place);
    EXPECT_EQ(matrix->at(0, 1), 0.0);
    found.push_back(matrix->at(0, 0));
  }
  EXPECT_EQ(found, best);
  EXPECT_GT(times, 1.0);
  EXPECT_EQ(board_.steps_done, measure_steps(plan_));
}

TEST_F(Measure, leaves_gpus_out_that_cannot_be_used) {
  plan_.gpus = {{plan_.memories.front(), "0000:ff:1f.7"}};

  auto const matrices = measure(*machine_, plan_, {.budget = Seconds{0.01}}, board_);

  EXPECT_EQ(std::ranges::find(matrices, gpu_latency_name, &CostMatrix::name), matrices.end());
}

TEST_F(Measure, what_it_makes_can_be_kept_with_the_machine) {
  for (CostMatrix const& matrix : measure(*machine_, plan_, {.budget = Seconds{0.01}}, board_)) {
    machine_->add(matrix);
  }

  EXPECT_EQ(Machine::from_xml(machine_->xml(), "a text").topology(), machine_->topology());
  EXPECT_GE(machine_->topology().matrices.size(), 3U);
}

TEST_F(Measure, counts_its_steps) {
  static_cast<void>(measure(*machine_, plan_, {.budget = Seconds{0.01}}, board_));

  EXPECT_GT(measure_steps(plan_), 0);
  EXPECT_EQ(board_.steps_done, measure_steps(plan_));
}

TEST_F(Measure, stops_when_it_is_asked_to) {
  std::stop_source stop;
  stop.request_stop();

  auto const matrices =
      measure(*machine_, plan_, {.budget = Seconds{1000.0}}, board_, stop.get_token());

  EXPECT_TRUE(matrices.empty());
  EXPECT_EQ(board_.steps_done, 0) << "memory was written";
}

TEST_F(Measure, is_of_this_machine_alone) {
  Machine const other = Machine::synthetic("core:2 pu:1");

  EXPECT_THROW(static_cast<void>(measure(other, plan_, {.budget = Seconds{0.01}}, board_)),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
// Goal: whatever an image has been given otherwise than another shows. Method: options that differ
// in one place from the usual ones. On several images: object_world_test.cpp.
#include "makespan/graph/object/detail/world_agreement.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace makespan::graph {
namespace {

std::vector<std::string> different(std::vector<AgreedPart> const& one,
                                   std::vector<AgreedPart> const& other) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < one.size(); ++at) {
    EXPECT_EQ(one[at].what, other[at].what);
    if (one[at].hash != other[at].hash) names.emplace_back(one[at].what);
  }
  return names;
}

void expect_one_differs(std::function<void(WorldOptions&)> const& change, std::string const& what) {
  WorldOptions changed;
  change(changed);
  EXPECT_EQ(different(agreed_options({}), agreed_options(changed)), std::vector{what});
}

TEST(WorldAgreement, names_what_differs_of_the_options) {
  EXPECT_TRUE(different(agreed_options({}), agreed_options({})).empty());
  using Options = WorldOptions;
  std::string const balancer = "a balancer and its options";
  expect_one_differs([](Options& all) { all.balance.balancer = "gossip"; }, balancer);
  expect_one_differs([](Options& all) { all.balance.balancer_options["seed"] = 2.0; }, balancer);
  std::string const model = "a load model and its options";
  expect_one_differs([](Options& all) { all.balance.load_model = "median"; }, model);
  expect_one_differs([](Options& all) { all.balance.load_model_options["of"] = 2.0; }, model);
  expect_one_differs([](Options& all) { all.balance.load_noise = 0.0; }, model);
  expect_one_differs([](Options& all) { all.balance.speeds = {1.0, 2.0}; }, "speeds of places");
  expect_one_differs([](Options& all) { all.balance.image_memory_bytes = 1e9; },
                     "memory of an image for objects");
  std::string const trigger = "when objects move";
  expect_one_differs([](Options& all) { all.balance.trigger.when = BalanceWhen::never; }, trigger);
  expect_one_differs([](Options& all) { all.balance.trigger.every = 7; }, trigger);
  expect_one_differs([](Options& all) { all.balance.trigger.waste_max = 0.03; }, trigger);
  std::string const copies = "phases from checkpoint to checkpoint, and their folder";
  expect_one_differs([](Options& all) { all.checkpoint.every = 7; }, copies);
  expect_one_differs([](Options& all) { all.checkpoint.folder = "there"; }, copies);
  expect_one_differs([](Options& all) { all.checkpoint.from = "there"; },
                     "the checkpoint that a run goes on from");
}

TEST(WorldAgreement, names_what_differs_of_a_run) {
  WorldPlan plan;
  ObjectProgram const program;
  auto const usual = agreed_run(plan, program);

  EXPECT_EQ(different(usual, agreed_run(plan, {.phases = 2})),
            std::vector<std::string>{"phases of a program"});
  plan.first_phase = 3;
  EXPECT_EQ(different(usual, agreed_run(plan, program)),
            std::vector<std::string>{"the first phase of a run"});
  plan.first_phase = 0;
  plan.collections.push_back({.name = "cells", .count = 3});
  EXPECT_EQ(different(usual, agreed_run(plan, program)), std::vector<std::string>{"collections"});
}

}  // namespace
}  // namespace makespan::graph

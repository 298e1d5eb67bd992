// SPDX-License-Identifier: Apache-2.0
#pragma once

// A coordinator of three images of one place, and a test that answers for the places.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/object/still_messenger.hpp"
#include "makespan/graph/object/detail/coordinator.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {

// One object at each place; after each phase loads are looked at and copies saved.
inline WorldPlan plan_of_three(std::string const& balancer) {
  WorldPlan plan;
  plan.objects = 3;
  plan.collections.push_back({.name = "cells", .first = 0, .count = plan.objects});
  plan.layout = assumed_layout(1, std::vector{0, 1, 2});
  plan.options.balance.balancer = balancer;
  plan.options.balance.trigger.when = BalanceWhen::periodic;
  plan.options.checkpoint.every = 1;
  return plan;
}

struct Story {
  explicit Story(std::string const& balancer = "random") : Story(plan_of_three(balancer), 10) {}
  Story(WorldPlan of, std::int64_t phases) : plan{std::move(of)}, program{.phases = phases} {}

  void tell(int place, EnvelopeKind kind, std::vector<std::byte> bytes = {}, Targets targets = {},
            std::int64_t number = 0) {
    coordinator.take({.kind = kind,
                      .from = place,
                      .generation = last().generation,
                      .phase = last().phase,
                      .number = number,
                      .targets = std::move(targets),
                      .bytes = std::move(bytes)});
  }
  Envelope const& last() const { return post.sent.back().envelope; }
  bool asks(EnvelopeKind kind) const { return last().kind == kind; }
  // Whether a phase has begun whose loads will be looked at.
  bool is_measured() const {
    return asks(EnvelopeKind::begin) && PhaseOrder::of(last().number).measured != Measured::nothing;
  }

  // Of the places that are there: they are idle.
  void end_phase(std::vector<int> const& live, std::int64_t step = 0) {
    ++version;
    auto const idle = [this](int place) {
      return as_message_bytes(ImageState{.version = version,
                                         .is_idle = true,
                                         .places = {states[static_cast<std::size_t>(place)]}});
    };
    for (int const place : live) tell(place, EnvelopeKind::report, idle(place), {}, step);
    ASSERT_TRUE(asks(EnvelopeKind::question));
    std::int64_t const question = last().number;
    for (int const place : live) {
      tell(place, EnvelopeKind::answer, idle(place), {}, question);
    }
  }
  // One second in which places were busy for so long, and what was asked for after it.
  void end_second(std::vector<int> const& live, std::vector<double> const& busy_s) {
    end_seconds(1.0, live, busy_s);
  }
  void end_seconds(double phase_s, std::vector<int> const& live,
                   std::vector<double> const& busy_s) {
    pass(phase_s);
    for (std::size_t at = 0; at < live.size(); ++at) {
      PlaceState& state = states[static_cast<std::size_t>(live[at])];
      state.busy_wall_s = state.busy_cpu_s = busy_s[at];
    }
    end_phase(live);
    if (!asks(EnvelopeKind::save)) return;
    for (int const place : live) tell(place, EnvelopeKind::saved);
  }
  void pass(double seconds) { now_ns += static_cast<std::int64_t>(1e9 * seconds); }
  void tell_loads(int place, std::vector<int> const& objects) {
    ObjectLoads loads;
    for (int const object : objects) {
      loads.objects.push_back({.object = object, .moves = 1, .cpu_s = 1.0, .bytes = 8.0});
    }
    tell(place, EnvelopeKind::loads, as_message_bytes(loads));
  }

  std::int64_t version{0};
  std::vector<PlaceState> states =
      std::vector<PlaceState>(3);  // by place: what it says when it is idle
  std::int64_t now_ns{0};          // for those that ask `post` for the time
  WorldPlan plan;
  ObjectProgram program;
  StillMessenger post{PlaceNumbers{.place = 0, .threads = 1, .images = 3}};
  Coordinator coordinator{plan, program, post};
};

}  // namespace makespan::graph

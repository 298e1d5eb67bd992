// SPDX-License-Identifier: Apache-2.0
// What places say to the coordinator: counts, by which it sees the end of a phase, and loads, by
// which it moves objects.
#include <cstddef>
#include <vector>

#include "fuzz/fuzz_input.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/graph/object/collection.hpp"
#include "makespan/graph/object/detail/world_plan.hpp"
#include "makespan/graph/object/message/envelope_check.hpp"
#include "makespan/graph/protocol/quiescence.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"

namespace makespan::fuzz::coordinator_messages_target {
namespace {

constexpr int objects = 6;
constexpr graph::EnvelopeBounds bounds{.place = 0, .places = 3, .images = 3, .objects = objects};

graph::WorldPlan const& plan() {
  static graph::WorldPlan const one = [] {
    graph::WorldPlan made{.layout = graph::assumed_layout(1, std::vector<int>{0, 0, 1})};
    made.collections.push_back({.name = "objects", .count = objects});
    made.objects = objects;
    return made;
  }();
  return one;
}

void take_counts(FuzzInput& input) {
  graph::Quiescence quiescence(bounds.images);
  quiescence.begin();
  while (!input.is_at_end()) {
    int const image = input.small(bounds.images - 1);
    bool const is_answer = input.flag();
    std::int64_t const question = input.small(3);
    graph::ImageState const state = graph::read_image_state(input.part());
    expect_within(bounds, state);
    if (is_answer) {
      static_cast<void>(quiescence.answer(image, question, state));
    } else {
      static_cast<void>(quiescence.report(image, state));
    }
  }
}

void take_loads(FuzzInput& input) {
  graph::Rebalancer rebalancer(plan().options.balance, plan().balanced_objects(),
                               graph::assumed_layout(1, std::vector<int>{0, 0, 1}));
  for (int look = 0; look < 2; ++look) {
    std::vector<graph::PlaceLoads> places(3);
    for (graph::PlaceLoads& each : places) {
      each.loads = graph::read_loads(input.part());
      expect_within(bounds, each.loads);
      each.availability = 1.0;
    }
    for (graph::Target const& move : rebalancer.propose(places, look).moves) {
      MAKESPAN_ENSURE(move.object >= 0 && move.object < objects);
      MAKESPAN_ENSURE(move.place >= 0 && move.place < bounds.places);
    }
    static_cast<void>(rebalancer.way_back(places));
  }
}

void take(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  input.flag() ? take_loads(input) : take_counts(input);
}

std::vector<Bytes> seeds() {
  FuzzOutput counts;
  counts.small(0);
  for (int at = 0; at < 6; ++at) {
    counts.small(at % 3).small(at / 3).small(1);
    counts.part(graph::as_message_bytes(
        graph::ImageState{.version = 1 + at / 3,
                          .is_idle = true,
                          .places = {{.counts = {.sent = 2, .processed = 2}}}}));
  }
  FuzzOutput loads;
  loads.small(1);
  for (int place = 0; place < 6; ++place) {
    graph::ObjectLoads envelope;
    for (int object = 0; object < 2; ++object) {
      envelope.objects.push_back(
          {.object = place % 3 * 2 + object, .cpu_s = 1.0 + place, .bytes = 9});
    }
    envelope.traffic.push_back({.from = place % 3 * 2, .to = 5, .messages = 1, .bytes = 100});
    loads.part(graph::as_message_bytes(envelope));
  }
  return {counts.bytes(), loads.bytes()};
}

FuzzTarget const target("coordinator_messages", &take, &seeds);

}  // namespace
}  // namespace makespan::fuzz::coordinator_messages_target

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/decision_in_process.hpp"

#include <cstddef>
#include <deque>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

struct SentMessage {
  int from;
  int to;
  DecisionMessage message;
};

class MessageQueue final : public DecisionOutbox {
 public:
  void send(int place, DecisionMessage message) override {
    messages.push_back({.from = from, .to = place, .message = std::move(message)});
  }

  int from{};
  std::deque<SentMessage> messages{};
};

}  // namespace

std::vector<DecisionOutcome> decide_in_process(std::vector<std::unique_ptr<PlaceDecision>>& places,
                                               int steps, DecisionCost* cost,
                                               std::function<double()> const& now_s) {
  MessageQueue queue;
  if (cost != nullptr && now_s) cost->place_s.resize(places.size());
  auto const timed = [&](int place, auto const& call) {
    queue.from = place;
    double const begin_s = cost != nullptr && now_s ? now_s() : 0.0;
    call(*places[static_cast<std::size_t>(place)]);
    if (cost != nullptr && now_s) {
      cost->place_s[static_cast<std::size_t>(place)] += now_s() - begin_s;
    }
  };
  auto const count = static_cast<int>(places.size());
  for (int step = 1; step <= steps; ++step) {
    for (int place = 0; place < count; ++place) {
      timed(place, [&](PlaceDecision& here) { here.step(step, queue); });
    }
    // A step is over when nothing is under way, as the coordinator of a run has it.
    while (!queue.messages.empty()) {
      SentMessage sent = std::move(queue.messages.front());
      queue.messages.pop_front();
      MAKESPAN_ASSERT(sent.to >= 0 && sent.to < count);
      if (cost != nullptr) ++cost->messages;
      timed(sent.to,
            [&](PlaceDecision& here) { here.take(sent.from, std::move(sent.message), queue); });
    }
  }
  std::vector<DecisionOutcome> outcomes(places.size());
  for (int place = 0; place < count; ++place) {
    timed(place,
          [&](PlaceDecision& here) { outcomes[static_cast<std::size_t>(place)] = here.outcome(); });
  }
  return outcomes;
}

std::vector<KnownObjects> known_objects(Graph const& graph, Places const& places) {
  std::vector<KnownObjects> all(static_cast<std::size_t>(places.count()));
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t const place = graph.now()[static_cast<std::size_t>(object)];
    KnownObjects& here = all[static_cast<std::size_t>(place)];
    here.objects.push_back({.object = object,
                            .place = place,
                            .to = place,
                            .cpu_s = places.time_of(graph, object, place).value(),
                            .bytes = graph.bytes(object),
                            .is_fixed = static_cast<std::uint8_t>(graph.may_move(object) ? 0 : 1)});
    for (int kind = 0; kind < graph.kinds(); ++kind) {
      here.work.push_back(graph.work(object, kind).value());
    }
    for (Traffic const& out : graph.sent(object)) {
      here.edges.push_back({.from = object,
                            .to = out.other,
                            .to_place = graph.now()[static_cast<std::size_t>(out.other)],
                            .messages = static_cast<double>(out.messages),
                            .bytes = out.bytes});
    }
  }
  return all;
}

}  // namespace makespan::graph

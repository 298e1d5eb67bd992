// SPDX-License-Identifier: Apache-2.0
#pragma once

// What places tell the coordinator, as bytes.

#include <cereal/types/vector.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/balancer/place_decision.hpp"
#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/graph/protocol/image_state.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"
#include "makespan/pgas/call/invocation.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::graph {

// What a decision begins with. By place of those that are not lost, in order.
struct DecisionOrder {
  std::uint8_t goes_back{0};  // objects return to where they were before the last decision
  double noise{};             // see Graph::noise()
  std::vector<double> speeds{};
  std::vector<double> availability{};  // what of its core each place had
};

// What a place says of a decision.
struct DecisionWorth {
  double now_s{};  // the longest time of a place that it knows of
  double new_s{};
  double migrate_s{};  // for its objects to go and come
  double moved_bytes{};
  std::int64_t moved{};  // objects that leave it
};

[[nodiscard]] constexpr bool is_for_coordinator(EnvelopeKind kind) {
  return kind >= EnvelopeKind::waiting && kind < EnvelopeKind::begin;
}

// In reports and answers.
[[nodiscard]] inline std::vector<std::byte> as_message_bytes(ImageState const& state) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer(state.version, state.is_idle, state.places);
  return bytes;
}
[[nodiscard]] inline std::vector<std::byte> as_message_bytes(ObjectLoads const& loads) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer(loads.objects, loads.traffic);
  return bytes;
}

[[nodiscard]] inline std::vector<std::byte> as_message_bytes(
    std::vector<LoadChange> const& changes) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer(changes);
  return bytes;
}
[[nodiscard]] inline std::vector<std::byte> as_message_bytes(DecisionOrder const& order) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer(order.goes_back, order.noise, order.speeds, order.availability);
  return bytes;
}
[[nodiscard]] inline std::vector<std::byte> as_message_bytes(DecisionMessage const& message) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer(message.kind, message.known.objects, message.known.work, message.known.edges,
         message.numbers);
  return bytes;
}
[[nodiscard]] inline std::vector<std::byte> as_message_bytes(DecisionWorth const& worth) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer.write(&worth, sizeof worth);
  return bytes;
}

// All throw std::out_of_range for bytes that end too early.
[[nodiscard]] inline ImageState read_image_state(std::span<std::byte const> bytes) {
  ImageState state;
  pgas::ByteReader reader(bytes);
  reader(state.version, state.is_idle, state.places);
  return state;
}
[[nodiscard]] inline ObjectLoads read_loads(std::span<std::byte const> bytes) {
  ObjectLoads loads;
  pgas::ByteReader reader(bytes);
  reader(loads.objects, loads.traffic);
  return loads;
}

[[nodiscard]] inline std::vector<LoadChange> read_changes(std::span<std::byte const> bytes) {
  std::vector<LoadChange> changes;
  pgas::ByteReader reader(bytes);
  reader(changes);
  return changes;
}
[[nodiscard]] inline DecisionOrder read_decision_order(std::span<std::byte const> bytes) {
  DecisionOrder order;
  pgas::ByteReader reader(bytes);
  reader(order.goes_back, order.noise, order.speeds, order.availability);
  return order;
}
[[nodiscard]] inline DecisionMessage read_decision(std::span<std::byte const> bytes) {
  DecisionMessage message;
  pgas::ByteReader reader(bytes);
  reader(message.kind, message.known.objects, message.known.work, message.known.edges,
         message.numbers);
  return message;
}
[[nodiscard]] inline DecisionWorth read_worth(std::span<std::byte const> bytes) {
  DecisionWorth worth;
  pgas::ByteReader reader(bytes);
  reader.read(&worth, sizeof worth);
  return worth;
}

}  // namespace makespan::graph

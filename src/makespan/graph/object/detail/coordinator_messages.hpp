// SPDX-License-Identifier: Apache-2.0
#pragma once

// What places tell the coordinator, as bytes.

#include <cereal/types/vector.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/object/detail/envelope.hpp"
#include "makespan/graph/protocol/image_state.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"
#include "makespan/pgas/call/invocation.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::graph {

[[nodiscard]] constexpr bool is_for_coordinator(EnvelopeKind kind) {
  return kind >= EnvelopeKind::inventory && kind < EnvelopeKind::begin;
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

// Both throw std::out_of_range for bytes that end too early.
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

}  // namespace makespan::graph

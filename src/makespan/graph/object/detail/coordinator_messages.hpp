// SPDX-License-Identifier: Apache-2.0
#pragma once

// What places tell the coordinator, as bytes.

#include <cereal/types/vector.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/object/detail/envelope.hpp"
#include "makespan/graph/protocol/quiescence.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"
#include "makespan/pgas/call/invocation.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::graph {

[[nodiscard]] constexpr bool is_for_coordinator(EnvelopeKind kind) {
  return kind >= EnvelopeKind::inventory && kind < EnvelopeKind::begin;
}

// In reports and answers.
struct PlaceState {
  MessageCounts counts{};
  double busy_wall_s{};  // in this phase, computing
  double busy_cpu_s{};   // the processor's time in it
  double gathering_s{};  // until its objects had come
};

template <pgas::PlainData T>
[[nodiscard]] std::vector<std::byte> as_message_bytes(T const& value) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter(bytes).write(&value, sizeof value);
  return bytes;
}
[[nodiscard]] inline std::vector<std::byte> as_message_bytes(ObjectLoads const& loads) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer(loads.objects, loads.traffic);
  return bytes;
}

template <pgas::PlainData T>
[[nodiscard]] T read_message_bytes(std::span<std::byte const> bytes) {
  T value;
  pgas::ByteReader(bytes).read(&value, sizeof value);
  return value;
}
[[nodiscard]] inline ObjectLoads read_loads(std::span<std::byte const> bytes) {
  ObjectLoads loads;
  pgas::ByteReader reader(bytes);
  reader(loads.objects, loads.traffic);
  return loads;
}

}  // namespace makespan::graph

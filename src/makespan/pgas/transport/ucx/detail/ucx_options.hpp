// SPDX-License-Identifier: Apache-2.0
#pragma once

// How messages and memory go through UCX.

#include <cstdint>

#include "makespan/pgas/transport/rma_use.hpp"

namespace makespan::pgas {

enum class UcxWakeup : std::uint8_t {
  events,  // links have a descriptor that wakes the thread that waits for messages
  none,    // they have none; UCX may then take a transport that cannot wake a thread
};

struct UcxOptions {
  // Payload of the longest message [bytes], at most ucx_payload_bytes_limit.
  std::int64_t message_bytes_max{64 * 1024};
  UcxWakeup wakeup{UcxWakeup::events};
  // Heap that UCX allocates [bytes], so that images of one node can map it: see own_heap(). 0: the
  // heap belongs to the caller, who tells of it by show_heap_all().
  std::int64_t heap_bytes{0};
  RmaUse rma{RmaUse::automatic};
  // Whether short puts to another node wait for others that go there, until a thread drives
  // progress.
  bool aggregates{true};
};

inline constexpr std::int64_t ucx_payload_bytes_limit = std::int64_t{16} << 20;

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The transport between images of one node.
//
//   ShmLayout const layout(images_on_node, channels, payload_bytes_max);
//   auto memory = job.allocate_node_memory_all(layout.bytes_per_image() + heap_bytes);
//   ShmTransport transport(job, *memory, layout, {.area_offset = 0, .wakeup = Wakeup::doorbell});
//   auto link = transport.open_link_all(0, LinkThreading::serialized);

#include <cstdint>
#include <memory>
#include <string_view>

#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/job/node_memory.hpp"
#include "makespan/pgas/transport/shm/detail/shm_layout.hpp"
#include "makespan/pgas/transport/transport.hpp"

namespace makespan::pgas {

// Whether links have events to wait for.
enum class Wakeup : std::uint8_t {
  none,      // no: a thread that wants messages polls
  doorbell,  // yes: each message costs its sender a look at whether the receiver sleeps
};

struct ShmOptions {
  std::int64_t area_offset{0};  // of the ring area in each segment [bytes], a multiple of 128
  Wakeup wakeup{Wakeup::none};  // the same on all images
};

// Reaches images of this node only, this one included. `job` and `memory` outlive it and its links;
// the ring area of `memory` is all 0, as when it was allocated, and is given to no other transport.
class ShmTransport final : public Transport {
 public:
  ShmTransport(Job& job, NodeMemory const& memory, ShmLayout const& layout,
               ShmOptions const& options);

  std::string_view name() const override { return "shm"; }

  // Collective over all images of the job, also those of other nodes. Throws InputError, on all
  // images, where one of them has no socket for its doorbell or cannot be reached by it.
  std::unique_ptr<Link> open_link_all(int channel, LinkThreading threading) override;

 private:
  Job& job_;
  NodeMemory const& memory_;
  ShmLayout layout_;
  ShmOptions options_;
  int links_opened_{0};
};

}  // namespace makespan::pgas

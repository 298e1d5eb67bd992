// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory operations by MPI's windows, messages by its two-sided calls: for all pairs of images, on
// a node too.

#include <cstdint>
#include <memory>

#include "makespan/pgas/transport/am/am_transport.hpp"
#include "makespan/pgas/transport/rma/detail/rma_options.hpp"
#include "makespan/pgas/transport/transport.hpp"

namespace makespan::pgas {

class MpiJob;

// Words of the heap that any image changes by atomics must be changed and read by this transport's
// atomics only, on the owner itself too.
//
// MPI makes no progress for others while an image computes, except on a node with Open MPI: what is
// asked of an image is done when it calls MPI next, such as in a link's poll().
//
// Tested by tests/pgas/transport/rma, under several numbers of images.
class RmaTransport final : public Transport {
 public:
  // Collective · Blocks · Allocates `heap_bytes` bytes of memory that MPI knows, zeroed. The job
  // outlives the transport. Throws InputError on invalid or inconsistent options, and where MPI has
  // no working windows: Open MPI before 5.
  RmaTransport(MpiJob& job, std::int64_t heap_bytes, RmaOptions const& options);
  ~RmaTransport() override;

  [[nodiscard]] std::string_view name() const override { return "rma"; }
  [[nodiscard]] std::span<std::byte> own_heap() override;
  [[nodiscard]] std::unique_ptr<Link> open_link_all(int channel, LinkThreading threading) override;
  [[nodiscard]] std::unique_ptr<RemoteMemory> open_memory_all(LinkThreading threading, Link& link,
                                                              RemoteMemory& by_messages) override;
  void close_all() override;

 private:
  struct Window;

  MpiJob& job_;
  RmaOptions options_;
  AmTransport messages_;
  std::unique_ptr<Window> window_;
};

}  // namespace makespan::pgas

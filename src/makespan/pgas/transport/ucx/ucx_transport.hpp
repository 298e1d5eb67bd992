// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages and memory by UCX, the library under most MPIs, without MPI: one UCX worker for each
// link, so that threads with links of their own do not meet, and a descriptor that wakes a helper
// thread.

#include <memory>

#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/transport/transport.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_options.hpp"

namespace makespan::pgas {

// Which devices and protocols UCX uses is up to UCX and the user's UCX_… variables. Connections are
// made when they are first used. Its links are drained only while those whom they sent to drive
// progress, since UCX over TCP has that confirmed.
//
// Tested by tests/pgas/transport/ucx, under several numbers of images and several UCX_TLS.
class UcxTransport final : public Transport {
 public:
  // Collective over the job, which outlives the transport. Throws InputError, on all images if on
  // one.
  UcxTransport(Job& job, UcxOptions const& options);
  ~UcxTransport() override;

  [[nodiscard]] std::string_view name() const override { return "ucx"; }

  // The heap that UcxOptions::heap_bytes asks for: zeroed.
  [[nodiscard]] std::span<std::byte> own_heap() override;

  // Where images of other nodes may reach it by UCX's put and get (UcxOptions::rma).
  void show_heap_all(std::span<std::byte> heap) override;

  // Links and memories are gone before the transport is.
  [[nodiscard]] std::unique_ptr<Link> open_link_all(int channel, LinkThreading threading) override;

  // Null where no heap is known to UCX: then messages do all. Not collective.
  [[nodiscard]] std::unique_ptr<RemoteMemory> open_memory_all(LinkThreading threading, Link& link,
                                                              RemoteMemory& by_messages) override;

  void close_all() override;

 private:
  void settle();

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/rma/rma_transport.hpp"

#include <string>

#include "makespan/base/error.hpp"
#include "makespan/pgas/mpi/mpi_job.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_memory.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_window.hpp"

namespace makespan::pgas {

namespace {

RmaOptions validated(RmaOptions const& options, std::int64_t heap_bytes) {
  if (heap_bytes < 1) {
    throw InputError("heap_bytes = " + std::to_string(heap_bytes), "a heap has at least one byte",
                     "give the bytes of each image's heap");
  }
  if (options.operations_max < 1) {
    throw InputError("operations_max = " + std::to_string(options.operations_max),
                     "a memory needs room for one operation at least",
                     "give how many operations may be under way at a time, such as 256");
  }
  if (!(options.probe_limit > Seconds{0.0})) {
    throw InputError("probe_limit = " + std::to_string(options.probe_limit.value()),
                     "the first operation takes some time", "give it in seconds, such as 5");
  }
  return options;
}

}  // namespace

struct RmaTransport::Window {
  RmaWindow window;
};

RmaTransport::RmaTransport(MpiJob& job, std::int64_t heap_bytes, RmaOptions const& options)
    : job_{job},
      options_{validated(options, heap_bytes)},
      messages_{job, options.messages},
      window_{new Window{RmaWindow(job, heap_bytes, options)}} {
}

RmaTransport::~RmaTransport() = default;

std::span<std::byte> RmaTransport::own_heap() {
  return window_->window.heap();
}

std::unique_ptr<Link> RmaTransport::open_link_all(int channel, LinkThreading threading) {
  return messages_.open_link_all(channel, threading);
}

std::unique_ptr<RemoteMemory> RmaTransport::open_memory_all(LinkThreading threading, Link& /*link*/,
                                                            RemoteMemory& /*by_messages*/) {
  return std::make_unique<RmaMemory>(window_->window, job_, options_, threading);
}

void RmaTransport::close_all() {
  window_->window.close_all();
  messages_.close_all();
}

}  // namespace makespan::pgas

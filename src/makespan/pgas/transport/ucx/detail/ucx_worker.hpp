// SPDX-License-Identifier: Apache-2.0
#pragma once

// One UCX worker: a network context of its own, with an address that others send to.

#include <cstddef>
#include <vector>

#include <ucp/api/ucp.h>

#include "makespan/pgas/job/unique_handle.hpp"
#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_context.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_options.hpp"

namespace makespan::pgas {

struct UcxWorkerTraits {
  using Handle = ucp_worker_h;
  static Handle null() { return nullptr; }
  static bool is_null(Handle handle) { return handle == nullptr; }
  static void release(Handle handle) noexcept { ucp_worker_destroy(handle); }
};

class UcxWorker {
 public:
  // Throws InputError, also where UCX was built for less threading than is asked for.
  UcxWorker(UcxContext const& context, LinkThreading threading, UcxWakeup wakeup);

  [[nodiscard]] ucp_worker_h get() const { return worker_.get(); }
  [[nodiscard]] std::vector<std::byte> address() const;

  // One round of progress. Returns how many things happened.
  int progress() { return static_cast<int>(ucp_worker_progress(worker_.get())); }

  // -1 without UcxWakeup::events.
  [[nodiscard]] int event_descriptor() const { return event_descriptor_; }
  // False: there is something to do already.
  [[nodiscard]] bool arm();

  // Gives the worker back, and what is under way with it: callbacks are called.
  void destroy() { worker_.reset(); }

 private:
  UniqueHandle<UcxWorkerTraits> worker_;
  int event_descriptor_{-1};
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_worker.hpp"

#include <poll.h>

#include <cstring>

#include "makespan/pgas/transport/ucx/detail/ucx_status.hpp"

namespace makespan::pgas {

UcxWorker::UcxWorker(UcxContext const& context, LinkThreading threading, UcxWakeup wakeup) {
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode =
      threading == LinkThreading::concurrent ? UCS_THREAD_MODE_MULTI : UCS_THREAD_MODE_SERIALIZED;
  check_ucx(ucp_worker_create(context.get(), &params, worker_.out()), "ucp_worker_create");
  ucp_worker_attr_t attributes{};
  attributes.field_mask = UCP_WORKER_ATTR_FIELD_THREAD_MODE;
  check_ucx(ucp_worker_query(worker_.get(), &attributes), "ucp_worker_query");
  if (attributes.thread_mode < params.thread_mode) {
    check_ucx(UCS_ERR_UNSUPPORTED, "ucp_worker_create(THREAD_MODE)");
  }
  if (wakeup == UcxWakeup::events) {
    check_ucx(ucp_worker_get_efd(worker_.get(), &event_descriptor_), "ucp_worker_get_efd");
  }
}

std::vector<std::byte> UcxWorker::address() const {
  ucp_address_t* address = nullptr;
  std::size_t bytes = 0;
  check_ucx(ucp_worker_get_address(worker_.get(), &address, &bytes), "ucp_worker_get_address");
  std::vector<std::byte> copy(bytes);
  std::memcpy(copy.data(), address, bytes);
  ucp_worker_release_address(worker_.get(), address);
  return copy;
}

bool UcxWorker::arm() {
  if (event_descriptor_ < 0 || ucp_worker_arm(worker_.get()) != UCS_OK) return false;
  // With TCP, arming looks at no socket: ask what the descriptor says already.
  pollfd descriptor{.fd = event_descriptor_, .events = POLLIN, .revents = 0};
  return ::poll(&descriptor, 1, 0) == 0;
}

}  // namespace makespan::pgas

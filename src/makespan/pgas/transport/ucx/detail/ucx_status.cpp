// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_status.hpp"

#include "makespan/base/error.hpp"

namespace makespan::pgas {

std::string describe_ucx(std::string_view call, ucs_status_t status) {
  return std::string(call) + ": " + ucs_status_string(status);
}

void check_ucx(ucs_status_t status, std::string_view call) {
  if (status == UCS_OK) return;
  throw InputError("UCX cannot be set up", describe_ucx(call, status),
                   "look at UCX_TLS and UCX_NET_DEVICES, or set MAKESPAN_TRANSPORT to another one");
}

}  // namespace makespan::pgas

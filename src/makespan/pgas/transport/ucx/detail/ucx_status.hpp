// SPDX-License-Identifier: Apache-2.0
#pragma once

// What UCX's calls return.

#include <string>
#include <string_view>

#include <ucp/api/ucp.h>

namespace makespan::pgas {

// "ucp_init: No such device".
[[nodiscard]] std::string describe_ucx(std::string_view call, ucs_status_t status);

// For calls that set something up: throws InputError when the call went wrong, since then it is the
// environment (devices, UCX_… variables, memory) that does not fit.
void check_ucx(ucs_status_t status, std::string_view call);

// How a call that may go on by itself has turned out.
enum class RequestState : unsigned char { done, under_way, failed };

[[nodiscard]] inline RequestState state_of(ucs_status_ptr_t request) {
  if (request == nullptr) return RequestState::done;
  return UCS_PTR_IS_ERR(request) ? RequestState::failed : RequestState::under_way;
}

}  // namespace makespan::pgas

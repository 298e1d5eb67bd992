// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the two directions of a link have in common.

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/transport/am/am_options.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

struct AmContext {
  MPI_Comm communicator{MPI_COMM_NULL};  // of this link alone; image i has rank i
  Job& job;
  AmOptions options{};
  LinkThreading threading{LinkThreading::serialized};
};

// Payloads of long messages under way in one direction of a link: so many bytes, or one message.
[[nodiscard]] inline std::size_t long_bytes_max(AmOptions const& options) {
  return std::max(std::size_t{8} << 20, checked_cast<std::size_t>(options.message_bytes_max));
}

// `call`, about `peer` alone, has returned `code`, which is no success: the peer cannot be reached.
// MPIs without fault tolerance say so in words of their own (MPICH over TCP: "Endpoint timeout"),
// so any failure counts as loss of the peer, with what MPI says as the reason. Throws MpiError
// where the peer is this image itself.
void report_unreachable(Job& job, ImageId peer, int code, std::string_view call);

}  // namespace makespan::pgas

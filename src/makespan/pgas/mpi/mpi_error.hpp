// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every MPI call goes through one of these, in every build: MPI returns its errors to us, since our
// communicators ask for that, and none is left lying.

#include <string_view>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace makespan::pgas {

// Throws what `code`, which is not MPI_SUCCESS, stands for; see check_mpi.
[[noreturn]] void mpi_failed(int code, std::string_view call, ImageId image, ImageId peer);

// Looks at what the MPI function `call` returned on `image`. Throws MpiError, or, where MPI says
// that a process has failed, ImageFailed naming `peer`: the image that the call was about, if it
// was about one.
//
//   check_mpi(MPI_Put(…), "MPI_Put", image, target);
inline void check_mpi(int code, std::string_view call, ImageId image, ImageId peer = {}) {
  if (code != MPI_SUCCESS) [[unlikely]] {
    mpi_failed(code, call, image, peer);
  }
}

// Whether `code` means that another process has failed, and not the call.
[[nodiscard]] bool is_process_failure(int code);
// Whether it is one of a receive from any source, which goes on once the failure is acknowledged
// (failed_ranks()).
[[nodiscard]] bool is_pending_failure(int code);

// Whether MPI was built and launched to go on after a failure: Open MPI 5 with --with-ft ulfm.
[[nodiscard]] bool mpi_outlives_failures();

// The members of `communicator`, by rank, that MPI knows to have failed. Acknowledges them, so that
// receives with MPI_ANY_SOURCE go on. None without ULFM.
[[nodiscard]] std::vector<int> failed_ranks(MPI_Comm communicator);

}  // namespace makespan::pgas

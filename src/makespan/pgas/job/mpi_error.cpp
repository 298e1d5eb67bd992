// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/mpi_error.hpp"

#include <array>
#include <string>

namespace makespan::pgas {

namespace {

// MPI_Error_class and MPI_Error_string are calls too; where they fail, the code is all there is.
int class_of(int code) {
  int error_class = 0;
  return MPI_Error_class(code, &error_class) == MPI_SUCCESS ? error_class : code;
}

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) return "MPI has no text for it";
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

void mpi_failed(int code, std::string_view call, ImageId image, ImageId peer) {
  if (is_process_failure(code)) throw ImageFailed(peer, text_of(code), call);
  throw MpiError(call, code, class_of(code), text_of(code), image);
}

bool is_process_failure(int code) {
#if MAKESPAN_MPI_ULFM
  if (code == MPI_SUCCESS) return false;
  int const error_class = class_of(code);
  return error_class == MPIX_ERR_PROC_FAILED || error_class == MPIX_ERR_PROC_FAILED_PENDING ||
         error_class == MPIX_ERR_REVOKED;
#else
  static_cast<void>(code);
  return false;
#endif
}

#if MAKESPAN_MPI_ULFM

namespace {

// The rank within `communicator` of the first member of `failed`; groups are freed by the caller.
std::optional<int> first_rank(MPI_Group failed, MPI_Group all) {
  int size = 0;
  if (MPI_Group_size(failed, &size) != MPI_SUCCESS || size == 0) return std::nullopt;
  int const first = 0;
  int rank = MPI_UNDEFINED;
  if (MPI_Group_translate_ranks(failed, 1, &first, all, &rank) != MPI_SUCCESS) return std::nullopt;
  return rank == MPI_UNDEFINED ? std::nullopt : std::optional(rank);
}

}  // namespace

std::optional<int> failed_rank(MPI_Comm communicator) {
  MPI_Group failed = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  std::optional<int> rank;
  if (MPIX_Comm_failure_ack(communicator) == MPI_SUCCESS &&
      MPIX_Comm_failure_get_acked(communicator, &failed) == MPI_SUCCESS &&
      MPI_Comm_group(communicator, &all) == MPI_SUCCESS) {
    rank = first_rank(failed, all);
  }
  // A group that cannot be freed is a leak of a few bytes in a job that is about to end.
  if (failed != MPI_GROUP_NULL) static_cast<void>(MPI_Group_free(&failed));
  if (all != MPI_GROUP_NULL) static_cast<void>(MPI_Group_free(&all));
  return rank;
}

#else

std::optional<int> failed_rank(MPI_Comm /*communicator*/) {
  return std::nullopt;
}

#endif

}  // namespace makespan::pgas

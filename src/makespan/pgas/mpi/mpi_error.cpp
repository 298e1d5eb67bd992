// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/mpi_error.hpp"

#include <array>
#include <numeric>
#include <string>

#include "makespan/pgas/mpi/detail/mpi_group.hpp"

namespace makespan::pgas {

namespace {

// For any MPI: what mpi.h says is of the one that this is compiled for.
constexpr std::size_t error_text_bytes = 4096;
static_assert(error_text_bytes >= MPI_MAX_ERROR_STRING);

// MPI_Error_class and MPI_Error_string are calls too; where they fail, the code is all there is.
int class_of(int code) {
  int error_class = 0;
  return MPI_Error_class(code, &error_class) == MPI_SUCCESS ? error_class : code;
}

std::string text_of(int code) {
  std::array<char, error_text_bytes> text{};
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
  if (code == MPI_SUCCESS || !has_ulfm()) return false;
  int const error_class = class_of(code);
  return error_class == MPIX_ERR_PROC_FAILED || error_class == MPIX_ERR_PROC_FAILED_PENDING ||
         error_class == MPIX_ERR_REVOKED;
#else
  static_cast<void>(code);
  return false;
#endif
}

bool is_pending_failure(int code) {
#if MAKESPAN_MPI_ULFM
  return code != MPI_SUCCESS && has_ulfm() && class_of(code) == MPIX_ERR_PROC_FAILED_PENDING;
#else
  static_cast<void>(code);
  return false;
#endif
}

#if MAKESPAN_MPI_ULFM

namespace {

// What cannot be told is left out: this is asked when something has failed already.
std::vector<int> ranks_of(MPI_Group part, MPI_Group all) {
  int size = 0;
  if (MPI_Group_size(part, &size) != MPI_SUCCESS) return {};
  std::vector<int> ranks_in_part(static_cast<std::size_t>(size));
  std::vector<int> ranks(ranks_in_part.size(), MPI_UNDEFINED);
  std::iota(ranks_in_part.begin(), ranks_in_part.end(), 0);
  if (MPI_Group_translate_ranks(part, size, ranks_in_part.data(), all, ranks.data()) !=
      MPI_SUCCESS) {
    return {};
  }
  std::erase(ranks, MPI_UNDEFINED);
  return ranks;
}

}  // namespace

bool mpi_outlives_failures() {
  if (!has_ulfm()) return false;
  int* is_on = nullptr;
  int is_known = 0;
  // What cannot be told is not relied on.
  return MPI_Comm_get_attr(MPI_COMM_WORLD, MPIX_FT, static_cast<void*>(&is_on), &is_known) ==
             MPI_SUCCESS &&
         is_known != 0 && *is_on != 0;
}

std::vector<int> failed_ranks(MPI_Comm communicator) {
  if (!has_ulfm()) return {};
  MpiGroup failed;
  MpiGroup all;
  if (MPIX_Comm_failure_ack(communicator) != MPI_SUCCESS ||
      MPIX_Comm_failure_get_acked(communicator, failed.out()) != MPI_SUCCESS ||
      MPI_Comm_group(communicator, all.out()) != MPI_SUCCESS) {
    return {};
  }
  return ranks_of(failed.get(), all.get());
}

#else

bool mpi_outlives_failures() {
  return false;
}

std::vector<int> failed_ranks(MPI_Comm /*communicator*/) {
  return {};
}

#endif

}  // namespace makespan::pgas

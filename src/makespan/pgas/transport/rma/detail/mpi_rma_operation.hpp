// SPDX-License-Identifier: Apache-2.0
#pragma once

// One operation on a window that is under way.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/transport/am/am_buffer.hpp"
#include "makespan/pgas/transport/completion.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"

namespace makespan::pgas {

// The most bytes that an operation carries inside itself.
inline constexpr std::size_t rma_inline_bytes = 4096;

// What must follow before an operation whose requests are done is done itself.
enum class RmaEnding : std::uint8_t {
  none,         // its answer has come: it was carried out
  flush,        // its data have left; MPI must confirm that they have arrived
  flush_local,  // it was carried out; MPI must hand over the answer
};

struct RmaOperation {
  using Bytes = std::array<std::byte, rma_inline_bytes>;

  alignas(8) Bytes source;  // what MPI sends, if it is short
  alignas(8) Bytes result;  // what MPI reads, if it is short
  std::uint64_t compare{0};
  std::uint64_t probed{0};
  AmBuffer copy{};  // what MPI sends or reads, if it is long
  std::size_t copied_bytes{0};

  Completion* done{nullptr};
  std::size_t target{0};
  std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int requests_left{0};
  int failure{MPI_SUCCESS};  // what MPI said of a request
  RmaEnding ending{RmaEnding::none};
  std::optional<SignalRequest> signal{};  // to follow
  std::size_t answer_bytes{0};            // of `result`, for the Completion
  std::span<std::byte> destination{};     // where data of a get goes when it is done
};

}  // namespace makespan::pgas

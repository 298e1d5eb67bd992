// SPDX-License-Identifier: Apache-2.0
#pragma once

// The window: memory of each image that all images may read and write by MPI.
//
// One for all channels, since MPI's operations are atomic only within a window. Allocated by MPI,
// since memory that is only shown to it makes no progress while its owner computes, not even on a
// node. Locked for all images once, from beginning to end (a shared lock, which keeps no image
// out), since MPI needs the epoch that this opens.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/mpi/mpi_communicator.hpp"
#include "makespan/pgas/transport/rma/detail/rma_options.hpp"

namespace makespan::pgas {

class MpiJob;

class RmaWindow {
 public:
  // Collective · Blocks. Allocates `bytes` bytes, zeroed and page-aligned, and tries one operation
  // on the next image. Throws InputError, on all images, where this MPI has no windows between
  // these hosts.
  RmaWindow(MpiJob& job, std::int64_t bytes, RmaOptions const& options);
  // A window can only be given back by all together. Left to the destructor it is leaked,
  // knowingly: images are missing, and the job is about to end.
  ~RmaWindow();
  RmaWindow(RmaWindow const&) = delete;
  RmaWindow& operator=(RmaWindow const&) = delete;

  // Collective, with no operation under way anywhere.
  void close_all();

  // Makes MPI look after what others ask of this image.
  void kick();

  [[nodiscard]] MPI_Win handle() const { return window_; }
  [[nodiscard]] std::span<std::byte> heap() const { return heap_; }

  // Where byte `offset` of the target's heap lies, as MPI counts.
  [[nodiscard]] MPI_Aint displacement(std::size_t target, std::uint64_t offset) const {
    return heap_begins_[target] + static_cast<MPI_Aint>(offset);
  }

  // A word behind the target's heap that is never changed, for operations that wait for an answer.
  [[nodiscard]] MPI_Aint displacement_of_spare(std::size_t target) const {
    return displacement(target, (heap_.size() + 7) / 8 * 8);
  }

 private:
  // One operation: the old value that it brought, or what went wrong.
  struct Trial {
    std::uint64_t old{0};
    std::string why{};
  };

  void allocate_all(std::int64_t bytes);
  void tell_beginnings_all();
  void probe_all(Seconds limit);
  [[nodiscard]] std::string probe_next(Seconds limit);
  [[nodiscard]] Trial try_next(MPI_Op op, std::uint64_t operand, Seconds limit);

  MpiJob& job_;
  MpiCommunicator communicator_;
  MPI_Win window_{MPI_WIN_NULL};
  std::span<std::byte> all_;           // what MPI gave
  std::span<std::byte> heap_;          // the part of it that begins with a page
  std::vector<MPI_Aint> heap_begins_;  // by image: the heap within what MPI gave there
};

}  // namespace makespan::pgas

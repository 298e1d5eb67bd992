// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory shared by the images of a node, by way of a shared window of MPI.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/pgas/job/collective_wait.hpp"
#include "makespan/pgas/job/node_memory.hpp"
#include "makespan/pgas/mpi/detail/mpi_collectives.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace makespan::pgas {

class MpiNodeMemory final : public NodeMemory {
 public:
  // Collective over `node`, which outlives this, as `wait` does. All give the same `bytes`, and
  // there is room for them.
  MpiNodeMemory(MpiCollectives& node, CollectiveWait const& wait, std::int64_t bytes);
  // A window can only be given back by all together. Left to the destructor it is leaked,
  // knowingly: images are missing, and the job is about to end.
  ~MpiNodeMemory() override = default;

  [[nodiscard]] std::span<std::byte> segment(ImageId image) const override;
  void close_all() override;

 private:
  void find_segments(std::size_t bytes, std::size_t page);

  [[nodiscard]] ImageId self() const;

  MpiCollectives& node_;
  CollectiveWait const& wait_;
  MPI_Win window_{MPI_WIN_NULL};
  std::vector<std::span<std::byte>> segments_;  // by rank in the node
};

}  // namespace makespan::pgas

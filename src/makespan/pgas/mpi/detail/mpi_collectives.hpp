// SPDX-License-Identifier: Apache-2.0
#pragma once

// The collectives of a team, by the nonblocking ones of MPI.

#include <string_view>
#include <vector>

#include "makespan/pgas/job/collectives.hpp"
#include "makespan/pgas/mpi/mpi_communicator.hpp"

namespace makespan::pgas {

// MPI counts in int: more than 2^31 - 1 elements (bytes for broadcast and gather) at once are an
// InputError. Outlives its operations. Allocates: an object per operation.
//
// An operation that is destroyed before it is done is given up: with ULFM the communicator is
// revoked, which ends it everywhere; without, the other members get a quarter of a second to end
// it. Where they do not, MPI may still write to its spans, so that a caller that gives up must not
// reuse them, and ends the job.
class MpiCollectives final : public Collectives {
 public:
  // `members` by rank in `communicator`.
  MpiCollectives(MpiCommunicator communicator, std::vector<ImageId> members);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] std::span<ImageId const> members() const override { return members_; }

  [[nodiscard]] Operation barrier() override;
  [[nodiscard]] Operation broadcast(std::span<std::byte> data, int root) override;
  [[nodiscard]] Operation reduce(ElementType type, ReduceOp op, std::span<std::byte const> in,
                                 std::span<std::byte> out, int root) override;
  [[nodiscard]] Operation all_reduce(ElementType type, ReduceOp op, std::span<std::byte const> in,
                                     std::span<std::byte> out) override;
  [[nodiscard]] Operation inclusive_scan(ElementType type, ReduceOp op,
                                         std::span<std::byte const> in,
                                         std::span<std::byte> out) override;
  [[nodiscard]] Operation gather(std::span<std::byte const> in, std::span<std::byte> out,
                                 int root) override;
  [[nodiscard]] Operation all_gather(std::span<std::byte const> in,
                                     std::span<std::byte> out) override;

  [[nodiscard]] std::unique_ptr<Collectives> split_all(int color, int key) override;
  [[nodiscard]] std::unique_ptr<Collectives> split_by_node_all() override;
  [[nodiscard]] std::unique_ptr<Collectives> shrink_all() override;

  // Collective: the members of this one's node, by rank here.
  [[nodiscard]] std::unique_ptr<MpiCollectives> node_team_all() const;

  // Begins to make a communicator of the same members. `copy` must stay where it is until then.
  [[nodiscard]] Operation duplicate(MPI_Comm& copy) const;

  // Throws what `code`, returned by the MPI function `call`, stands for: as check_mpi(), and knows
  // which member has failed.
  void check(int code, std::string_view call) const;

  [[nodiscard]] MPI_Comm communicator() const { return communicator_.get(); }

 private:
  [[nodiscard]] ImageId self() const { return members_[static_cast<std::size_t>(rank_)]; }
  [[nodiscard]] bool all_answer() const;
  [[nodiscard]] std::unique_ptr<MpiCollectives> team_of(MPI_Comm part) const;

  MpiCommunicator communicator_;
  std::vector<ImageId> members_;
  int rank_{0};
};

}  // namespace makespan::pgas

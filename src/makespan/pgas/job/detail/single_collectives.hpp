// SPDX-License-Identifier: Apache-2.0
#pragma once

// The collectives of a team of one: copies, done as soon as they are begun.

#include <array>

#include "makespan/pgas/job/collectives.hpp"

namespace makespan::pgas {

class SingleCollectives final : public Collectives {
 public:
  explicit SingleCollectives(ImageId image) : members_{image} {}

  [[nodiscard]] int rank() const override { return 0; }
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
  // No image can be lost, so this is the same team again.
  [[nodiscard]] std::unique_ptr<Collectives> shrink_all() override;

 private:
  std::array<ImageId, 1> members_;
};

}  // namespace makespan::pgas

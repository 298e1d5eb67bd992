// SPDX-License-Identifier: Apache-2.0
#pragma once

// The job of a process that no launcher has started: one image, no MPI.

#include <array>
#include <string>

#include "makespan/pgas/job/job.hpp"

namespace makespan::pgas {

// Its image is never lost, and what is collective returns at once.
class SingleJob final : public Job {
 public:
  SingleJob();

  [[nodiscard]] ImageId image() const override { return node_images_.front(); }
  [[nodiscard]] int images() const override { return 1; }
  [[nodiscard]] std::span<ImageId const> node_images() const override { return node_images_; }
  [[nodiscard]] int nodes() const override { return 1; }
  [[nodiscard]] std::string const& host(ImageId image) const override;
  [[nodiscard]] std::string const& launcher() const override { return launcher_; }

  [[nodiscard]] std::vector<std::vector<std::byte>> exchange_all(
      std::span<std::byte const> mine) override;
  [[nodiscard]] std::unique_ptr<NodeMemory> allocate_node_memory_all(std::int64_t bytes) override;
  [[nodiscard]] std::unique_ptr<Collectives> world_collectives_all() override;

  [[nodiscard]] std::string loss_of(ImageId image) const override;
  [[nodiscard]] int lost_images() const override { return 0; }
  void report_loss(ImageId image, std::string const& why) override;

  void finish_all() override {}

 private:
  std::array<ImageId, 1> node_images_{ImageId{0}};
  std::string host_;
  std::string launcher_{"none"};
};

}  // namespace makespan::pgas

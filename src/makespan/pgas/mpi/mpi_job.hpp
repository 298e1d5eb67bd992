// SPDX-License-Identifier: Apache-2.0
#pragma once

// The job that mpiexec launched: image i is rank i of MPI_COMM_WORLD.

#include <memory>
#include <string>
#include <vector>

#include "makespan/pgas/job/collective_wait.hpp"
#include "makespan/pgas/job/heartbeat_monitor.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/job/job_options.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/job/loss_board.hpp"
#include "makespan/pgas/job/node_pulse.hpp"
#include "makespan/pgas/job/pulsed_heartbeat_transport.hpp"
#include "makespan/pgas/mpi/detail/mpi_collectives.hpp"
#include "makespan/pgas/mpi/detail/mpi_heartbeat_transport.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/mpi/mpi_communicator.hpp"
#include "makespan/pgas/mpi/mpi_process.hpp"

namespace makespan::pgas {

class MpiJob final : public Job {
 public:
  // Collective; see open_job_all().
  MpiJob(Launch const& launch, JobOptions const& options);
  // Without finish_all() before, gives back only what this process can alone; MPI goes on.
  ~MpiJob() override;

  [[nodiscard]] ImageId image() const override { return image_; }
  [[nodiscard]] int images() const override { return images_; }
  [[nodiscard]] std::span<ImageId const> node_images() const override { return node_->members(); }
  [[nodiscard]] int nodes() const override { return nodes_; }
  [[nodiscard]] std::string const& host(ImageId image) const override;
  [[nodiscard]] std::string const& launcher() const override { return launcher_; }

  [[nodiscard]] std::vector<std::vector<std::byte>> exchange_all(
      std::span<std::byte const> mine) override;
  [[nodiscard]] std::unique_ptr<NodeMemory> allocate_node_memory_all(std::int64_t bytes) override;
  [[nodiscard]] std::unique_ptr<Collectives> world_collectives_all() override;

  [[nodiscard]] std::string loss_of(ImageId image) const override { return losses_.reason(image); }
  [[nodiscard]] int lost_images() const override { return losses_.count(); }
  void report_loss(ImageId image, std::string const& why) override;

  void finish_all() override;

  // All images, errors returned. For set-up; its messages are the job's own.
  [[nodiscard]] MPI_Comm communicator() const { return world_->communicator(); }

  // Collective: all images once more, for messages or windows of the caller.
  [[nodiscard]] MpiCommunicator duplicate_all();

 private:
  [[nodiscard]] std::vector<std::byte> gather_all(std::span<std::byte const> mine);
  // By image, the first image of its node.
  [[nodiscard]] std::vector<int> learn_nodes();
  void watch_all(std::span<int const> nodes);
  HeartbeatTransport& open_transport_all();
  void close_all();
  void close_post_all();
  void leave_all();
  void let_go();
  void learn_hosts();
  void throw_first_all(std::string const& trouble);
  void expect_room_all(std::int64_t bytes);

  MpiProcess process_;
  JobOptions options_;
  ImageId image_;
  int images_;
  std::unique_ptr<MpiCollectives> world_;  // until the job is finished
  std::unique_ptr<MpiCollectives> node_;
  std::string launcher_;
  int nodes_{0};
  std::vector<std::string> hosts_;  // by image
  LossBoard losses_;
  CollectiveWait wait_;
  std::unique_ptr<NodeMemory> pulses_;                // null if no image of the node is watched
  std::unique_ptr<NodePulse> pulse_;                  // as pulses_
  std::unique_ptr<MpiHeartbeatTransport> transport_;  // null if no image is watched
  std::unique_ptr<PulsedHeartbeatTransport> pulsed_;  // null without pulse_ or transport_
  std::unique_ptr<HeartbeatMonitor> monitor_;         // as transport_; goes before all of the above
};

}  // namespace makespan::pgas

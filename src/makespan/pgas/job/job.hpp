// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who takes part: how many images there are, which one this process is, which ones share its node,
// and the few collective calls that setting up needs. Either MPI connects the images, or there is
// one image.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/collectives.hpp"
#include "makespan/pgas/job/node_memory.hpp"

namespace makespan::pgas {

class Job {
 public:
  Job() = default;
  Job(Job const&) = delete;
  Job& operator=(Job const&) = delete;
  virtual ~Job() = default;

  [[nodiscard]] virtual ImageId image() const = 0;
  [[nodiscard]] virtual int images() const = 0;

  // Images of this node, ascending, this one among them.
  [[nodiscard]] virtual std::span<ImageId const> node_images() const = 0;
  [[nodiscard]] virtual int nodes() const = 0;

  // The host that `image` runs on.
  [[nodiscard]] virtual std::string const& host(ImageId image) const = 0;

  // What launched the job and carries its collectives, for the record: "MPICH 4.0.2", "none".
  [[nodiscard]] virtual std::string const& launcher() const = 0;

  // Collective. The bytes of all images, by image. Blocks; does not drive progress: for setting up.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> exchange_all(
      std::span<std::byte const> mine) = 0;

  // Collective. Memory of `bytes` bytes for each image of this node, mapped into all of them,
  // zeroed and page-aligned. Throws InputError where the node has no room for it, on all images.
  [[nodiscard]] virtual std::unique_ptr<NodeMemory> allocate_node_memory_all(
      std::int64_t bytes) = 0;

  // The collectives of the team of all images.
  [[nodiscard]] virtual std::unique_ptr<Collectives> world_collectives_all() = 0;

  // Whether `image` is known to be lost, and why; empty while it is well. Callable from any thread.
  [[nodiscard]] virtual std::string loss_of(ImageId image) const = 0;

  // How many images are known to be lost: a cheap way to see that something has changed. Callable
  // from any thread.
  [[nodiscard]] virtual int lost_images() const = 0;

  // Notes that a transport could not reach `image`. Callable from any thread.
  virtual void report_loss(ImageId image, std::string const& why) = 0;

  // Collective: ends the job. Nothing of the above is called afterwards. If an image is lost, it
  // ends without waiting for the others.
  virtual void finish_all() = 0;
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that all images of a node have mapped: a segment of equal size for each of them.

#include <cstddef>
#include <span>

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

class NodeMemory {
 public:
  NodeMemory() = default;
  NodeMemory(NodeMemory const&) = delete;
  NodeMemory& operator=(NodeMemory const&) = delete;
  virtual ~NodeMemory() = default;  // unmaps, alone

  // The segment of `image`, where this process sees it; empty if the image is on another node.
  [[nodiscard]] virtual std::span<std::byte> segment(ImageId image) const = 0;

  // Collective over the node, before the destructor where all images are well.
  virtual void close_all() = 0;
};

}  // namespace makespan::pgas

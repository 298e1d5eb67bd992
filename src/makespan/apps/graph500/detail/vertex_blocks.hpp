// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which image has which vertices: blocks of consecutive numbers. Numbers say nothing of degrees, so
// that blocks are as even as any other cut, and what an image has of a bitmap is whole words in a
// row.

#include <algorithm>
#include <cstdint>

#include "makespan/apps/graph500/detail/vertex.hpp"

namespace makespan::graph500 {

// Vertices of a word of a bitmap.
inline constexpr std::int64_t word_bits = 64;

// A plain value. Tested by tests/apps/graph500/vertex_blocks_test.cpp.
class VertexBlocks {
 public:
  VertexBlocks(std::int64_t vertices, int images)
      : vertices_{vertices},
        images_{images},
        block_{((vertices + images - 1) / images + word_bits - 1) / word_bits * word_bits} {}

  [[nodiscard]] std::int64_t vertices() const { return vertices_; }
  [[nodiscard]] int images() const { return images_; }
  // Of each image, also where fewer vertices are left: a multiple of word_bits.
  [[nodiscard]] std::int64_t block() const { return block_; }
  [[nodiscard]] std::int64_t first(std::int64_t image) const { return image * block_; }
  [[nodiscard]] std::int64_t count(std::int64_t image) const {
    return std::clamp<std::int64_t>(vertices_ - first(image), 0, block_);
  }
  [[nodiscard]] int owner(Vertex vertex) const {
    return static_cast<int>(vertex / static_cast<std::uint32_t>(block_));
  }
  // Of a bitmap of one image's vertices, and of all images'.
  [[nodiscard]] std::int64_t block_words() const { return block_ / word_bits; }
  [[nodiscard]] std::int64_t words() const { return block_words() * images_; }

 private:
  std::int64_t vertices_;
  int images_;
  std::int64_t block_;
};

}  // namespace makespan::graph500

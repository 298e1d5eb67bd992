// SPDX-License-Identifier: Apache-2.0
// Goal: each vertex has one owner. Method: all vertices of small cuts.
#include "makespan/apps/graph500/detail/vertex_blocks.hpp"

#include <gtest/gtest.h>

namespace makespan::graph500 {
namespace {

TEST(VertexBlocksTest, give_each_vertex_to_one_image) {
  for (std::int64_t const vertices : {1, 63, 64, 65, 1000, 4096}) {
    for (int const images : {1, 2, 3, 7}) {
      VertexBlocks const blocks(vertices, images);
      EXPECT_EQ(blocks.block() % word_bits, 0);
      EXPECT_EQ(blocks.words() * word_bits, blocks.block() * images);
      std::int64_t owned = 0;
      for (int image = 0; image < images; ++image) {
        for (std::int64_t own = 0; own < blocks.count(image); ++own, ++owned) {
          EXPECT_EQ(blocks.first(image) + own, owned);
          EXPECT_EQ(blocks.owner(static_cast<Vertex>(owned)), image);
        }
      }
      EXPECT_EQ(owned, vertices) << images;
    }
  }
}

}  // namespace
}  // namespace makespan::graph500

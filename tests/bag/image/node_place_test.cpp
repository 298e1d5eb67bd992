// SPDX-License-Identifier: Apache-2.0
// Goal: an image knows its place on its node from its launcher. Method: the environment as
// launchers set it.
#include "makespan/bag/image/node_place.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace makespan::bag {
namespace {

TEST(NodePlace, is_the_only_one_without_a_launcher) {
  EXPECT_EQ(node_place().size, 1);
  EXPECT_EQ(images_launched(), 1);
}

TEST(NodePlace, is_what_the_launcher_says) {
  ::setenv("PMI_RANK", "5", 1);
  ::setenv("PMI_SIZE", "8", 1);
  EXPECT_EQ(node_place().size, 1) << "it says nothing of the node";
  ::setenv("MPI_LOCALRANKID", "1", 1);
  ::setenv("MPI_LOCALNRANKS", "4", 1);

  EXPECT_EQ(node_place().rank, 1);
  EXPECT_EQ(node_place().size, 4);
  EXPECT_EQ(images_launched(), 8);
  for (char const* const name : {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"}) {
    ::unsetenv(name);
  }
}

}  // namespace
}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// Goal: places are numbered image by image. Method: two threads on each of three images. What a
// post does: message_router_test.cpp.
#include "makespan/graph/object/detail/place_messenger.hpp"

#include <gtest/gtest.h>

namespace makespan::graph {
namespace {

TEST(PlaceNumbers, go_image_by_image) {
  PlaceNumbers const numbers{.place = 3, .threads = 2, .images = 3};

  EXPECT_EQ(numbers.places(), 6);
  EXPECT_EQ(numbers.image(), 1);
  EXPECT_EQ(numbers.image_of(5), 2);
  EXPECT_TRUE(numbers.is_near(2));
  EXPECT_FALSE(numbers.is_near(4));
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: all images know the size that one gives, and refuse by name what none has. Method: each
// image is the one that gives.
#include "makespan/pgas/announced_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "makespan/base/image_errors.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using AnnouncedBytesTest = SharedRuntimeTest;

TEST_F(AnnouncedBytesTest, are_those_of_the_image_that_gives) {
  for (int root = 0; root < team().size(); ++root) {
    for (std::int64_t const bytes : {0, 1, 1000}) {
      std::int64_t const mine = team().rank() == root ? bytes : -7;
      EXPECT_EQ(announced_bytes_all(team(), {.what = "a text", .bytes_max = 1000}, mine, root),
                bytes);
    }
  }
}

TEST_F(AnnouncedBytesTest, that_cannot_be_are_refused_everywhere) {
  for (int root = 0; root < team().size(); ++root) {
    for (std::int64_t const bytes :
         {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(), std::int64_t{1001},
          std::numeric_limits<std::int64_t>::max()}) {
      std::int64_t const mine = team().rank() == root ? bytes : 0;
      EXPECT_THAT(
          [&] {
            static_cast<void>(
                announced_bytes_all(team(), {.what = "a text", .bytes_max = 1000}, mine, root));
          },
          ThrowsMessage<BadMessage>(HasSubstr("from image " + std::to_string(root) +
                                              " that cannot be (a text of " +
                                              std::to_string(bytes) + " bytes)")));
    }
  }
}

}  // namespace
}  // namespace makespan::pgas

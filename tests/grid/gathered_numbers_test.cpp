// SPDX-License-Identifier: Apache-2.0
// Goal: numbers of another image that no grid has are refused, and name it. Method: one number made
// wrong at a time, also to what is none.
#include "makespan/grid/detail/gathered_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "makespan/base/image_errors.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Box const places{{-1, 2, 3}, {4, 5, 60}};

TEST(GatheredNumbers, let_pass_a_bad_value_of_the_grid_or_none) {
  EXPECT_NO_THROW(expect_found(ImageId{1}, FoundValue{found_none}, 2, places));
  EXPECT_NO_THROW(expect_found(ImageId{1}, FoundValue{0, 3, 2, -1, std::nan("")}, 2, places));
  EXPECT_NO_THROW(expect_found(ImageId{1}, FoundValue{1, 59, 4, 3, found_none}, 2, places));
}

TEST(GatheredNumbers, name_an_image_whose_bad_value_is_nowhere) {
  FoundValue const right{1, 59, 4, 3, found_none};
  std::vector<std::vector<double>> const wrong{
      {-1e300, -1, 2, 0.5, 1e300}, {2, 60, -found_none}, {1, 5, 4.5}, {-2, 4, 1e19}};
  for (std::size_t at = 0; at < wrong.size(); ++at) {
    for (double const value : wrong[at]) {
      FoundValue found = right;
      found[at] = value;
      EXPECT_THAT([&] { expect_found(ImageId{7}, found, 2, places); },
                  ThrowsMessage<BadMessage>(HasSubstr("image 7")))
          << at << ' ' << value;
      found[at] = std::nan("");
      EXPECT_THROW(expect_found(ImageId{7}, found, 2, places), BadMessage);
    }
  }
}

TEST(GatheredNumbers, name_an_image_whose_device_cannot_have_done_that) {
  Measured const right{.planes = 60, .busy = 2, .steps = 5, .besides = 1};
  EXPECT_NO_THROW(expect_measured(ImageId{3}, right, 12));
  EXPECT_NO_THROW(expect_measured(ImageId{3}, {}, 12));
  for (double const value : {-1.0, std::nan(""), found_none, 1e300}) {
    for (auto const member : {&Measured::planes, &Measured::busy, &Measured::besides}) {
      Measured measured = right;
      measured.*member = value;
      EXPECT_THAT([&] { expect_measured(ImageId{3}, measured, 12); },
                  ThrowsMessage<BadMessage>(HasSubstr("image 3")))
          << value;
    }
  }
  Measured more = right;
  more.steps = 4;  // with as many planes
  EXPECT_THROW(expect_measured(ImageId{3}, more, 12), BadMessage);
  more.steps = -5;
  EXPECT_THROW(expect_measured(ImageId{3}, more, 12), BadMessage);
}

}  // namespace
}  // namespace makespan::grid

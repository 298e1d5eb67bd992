// SPDX-License-Identifier: Apache-2.0
// Goal: what images say of themselves becomes a roster, or is refused before anything is numbered
// by it. Method: good counts with one made wrong.
#include "makespan/bag/image/detail/gathered_roster.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "makespan/base/image_errors.hpp"

namespace makespan::bag {
namespace {

TEST(GatheredRoster, numbers_what_images_have) {
  std::vector<ImageCounts> const counts{{1, 1, 4}, {3, 2, 3}};
  ImageRoster roster = roster_of(counts);
  std::vector<std::int32_t> const rows{1, 0, 0, 2, 0, 3};

  add_modes(roster, rows);

  EXPECT_EQ(roster.first_worker, (std::vector{0, 1, 4}));
  EXPECT_EQ(roster.first_device, (std::vector{0, 1, 3}));
  EXPECT_EQ(roster.first_thread, (std::vector{0, 4, 7}));
  EXPECT_EQ(roster.modes, (std::vector{Mode::mt, Mode::mo, Mode::automatic, Mode::mth}));
}

TEST(GatheredRoster, refuses_counts_that_no_image_has) {
  for (std::int32_t const wrong : {-5, 0, 4097, std::numeric_limits<std::int32_t>::max()}) {
    for (std::size_t which = 0; which < 3; ++which) {
      std::vector<ImageCounts> counts(3, {1, 1, 1});
      counts[1][which] = wrong;
      EXPECT_THROW(static_cast<void>(roster_of(counts)), BadMessage) << wrong << ' ' << which;
    }
  }
}

TEST(GatheredRoster, refuses_modes_that_there_are_not) {
  for (std::int32_t const mode : {-1, 4, 99}) {
    ImageRoster roster = roster_of(std::vector<ImageCounts>{{1, 1, 1}, {1, 1, 1}});
    EXPECT_THROW(add_modes(roster, std::vector<std::int32_t>{0, mode}), BadMessage) << mode;
  }
}

}  // namespace
}  // namespace makespan::bag

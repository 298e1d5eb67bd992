// SPDX-License-Identifier: Apache-2.0
// Goal: sets of cores are as long as a kernel needs them, above 1024 cores too. Method: kernels
// that refuse sets that are too short, by hand.
#include "makespan/machine/detail/core_mask.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace makespan::machine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CoreMask, is_as_long_as_the_kernel_needs_it) {
  for (std::size_t const needed : {1U, 1024U, 2048U, 8192U}) {
    CoreMask const mask = mask_from([&](std::span<unsigned long> words) {
      if (words.size_bytes() * 8 < needed) return false;
      words.front() = 0b1001;
      words[(needed - 1) / 64] |= 1UL << (needed - 1) % 64;
      return true;
    });

    EXPECT_GE(mask.size() * 64, needed);
    auto const cores = cores_in(mask);
    if (needed == 1) {
      EXPECT_THAT(cores, ElementsAre(0, 3));
    } else {
      EXPECT_THAT(cores, ElementsAre(0, 3, static_cast<int>(needed) - 1));
    }
  }
}

TEST(CoreMask, is_empty_where_the_kernel_gives_none) {
  EXPECT_THAT(mask_from([](std::span<unsigned long>) { return false; }), IsEmpty());
  EXPECT_THAT(cores_in({}), IsEmpty());
}

TEST(CoreMask, of_one_core_has_it_alone) {
  for (int const core : {0, 63, 64, 1023, 1024, 5000}) {
    EXPECT_THAT(cores_in(mask_with(core)), ElementsAre(core));
  }
  EXPECT_THAT(mask_with(-1), IsEmpty());
  EXPECT_THAT(mask_with(1 << 24), IsEmpty());
}

}  // namespace
}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
// Goal: tables are found by their names. (What they compute: sweep_rows_test.cpp.)
#include "makespan/apps/calcium/kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/apps/calcium/kernels.hpp"
#include "makespan/base/error.hpp"

namespace makespan::calcium {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(CalciumKernels, there_is_always_one_lane_and_it_is_last) {
  EXPECT_EQ(Kernels::available().back(), &Kernels::one_lane_table());
  EXPECT_EQ(&Kernels::named("one_lane"), &Kernels::one_lane_table());
  EXPECT_EQ(&Kernels::named("auto"), Kernels::available().front());
  EXPECT_THAT([] { static_cast<void>(Kernels::named("mmx")); },
              ThrowsMessage<InputError>(HasSubstr("isa 'mmx' is not available")));
}

}  // namespace
}  // namespace makespan::calcium

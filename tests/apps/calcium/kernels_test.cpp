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
  EXPECT_EQ(available_kernels().back(), &one_lane_kernels());
  EXPECT_EQ(&kernels_named("one_lane"), &one_lane_kernels());
  EXPECT_EQ(&kernels_named("auto"), available_kernels().front());
  EXPECT_THAT([] { kernels_named("mmx"); },
              ThrowsMessage<InputError>(HasSubstr("isa 'mmx' is not available")));
}

}  // namespace
}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
// Goal: of all that is printed the unwanted text alone is missing. Method: it stands between
// others.
#include "makespan/base/sifted_output.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace makespan {
namespace {

TEST(SiftedOutput, leaves_one_text_out_wherever_it_stands) {
  testing::internal::CaptureStdout();
  std::printf("before, noise\n");
  {
    SiftedOutput const sifted(", noise");
    std::printf("one, noise\ntwo, nois, noise, noise\n");
  }
  std::printf("after, noise\n");

  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "before, noise\none\ntwo, nois\nafter, noise\n");
}

TEST(SiftedOutput, has_nothing_to_say_of_its_own) {
  testing::internal::CaptureStdout();
  {
    SiftedOutput const outer("noise");
    SiftedOutput const inner("other");
    std::printf("noise and other");
  }

  EXPECT_EQ(testing::internal::GetCapturedStdout(), " and ");
}

}  // namespace
}  // namespace makespan

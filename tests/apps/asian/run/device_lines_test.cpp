// SPDX-License-Identifier: Apache-2.0
// Goal: what images tell of their devices comes as it went, and text that is damaged is refused
// with the image's name.
#include "makespan/apps/asian/run/detail/device_lines.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

TEST(DeviceLines, come_as_they_went) {
  std::vector<PricingDevice> const sent{
      {.name = "cores 0-3",
       .isa = "avx2",
       .mode = "",
       .image = 2,
       .threads = 4,
       .remembered = true},
      {.name = "cuda:1", .isa = "sm_90", .mode = "shared", .image = 2, .threads = 1, .gpu = 1}};

  std::vector<PricingDevice> const come = devices_from_lines(device_lines(sent), 2);

  ASSERT_EQ(come.size(), 2U);
  EXPECT_EQ(come[0].name, "cores 0-3");
  EXPECT_EQ(come[0].image, 2);
  EXPECT_EQ(come[0].threads, 4);
  EXPECT_TRUE(come[0].remembered);
  EXPECT_EQ(come[1].mode, "shared");
  EXPECT_EQ(come[1].gpu, 1);
}

TEST(DeviceLines, that_are_damaged_are_refused) {
  for (std::string const text :
       {"a\tavx2\tauto\tmany\t1\t-1\n", "a\tavx2\tauto\t\t1\t-1\n",
        "a\tavx2\tauto\t99999999999\t1\t-1", "a\tavx2\tauto\t0\t1\t-1\n",
        "a\tavx2\tauto\t4\t7\t-1\n", "a\tavx2\tauto\t4\t1\t-2\n", "a\tavx2\tauto\t4\t1\t-1 9\n",
        "a\tavx2\tauto\t4\t1\n", "a\n", "\n"}) {
    SCOPED_TRACE(text);
    try {
      static_cast<void>(devices_from_lines(text, 3));
      FAIL() << "was taken";
    } catch (InputError const& error) {
      std::string const said = error.what();
      EXPECT_NE(said.find("devices of image 3"), std::string::npos) << said;
      EXPECT_NE(said.find("start the same executable on all images"), std::string::npos) << said;
    }
  }
}

}  // namespace
}  // namespace makespan::asian

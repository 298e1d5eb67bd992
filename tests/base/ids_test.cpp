// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/ids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

// What must not compile is in must_not_compile/ids.cpp.
namespace makespan {
namespace {

TEST(Id, gives_back_its_value) {
  constexpr std::int64_t large = std::int64_t{1} << 40;

  EXPECT_EQ(TaskId{large}.value(), large);
}

TEST(Id, names_nothing_until_told) {
  EXPECT_EQ(DeviceId{}.value(), -1);
  EXPECT_NE(DeviceId{}, DeviceId{0});
}

TEST(Id, has_the_order_of_its_value) {
  std::vector<TaskId> ids{TaskId{2}, TaskId{0}, TaskId{1}};

  std::ranges::sort(ids);

  EXPECT_EQ(ids, (std::vector<TaskId>{TaskId{0}, TaskId{1}, TaskId{2}}));
}

TEST(Id, is_a_key_of_hashed_containers) {
  std::unordered_set<ImageId> const seen{ImageId{1}, ImageId{2}, ImageId{1}};

  EXPECT_EQ(seen.size(), 2U);
  EXPECT_TRUE(seen.contains(ImageId{2}));
  EXPECT_FALSE(seen.contains(ImageId{3}));
}

}  // namespace
}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/exchanged_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace makespan::pgas {
namespace {

TEST(ExchangedValue, Value_comes_back) {
  std::int64_t const value = -5;

  EXPECT_EQ(
      exchanged_value<std::int64_t>(std::as_bytes(std::span(&value, 1)), ImageId{0}, "a number"),
      value);
}

TEST(ExchangedValue, Value_of_another_size_names_its_image) {
  for (std::size_t const bytes : {0U, 3U, 5U, 8U}) {
    std::vector<std::byte> const told(bytes);

    EXPECT_THAT([&] { static_cast<void>(exchanged_value<int>(told, ImageId{2}, "a number")); },
                testing::ThrowsMessage<BadMessage>(
                    testing::HasSubstr("from image 2 that cannot be (a number of " +
                                       std::to_string(bytes) + " bytes, which has 4)")));
  }
}

}  // namespace
}  // namespace makespan::pgas

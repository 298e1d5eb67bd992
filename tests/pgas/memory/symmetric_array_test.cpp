// SPDX-License-Identifier: Apache-2.0
// Goal: the handle names the same element on every image, and none outside. Method: values.
#include "makespan/pgas/memory/symmetric_array.hpp"

#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

TEST(SymmetricArray, is_at_the_same_place_on_every_image) {
  constexpr SymmetricArray<double> array(128, 10);

  static_assert(array.count() == 10);
  static_assert(array.bytes() == 80);
  static_assert(array.at(ImageId{3}) == GlobalPtr<double>(ImageId{3}, 128));
  EXPECT_EQ(array.at(ImageId{5}, 9), (GlobalPtr<double>(ImageId{5}, 200)));
}

TEST(SymmetricArray, is_empty_at_first) {
  EXPECT_EQ(SymmetricArray<int>().count(), 0);
  EXPECT_EQ(SymmetricArray<int>(), (SymmetricArray<int>(0, 0)));
}

TEST(SymmetricArray, ends_behind_its_last_element) {
  SymmetricArray<int> const array(64, 4);

  EXPECT_EQ(array.at(ImageId{0}, 4) - array.at(ImageId{0}), 4);
  EXPECT_THROW(static_cast<void>(array.at(ImageId{0}, 5)), ContractViolated);
  EXPECT_THROW(static_cast<void>(array.at(ImageId{0}, -1)), ContractViolated);
  EXPECT_THROW(static_cast<void>(array.at(ImageId{})), ContractViolated);
}

TEST(SymmetricArray, refuses_invalid_places) {
  EXPECT_THROW(SymmetricArray<double>(4, 1), ContractViolated);
  EXPECT_THROW(SymmetricArray<double>(8, -1), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas

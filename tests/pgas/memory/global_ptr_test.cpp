// SPDX-License-Identifier: Apache-2.0
// Goal: arithmetic counts elements, order and null are as for pointers, and types that mean nothing
// elsewhere are kept out. Method: values, most of them at compile time.
#include "makespan/pgas/memory/global_ptr.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/memory/wire_type.hpp"

namespace makespan::pgas {
namespace {

constexpr ImageId image2{2};

struct Particle {
  double x, y, z;
};

TEST(GlobalPtr, is_null_until_it_is_given_a_place) {
  constexpr GlobalPtr<int> null;
  constexpr GlobalPtr<int> first(ImageId{0}, 0);

  static_assert(null.is_null());
  static_assert(!null);
  static_assert(null.image() == ImageId{});
  static_assert(first);
  static_assert(null != first);
  static_assert(null < first);
  static_assert(null.as_bytes().is_null());
  EXPECT_THROW(static_cast<void>(GlobalPtr<int>() + 1), ContractViolated);
}

TEST(GlobalPtr, counts_elements) {
  constexpr GlobalPtr<double> begin(image2, 64);

  static_assert((begin + 3).offset() == 64 + 24);
  static_assert((3 + begin).offset() == 64 + 24);
  static_assert((begin + 3).image() == image2);
  static_assert((begin - 8).offset() == 0);
  static_assert((begin + -8).offset() == 0);
  static_assert((begin + 5) - (begin + 2) == 3);
  static_assert((begin + 2) - (begin + 5) == -3);
  EXPECT_EQ((begin + 1).offset(), 72U);
}

TEST(GlobalPtr, steps_as_a_pointer_does) {
  GlobalPtr<Particle> pointer(image2, 0);

  EXPECT_EQ((pointer++).offset(), 0U);
  EXPECT_EQ((++pointer).offset(), 48U);
  EXPECT_EQ((pointer--).offset(), 48U);
  EXPECT_EQ((--pointer).offset(), 0U);
  pointer += 5;
  pointer -= 2;
  EXPECT_EQ(pointer.offset(), 72U);
}

TEST(GlobalPtr, is_ordered_by_image_and_place) {
  GlobalPtr<int> const here(image2, 40);

  EXPECT_LT(here, here + 1);
  EXPECT_LT(here, (GlobalPtr<int>(ImageId{3}, 0)));
  EXPECT_EQ(here + 1, (GlobalPtr<int>(image2, 44)));
}

TEST(GlobalPtr, is_seen_as_another_type_where_that_is_aligned) {
  GlobalPtr<double> const pointer(image2, 8);

  EXPECT_EQ(pointer.as_bytes() + 4, (GlobalPtr<std::byte>(image2, 12)));
  EXPECT_EQ((pointer.as_bytes() + 4).reinterpret<int>(), (GlobalPtr<int>(image2, 12)));
  EXPECT_THROW(static_cast<void>((pointer.as_bytes() + 4).reinterpret<double>()), ContractViolated);
}

TEST(GlobalPtr, refuses_invalid_places) {
  EXPECT_THROW(GlobalPtr<int>(ImageId{}, 0), ContractViolated);
  EXPECT_THROW(GlobalPtr<int>(ImageId{0}, 2), ContractViolated);
  EXPECT_THROW(static_cast<void>(GlobalPtr<int>(ImageId{0}, 0) - GlobalPtr<int>(ImageId{1}, 0)),
               ContractViolated);
  EXPECT_THROW(static_cast<void>(GlobalPtr<Particle>(image2, 24) - GlobalPtr<Particle>(image2, 8)),
               ContractViolated);
}

template <class T>
constexpr bool has_global_ptr = requires { typename GlobalPtr<T>; };

TEST(WireType, is_what_is_still_itself_elsewhere) {
  static_assert(WireType<int>);
  static_assert(WireType<Particle>);
  static_assert(WireType<GlobalPtr<int>>);
  static_assert(WireType<std::byte>);
  static_assert(!WireType<int*>);
  static_assert(!WireType<int&>);
  static_assert(!WireType<int Particle::*>);
  static_assert(!WireType<std::nullptr_t>);
  static_assert(!WireType<std::string>);
  static_assert(!WireType<int const>);
  static_assert(!WireType<int[3]>);
  static_assert(!WireType<void>);
  EXPECT_TRUE(has_global_ptr<double>);
  EXPECT_FALSE(has_global_ptr<char*>);
}

TEST(AtomicWord, is_an_integer_of_4_or_8_bytes) {
  static_assert(AtomicWord<std::int32_t>);
  static_assert(AtomicWord<std::uint32_t>);
  static_assert(AtomicWord<std::int64_t>);
  static_assert(AtomicWord<std::uint64_t>);
  EXPECT_FALSE(AtomicWord<std::int16_t>);
  EXPECT_FALSE(AtomicWord<bool>);
  EXPECT_FALSE(AtomicWord<double>);
  EXPECT_FALSE(AtomicWord<int*>);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a handle is given back exactly once on every way, and never by one that was moved from.
// Method: handles that count.
#include "makespan/pgas/job/unique_handle.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace makespan::pgas {
namespace {

std::vector<int> released;

struct NumberTraits {
  using Handle = int;
  static int null() { return 0; }
  static bool is_null(int handle) { return handle == 0; }
  static void release(int handle) noexcept { released.push_back(handle); }
};
using Number = UniqueHandle<NumberTraits>;

class UniqueHandleTest : public testing::Test {
 protected:
  void SetUp() override { released.clear(); }
};

static_assert(!std::is_copy_constructible_v<Number>);
static_assert(!std::is_copy_assignable_v<Number>);
static_assert(std::is_nothrow_move_constructible_v<Number>);
static_assert(std::is_nothrow_move_assignable_v<Number>);

TEST_F(UniqueHandleTest, Handle_is_given_back_at_the_end) {
  {
    Number const handle(3);
    EXPECT_EQ(handle.get(), 3);
    EXPECT_TRUE(handle);
  }

  EXPECT_EQ(released, std::vector{3});
}

TEST_F(UniqueHandleTest, Handle_that_is_null_is_not_given_back) {
  {
    Number const handle;
    EXPECT_FALSE(handle);
  }

  EXPECT_TRUE(released.empty());
}

TEST_F(UniqueHandleTest, Handle_moves_and_is_given_back_once) {
  {
    Number first(3);
    Number const second(std::move(first));
    EXPECT_EQ(second.get(), 3);
  }

  EXPECT_EQ(released, std::vector{3});
}

TEST_F(UniqueHandleTest, Handle_moved_onto_gives_back_what_it_held) {
  Number first(3);
  Number second(4);

  second = std::move(first);

  EXPECT_EQ(released, std::vector{4});
  EXPECT_EQ(second.get(), 3);
}

TEST_F(UniqueHandleTest, Handle_survives_being_moved_onto_itself) {
  Number handle(3);
  Number& same = handle;

  handle = std::move(same);

  EXPECT_EQ(handle.get(), 3);
  EXPECT_TRUE(released.empty());
}

TEST_F(UniqueHandleTest, Handle_released_belongs_to_the_caller) {
  {
    Number handle(3);
    EXPECT_EQ(handle.release(), 3);
    EXPECT_FALSE(handle);
  }

  EXPECT_TRUE(released.empty());
}

TEST_F(UniqueHandleTest, Handle_reset_gives_back_and_takes) {
  Number handle(3);

  handle.reset(5);
  EXPECT_EQ(released, std::vector{3});
  handle.reset();
  EXPECT_EQ(released, (std::vector{3, 5}));
  EXPECT_FALSE(handle);
}

TEST_F(UniqueHandleTest, Handle_takes_what_a_function_writes) {
  Number handle;

  *handle.out() = 7;

  EXPECT_EQ(handle.get(), 7);
}

}  // namespace
}  // namespace makespan::pgas

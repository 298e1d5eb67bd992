// SPDX-License-Identifier: Apache-2.0
// Goal: a failure on one image is one on all, and the first that says why is told.
#include "makespan/grid/agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/base/image_errors.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::grid {
namespace {

template <class Exception>
std::exception_ptr made(std::string const& text) {
  return std::make_exception_ptr(Exception(text));
}

std::string text_of(std::exception_ptr const& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (std::exception const& error) {
    return error.what();
  }
}

TEST(FailureOf, is_what_was_thrown) {
  EXPECT_EQ(failure_of([] {}), nullptr);
  EXPECT_EQ(text_of(failure_of([] { throw std::runtime_error("why"); })), "why");
}

TEST(CauseOf, prefers_who_says_why) {
  auto const stopped = made<GridStopped>("stopped");
  auto const broken = made<std::runtime_error>("broken");
  auto const later = made<std::runtime_error>("later");

  EXPECT_EQ(cause_of(std::vector<std::exception_ptr>{}), nullptr);
  EXPECT_EQ(cause_of(std::vector<std::exception_ptr>{nullptr, nullptr}), nullptr);
  EXPECT_EQ(cause_of(std::vector{stopped, broken, later}), broken);
  EXPECT_EQ(cause_of(std::vector{std::exception_ptr{}, stopped, made<GridStopped>("second")}),
            stopped);
}

TEST(OtherFailure, is_told_on_all_images_but_the_one_that_has_it) {
  pgas::Runtime runtime;
  int const me = static_cast<int>(runtime.image().value());
  for (int image = 0; image < runtime.images(); ++image) {
    std::string const text = "of image " + std::to_string(image);
    if (me == image) {
      EXPECT_THAT(
          [&] {
            static_cast<void>(other_failure_all(runtime.team(), made<std::runtime_error>(text)));
          },
          testing::Throws<std::runtime_error>());
    } else {
      auto const other = other_failure_all(runtime.team(), nullptr);
      ASSERT_TRUE(other.has_value());
      EXPECT_EQ(other->image, image);
      EXPECT_EQ(other->text, text);
    }
    EXPECT_FALSE(other_failure_all(runtime.team(), nullptr).has_value());
  }
  runtime.finish_all();
}

// Goal: no memory is taken for a length that no text has. Method: an image that broadcasts one by
// itself.
TEST(OtherFailure, is_refused_where_none_is_so_long) {
  pgas::Runtime runtime;
  pgas::Team& team = runtime.team();
  for (std::ptrdiff_t const bytes : {std::ptrdiff_t{-1}, std::ptrdiff_t{1} << 60}) {
    if (team.size() == 1) break;
    if (team.rank() == 0) {
      // The first number says that it has a cause.
      int const cause = team.size();
      static_cast<void>(team.all_reduce_all(pgas::ReduceOp::min, cause));
      static_cast<void>(team.broadcast_all(bytes, 0));
    } else {
      EXPECT_THAT([&] { static_cast<void>(other_failure_all(team, nullptr)); },
                  testing::ThrowsMessage<BadMessage>(testing::HasSubstr(
                      "image 0 that cannot be (a failure of " + std::to_string(bytes))));
    }
  }
  runtime.finish_all();
}

TEST(OtherFailure, that_says_too_much_is_cut) {
  pgas::Runtime runtime;
  bool const is_mine = runtime.image().value() == 0;
  auto const mine =
      is_mine ? made<std::runtime_error>(std::string(3 << 20, 'x')) : std::exception_ptr{};

  if (is_mine) {
    EXPECT_THROW(static_cast<void>(other_failure_all(runtime.team(), mine)), std::runtime_error);
  } else {
    auto const other = other_failure_all(runtime.team(), mine);
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->text.size(), std::size_t{1} << 20);
  }
  runtime.finish_all();
}

TEST(StopAll, throws_on_all_images_where_one_has_failed) {
  pgas::Runtime runtime;
  bool const is_last = runtime.image().value() == runtime.images() - 1;

  EXPECT_NO_THROW(stop_all(runtime.team(), nullptr));
  if (is_last) {
    EXPECT_THAT([&] { stop_all(runtime.team(), made<std::runtime_error>("why")); },
                testing::ThrowsMessage<std::runtime_error>("why"));
  } else {
    EXPECT_THAT([&] { stop_all(runtime.team(), nullptr); },
                testing::ThrowsMessage<GridStopped>(testing::HasSubstr("why")));
  }
  runtime.finish_all();
}

TEST(OtherFailure, comes_from_who_knows_why) {
  pgas::Runtime runtime;
  int const me = static_cast<int>(runtime.image().value());
  int const last = runtime.images() - 1;
  auto const mine = me == last ? made<std::runtime_error>("why") : made<GridStopped>("stopped");

  if (me == last) {
    EXPECT_THROW(static_cast<void>(other_failure_all(runtime.team(), mine)), std::runtime_error);
  } else {
    auto const other = other_failure_all(runtime.team(), mine);
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->image, last);
    EXPECT_EQ(other->text, "why");
  }
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: a failure on one image is one on all, and the first that says why is told.
#include "makespan/grid/agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/grid/halo_exchange.hpp"
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

TEST(HasOtherFailed, on_all_images_but_the_one_that_did) {
  pgas::Runtime runtime;
  int const me = static_cast<int>(runtime.image().value());
  for (int image = 0; image < runtime.images(); ++image) {
    auto const mine = me == image ? made<std::runtime_error>("mine") : nullptr;
    if (me == image) {
      EXPECT_THROW(static_cast<void>(has_other_failed_all(runtime.team(), mine)),
                   std::runtime_error);
    } else {
      EXPECT_TRUE(has_other_failed_all(runtime.team(), mine));
    }
    EXPECT_FALSE(has_other_failed_all(runtime.team(), nullptr));
  }
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::grid

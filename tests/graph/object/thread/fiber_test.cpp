// SPDX-License-Identifier: Apache-2.0
// Goal: fibers go on where they were left, also within the handling of an exception, and end when
// they are told. Method: two that take turns.
#include "makespan/graph/object/thread/fiber.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace makespan::graph {
namespace {

TEST(Fiber, goes_on_where_it_was_left) {
  std::string story;
  Fiber fiber([&] {
    story += "a";
    Fiber::suspend();
    story += "c";
  });

  fiber.resume();
  story += "b";
  fiber.resume();

  EXPECT_EQ(story, "abc");
  EXPECT_TRUE(fiber.has_ended());
}

TEST(Fiber, keeps_its_exception_while_others_handle_theirs) {
  auto const body = [](std::string const& text, std::string& caught) {
    try {
      try {
        throw std::runtime_error(text);
      } catch (std::runtime_error const&) {
        Fiber::suspend();
        throw;
      }
    } catch (std::runtime_error const& error) {
      caught = error.what();
    }
  };
  std::string first;
  std::string second;
  Fiber one([&] { body("one", first); });
  Fiber two([&] { body("two", second); });

  one.resume();
  two.resume();
  one.resume();
  two.resume();

  EXPECT_EQ(first, "one");
  EXPECT_EQ(second, "two");
}

TEST(Fiber, hands_out_what_it_throws) {
  Fiber fiber([] { throw std::logic_error("no"); });

  fiber.resume();

  EXPECT_TRUE(fiber.has_ended());
  EXPECT_THROW(std::rethrow_exception(fiber.error()), std::logic_error);
}

TEST(Fiber, ends_in_the_midst_of_what_it_does) {
  bool has_cleaned_up = false;
  Fiber fiber([&] {
    struct Cleaner {
      bool& has;
      ~Cleaner() { has = true; }
    } const cleaner{has_cleaned_up};
    Fiber::suspend();
    ADD_FAILURE() << "it went on";
  });
  fiber.resume();

  fiber.unwind();

  EXPECT_TRUE(has_cleaned_up);
  EXPECT_FALSE(fiber.error());
}

}  // namespace
}  // namespace makespan::graph

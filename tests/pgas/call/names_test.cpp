// SPDX-License-Identifier: Apache-2.0
// Goal: objects are found by name as long as they are there, stay while a thread uses them, and
// hold up no other's end. Method: names that come and go, two of them while they are used.
#include "makespan/pgas/call/names.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

namespace makespan::pgas {
namespace {

TEST(Names, find_what_is_there) {
  int seven = 7;
  {
    Named<int> const named(1, seven);
    EXPECT_EQ(Names<int>::all().with(named.name(), [](int& object) { return object; }), 7);
    EXPECT_THROW(Names<int>::all().with(2, [](int&) {}), std::out_of_range);
  }
  EXPECT_THROW(Names<int>::all().with(1, [](int&) {}), std::out_of_range);
}

TEST(Names, keep_an_object_while_a_thread_uses_it) {
  double object = 0;
  std::atomic<bool> is_at_it{false};
  std::atomic<bool> has_left{false};
  std::optional<Named<double>> named(std::in_place, 1, object);
  std::jthread const user([&] {
    Names<double>::all().with(1, [&](double&) {
      is_at_it = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      has_left = true;
    });
  });
  while (!is_at_it) std::this_thread::yield();

  named.reset();

  EXPECT_TRUE(has_left);
}

// As Python's collector of garbage does, which runs in a function that is called.
TEST(Names, let_another_object_end_while_one_is_used) {
  float used = 1;
  float old = 2;
  Named<float> const kept(1, used);
  std::optional<Named<float>> ending(std::in_place, 2, old);

  Names<float>::all().with(1, [&](float&) { ending.reset(); });

  EXPECT_THROW(Names<float>::all().with(2, [](float&) {}), std::out_of_range);
  EXPECT_EQ(Names<float>::all().with(1, [](float& object) { return object; }), 1);
}

TEST(Names, forget_an_object_whose_constructor_throws) {
  struct Broken {
    Broken() { throw std::runtime_error("no more"); }
    Named<Broken> named{1, *this};
  };
  EXPECT_THROW(Broken(), std::runtime_error);
  EXPECT_THROW(Names<Broken>::all().with(1, [](Broken&) {}), std::out_of_range);
}

TEST(Names, are_not_given_to_a_thread_once_the_object_goes) {
  long object = 0;
  std::atomic<bool> is_at_it{false};
  std::atomic<bool> may_leave{false};
  std::optional<Named<long>> named(std::in_place, 1, object);
  std::jthread const user([&] {
    Names<long>::all().with(1, [&](long&) {
      is_at_it = true;
      while (!may_leave) std::this_thread::yield();
    });
  });
  while (!is_at_it) std::this_thread::yield();
  std::jthread const ender([&] { named.reset(); });

  bool is_refused = false;
  while (!is_refused) {
    try {
      Names<long>::all().with(1, [](long&) {});
    } catch (std::out_of_range const&) {
      is_refused = true;
    }
  }
  may_leave = true;
}

}  // namespace
}  // namespace makespan::pgas

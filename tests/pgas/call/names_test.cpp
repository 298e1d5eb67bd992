// SPDX-License-Identifier: Apache-2.0
// Goal: objects are found by name as long as they are there, and stay while a thread uses them.
// Method: names that come and go, and one that goes while it is used.
#include "makespan/pgas/call/names.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace makespan::pgas {
namespace {

TEST(Names, find_what_is_there) {
  int seven = 7;
  Names<int>::all().add(1, seven);

  EXPECT_EQ(Names<int>::all().with(1, [](int& object) { return object; }), 7);
  EXPECT_THROW(Names<int>::all().with(2, [](int&) {}), std::out_of_range);

  Names<int>::all().remove(1);
  EXPECT_THROW(Names<int>::all().with(1, [](int&) {}), std::out_of_range);
}

TEST(Names, keep_an_object_while_a_thread_uses_it) {
  double object = 0;
  std::atomic<bool> is_at_it{false};
  std::atomic<bool> has_left{false};
  Names<double>::all().add(1, object);
  std::jthread const user([&] {
    Names<double>::all().with(1, [&](double&) {
      is_at_it = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      has_left = true;
    });
  });
  while (!is_at_it) std::this_thread::yield();

  Names<double>::all().remove(1);

  EXPECT_TRUE(has_left);
}

}  // namespace
}  // namespace makespan::pgas

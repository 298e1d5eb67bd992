// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/leak.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace makespan::pgas {
namespace {

TEST(Leak, Leak_does_not_destroy) {
  struct Counts {
    explicit Counts(int& count) : destroyed{count} {}
    Counts(Counts const&) = delete;
    Counts& operator=(Counts const&) = delete;
    ~Counts() { ++destroyed; }
    int& destroyed;
  };
  int destroyed = 0;
  auto owned = std::make_unique<Counts>(destroyed);
  Counts* const still_there = owned.get();

  leak(std::move(owned));

  EXPECT_EQ(destroyed, 0);
  delete still_there;
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
}  // namespace makespan::pgas

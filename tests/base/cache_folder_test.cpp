// SPDX-License-Identifier: Apache-2.0
// Goal: the cache lies where the XDG Base Directory Specification has it. Method: the variables.
#include "makespan/base/cache_folder.hpp"

#include <gtest/gtest.h>

#include "scoped_variable.hpp"

namespace makespan {
namespace {

TEST(CacheFolder, lies_where_the_user_says) {
  ScopedVariable const home("HOME", "/home/one");
  {
    ScopedVariable const base("XDG_CACHE_HOME", "/some/where");
    EXPECT_EQ(cache_folder(), "/some/where/makespan");
  }
  {
    ScopedVariable const base("XDG_CACHE_HOME", "relative");
    EXPECT_EQ(cache_folder(), "/home/one/.cache/makespan");
  }
  ScopedVariable const base("XDG_CACHE_HOME", "");
  ScopedVariable const none("HOME", "");
  EXPECT_TRUE(cache_folder().empty());
}

}  // namespace
}  // namespace makespan

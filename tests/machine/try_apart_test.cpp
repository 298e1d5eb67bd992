// SPDX-License-Identifier: Apache-2.0
// Goal: what would end this process ends its copy only, and is told.
#include "makespan/machine/detail/try_apart.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace makespan::machine {
namespace {

constexpr std::chrono::seconds limit{10};

TEST(TryApart, tells_what_ends_well) {
  bool was_here = false;
  EXPECT_EQ(try_apart([&] { was_here = true; }, limit, "nothing"), Trial::ended);
  EXPECT_EQ(try_apart([] { throw std::runtime_error("no"); }, limit, "nothing"), Trial::ended);
  EXPECT_FALSE(was_here);  // it was in the copy
}

TEST(TryApart, tells_what_ends_its_process) {
  EXPECT_EQ(try_apart([] { std::abort(); }, limit, "nothing"), Trial::crashed);
  EXPECT_EQ(try_apart([] { static_cast<void>(std::raise(SIGSEGV)); }, limit, "nothing"),
            Trial::crashed);
  EXPECT_EQ(try_apart([] { ::_exit(0); }, limit, "nothing"), Trial::crashed);
}

TEST(TryApart, tells_what_does_not_end) {
  auto const for_ever = [] {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  };

  EXPECT_EQ(try_apart(for_ever, std::chrono::seconds(1), "nothing"), Trial::crashed);
}

// As a process that another thread starts just then.
TEST(TryApart, waits_for_no_process_that_has_its_pipe) {
  auto const begin = std::chrono::steady_clock::now();
  auto const leaves_one_behind = [] {
    if (::fork() > 0) std::abort();
    ::sleep(20);
    ::_exit(0);
  };

  EXPECT_EQ(try_apart(leaves_one_behind, std::chrono::seconds(1), "nothing"), Trial::crashed);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

TEST(TryApart, works_where_children_are_not_waited_for) {
  auto const before = std::signal(SIGCHLD, SIG_IGN);

  EXPECT_EQ(try_apart([] {}, limit, "nothing"), Trial::ended);
  EXPECT_EQ(try_apart([] { std::abort(); }, limit, "nothing"), Trial::crashed);

  static_cast<void>(std::signal(SIGCHLD, before));
}

}  // namespace
}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
// Goal: a program's output and status are those it has, and one that does not end is ended with all
// that it started. Method: the shell.
#include "makespan/grid/compile/detail/child_process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "scratch_folder.hpp"

namespace makespan::grid {
namespace {

class ChildProcess : public testing::Test {
 protected:
  ChildOutcome run(std::string const& text, double limit_s = 30) {
    return run_child({"/bin/sh", "-c", text}, folder_.path() / "output", Seconds{limit_s});
  }
  [[nodiscard]] std::string output() const {
    std::stringstream text;
    text << std::ifstream(folder_.path() / "output").rdbuf();
    return text.str();
  }
  ScratchFolder folder_;
};

TEST_F(ChildProcess, has_its_status_and_both_outputs) {
  ChildOutcome const outcome = run("echo one; echo two >&2; exit 3");
  EXPECT_TRUE(outcome.is_started);
  EXPECT_TRUE(outcome.is_ended);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(output(), "one\ntwo\n");
  EXPECT_EQ(run("exit 0").status, 0);
}

TEST_F(ChildProcess, fails_where_a_signal_ends_it) {
  ChildOutcome const outcome = run("kill -9 $$");
  EXPECT_TRUE(outcome.is_ended);
  EXPECT_NE(outcome.status, 0);
}

TEST_F(ChildProcess, says_what_is_not_started) {
  EXPECT_FALSE(run_child({"/no/such/program"}, folder_.path() / "output", Seconds{1}).is_started);
}

TEST_F(ChildProcess, is_ended_with_what_it_started) {
  auto const begin = std::chrono::steady_clock::now();
  ChildOutcome const outcome = run("(sleep 1; echo late) & sleep 60", 0.1);
  EXPECT_TRUE(outcome.is_started);
  EXPECT_FALSE(outcome.is_ended);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ(output(), "");  // its child was ended, too
}

TEST_F(ChildProcess, is_ended_where_it_is_stopped) {
  auto const begin = std::chrono::steady_clock::now();
  int asked = 0;
  auto const run_until = [&](auto const& is_stopped) {
    return run_child({"/bin/sh", "-c", "(sleep 1; echo late) & sleep 60"},
                     folder_.path() / "output", Seconds{60}, is_stopped);
  };
  ChildOutcome const outcome = run_until([&] { return ++asked == 20; });
  EXPECT_FALSE(outcome.is_ended);
  EXPECT_TRUE(outcome.is_stopped);
  EXPECT_EQ(asked, 20);
  EXPECT_THROW(static_cast<void>(run_until([]() -> bool { throw std::runtime_error("odd"); })),
               std::runtime_error);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ(output(), "");
}

}  // namespace
}  // namespace makespan::grid

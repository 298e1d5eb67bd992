// SPDX-License-Identifier: Apache-2.0
// Goal: outputs go where links of the user point, and never take the place of what the program has
// open. Method: links of other users are made by root alone: that test needs it. Standard streams
// are those of another process.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>

#include "output_file_fixture.hpp"

namespace makespan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::Optional;

using OutputTargetTest = OutputFileTest;

// --- links

TEST_F(OutputTargetTest, goes_where_links_of_the_user_point) {
  fs::create_directories(folder_ / "scratch");
  fs::create_symlink("two", folder_ / "one");
  fs::create_symlink("scratch/real", folder_ / "two");

  EXPECT_EQ(check_output(folder_ / "one"), std::nullopt);
  EXPECT_EQ(write_output(folder_ / "one", {"new"}), std::nullopt);

  EXPECT_EQ(content(folder_ / "scratch" / "real"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "one"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "two"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "scratch"), {}), 1);
}

TEST_F(OutputTargetTest, does_not_go_where_another_user_points) {
  put_old("precious", 0644);
  fs::create_symlink("theirs", folder_ / "mine");
  fs::create_symlink("precious", folder_ / "theirs");
  if (!give_away(folder_ / "theirs", not_me)) GTEST_SKIP() << "only root makes their links";

  for (std::string const name : {"mine", "theirs"}) {
    for (auto const& refusal :
         {check_output(folder_ / name), write_output(folder_ / name, {"new"})}) {
      EXPECT_THAT(refusal, Optional(testing::HasSubstr("a link that another user made")));
    }
  }

  EXPECT_EQ(content(folder_ / "precious"), "old");
  EXPECT_THAT(names(), ElementsAre("mine", "precious", "theirs"));
}

TEST_F(OutputTargetTest, is_refused_where_links_go_round) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");

  EXPECT_THAT(write_output(folder_ / "a", {"new"}),
              Optional(std::string("links to links that do not end")));
}

// --- what the program has open

// Runs `act` with descriptor `stream` on `file`.
bool with_stream(int stream, fs::path const& file, std::function<bool()> const& act) {
  return in_another_process([&] {
    int const opened = ::open(file.c_str(), O_RDWR | O_APPEND);
    return opened >= 0 && ::dup2(opened, stream) == stream && act();
  });
}

TEST_F(OutputTargetTest, is_not_the_file_of_a_standard_stream) {
  fs::path const log = put_old("log", 0644);
  fs::create_symlink("log", folder_ / "link");
  for (int stream = 0; stream < 3; ++stream) {
    EXPECT_TRUE(with_stream(stream, log, [&] {
      return std::ranges::all_of(both_ways, [&](auto const& refuse) {
        OutputRefusal const refusal = refuse(folder_ / "link");
        return refusal && refusal->starts_with("it is the program's standard ");
      });
    })) << stream;
  }

  EXPECT_EQ(content(log), "old");
  EXPECT_EQ(check_output(log), std::nullopt);
}

TEST_F(OutputTargetTest, does_not_go_where_links_of_procfs_point) {
  fs::path const log = put_old("log", 0644);
  fs::create_symlink("/proc/self/fd/1", folder_ / "stdout");
  EXPECT_TRUE(with_stream(1, log, [&] {
    return std::ranges::all_of(both_ways, [&](auto const& refuse) {
      return refuse(folder_ / "stdout") ==
             "it is a link to what a program has open, which it would replace";
    });
  }));

  EXPECT_EQ(content(log), "old");
  EXPECT_THAT(names(), ElementsAre("log", "stdout"));
}

}  // namespace
}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
// Goal: outputs go where the user meant, whole or not at all, and let in no more users than before.
// Method: what tests/python/test_output_target.py asks of Python. Links and files of other users
// are made by root alone: those tests need it.
#include "makespan/base/output_file.hpp"

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "files_up_to.hpp"
#include "recorded_syncs.hpp"

namespace makespan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::MatchesRegex;
using testing::Optional;

constexpr uid_t not_me = 4711;

// Whether `here` succeeds in this process and `there` in another at the same time.
bool in_two_processes(std::function<bool()> const& here, std::function<bool()> const& there) {
  pid_t const child = ::fork();
  if (child == 0) ::_exit(there() ? 0 : 1);
  bool const is_here = here();
  int status = -1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0 && is_here;
}

bool in_another_process(std::function<bool()> const& there) {
  return in_two_processes([] { return true; }, there);
}

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest()
      : folder_(fs::canonical(fs::temp_directory_path()) /
                ("makespan_output_" + std::to_string(::getpid()))),
        umask_(::umask(0022)) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    recorded_syncs().clear();
  }
  ~OutputFileTest() override {
    fail_syncs_with(0);
    call_at_syncs(nullptr);
    fs::remove_all(folder_);
    ::umask(umask_);
  }

  static std::string content(fs::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static mode_t mode_of(fs::path const& path) {
    struct stat found{};
    ::lstat(path.c_str(), &found);
    return found.st_mode & 07777U;
  }
  fs::path put_old(std::string const& name, mode_t mode) const {
    fs::path path = folder_ / name;
    std::ofstream(path) << "old";
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (auto const& entry : fs::directory_iterator(folder_))
      found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }

  fs::path folder_;
  mode_t umask_;
};

TEST_F(OutputFileTest, is_whole_and_on_disk_under_its_name) {
  EXPECT_EQ(check_output(folder_ / "out"), std::nullopt);
  EXPECT_THAT(names(), ElementsAre());
  EXPECT_EQ(write_output(folder_ / "out", {"one ", "", "other"}), std::nullopt);

  EXPECT_EQ(content(folder_ / "out"), "one other");
  EXPECT_THAT(names(), ElementsAre("out"));
  EXPECT_EQ(mode_of(folder_ / "out"), 0644U);
  // The file before it has its name, then the name.
  EXPECT_THAT(recorded_syncs(),
              ElementsAre(MatchesRegex(".*/\\.out\\.[0-9a-f]+\\.tmp"), folder_.string()));
}

TEST_F(OutputFileTest, may_be_named_without_a_folder) {
  fs::path const before = fs::current_path();
  fs::current_path(folder_);
  OutputRefusal const checked = check_output("out");
  OutputRefusal const written = write_output("out", {"new"});
  fs::current_path(before);

  EXPECT_EQ(checked, std::nullopt);
  EXPECT_EQ(written, std::nullopt);
  EXPECT_EQ(content(folder_ / "out"), "new");
}

TEST_F(OutputFileTest, that_the_disk_refuses_leaves_the_older_one) {
  put_old("out", 0644);
  std::string const much(100'000, 'x');
  OutputRefusal refusal;
  {
    FilesUpTo const limit(50'000);
    refusal = write_output(folder_ / "out", {much});
  }
  EXPECT_THAT(refusal, Optional(std::string("File too large")));
  fail_syncs_with(EIO);
  EXPECT_THAT(write_output(folder_ / "out", {much}), Optional(std::string("Input/output error")));

  EXPECT_EQ(content(folder_ / "out"), "old");
  EXPECT_THAT(names(), ElementsAre("out"));
}

TEST_F(OutputFileTest, is_refused_where_it_cannot_be) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (auto const& refuse : {+[](fs::path const& path) { return check_output(path); },
                             +[](fs::path const& path) { return write_output(path, {"new"}); }}) {
    EXPECT_NE(refuse(folder_ / "no" / "out"), std::nullopt);
    EXPECT_THAT(refuse(folder_), Optional(std::string("it is a folder")));
    EXPECT_THAT(refuse("/dev/null"), Optional(std::string("it is not a regular file")));
    EXPECT_THAT(refuse(folder_ / "pipe"), Optional(std::string("it is not a regular file")));
  }
  EXPECT_THAT(check_output(folder_ / "no" / "out"),
              Optional(std::string("no file can be made in its folder")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(names(), ElementsAre("pipe"));
}

// --- links

TEST_F(OutputFileTest, goes_where_links_of_the_user_point) {
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

TEST_F(OutputFileTest, does_not_go_where_another_user_points) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes another user's links";
  put_old("precious", 0644);
  fs::create_symlink("theirs", folder_ / "mine");
  fs::create_symlink("precious", folder_ / "theirs");
  ASSERT_EQ(::lchown((folder_ / "theirs").c_str(), not_me, not_me), 0);

  for (std::string const name : {"mine", "theirs"}) {
    for (auto const& refusal :
         {check_output(folder_ / name), write_output(folder_ / name, {"new"})}) {
      EXPECT_THAT(refusal, Optional(testing::HasSubstr("a link that another user made")));
    }
  }

  EXPECT_EQ(content(folder_ / "precious"), "old");
  EXPECT_THAT(names(), ElementsAre("mine", "precious", "theirs"));
}

TEST_F(OutputFileTest, is_refused_where_links_go_round) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");

  EXPECT_THAT(write_output(folder_ / "a", {"new"}),
              Optional(std::string("links to links that do not end")));
}

// --- permissions

TEST_F(OutputFileTest, keeps_the_permissions_of_what_it_replaces) {
  for (mode_t const mode : {0600U, 0640U, 0666U, 0444U}) {
    fs::path const path = put_old("out", mode);

    EXPECT_EQ(write_output(path, {"new"}), std::nullopt);

    EXPECT_EQ(content(path), "new");
    EXPECT_EQ(mode_of(path), mode | 0600U);
    fs::remove(path);
  }
}

TEST_F(OutputFileTest, has_those_of_the_umask_where_it_is_new) {
  ::umask(0027);

  EXPECT_EQ(write_output(folder_ / "out", {"new"}), std::nullopt);

  EXPECT_EQ(mode_of(folder_ / "out"), 0640U);
}

TEST_F(OutputFileTest, of_another_user_opens_ours_to_no_more) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes another user's files";
  fs::path const path = put_old("out", 0644);
  ASSERT_EQ(::chown(path.c_str(), not_me, ::getegid()), 0);
  ASSERT_EQ(::chmod(path.c_str(), 04666), 0);

  EXPECT_EQ(write_output(path, {"new"}), std::nullopt);

  EXPECT_EQ(mode_of(path), 0644U);
  struct stat found{};
  ASSERT_EQ(::lstat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, ::geteuid());
}

TEST_F(OutputFileTest, keeps_its_group) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives a file to any group";
  fs::path const path = put_old("out", 0644);
  ASSERT_EQ(::chown(path.c_str(), static_cast<uid_t>(-1), not_me), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0660), 0);

  EXPECT_EQ(write_output(path, {"new"}), std::nullopt);

  struct stat found{};
  ASSERT_EQ(::lstat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_gid, not_me);
  EXPECT_EQ(mode_of(path), 0660U);
}

TEST_F(OutputFileTest, whose_group_cannot_be_kept_lets_its_own_do_no_more_than_all) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root becomes another user";
  fs::permissions(folder_, fs::perms::all);
  fs::path const path = put_old("out", 0664);
  ASSERT_EQ(::chown(path.c_str(), not_me, not_me), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0664), 0);

  EXPECT_TRUE(in_another_process([&] {
    bool const is_other =
        ::setgroups(0, nullptr) == 0 && ::setegid(not_me + 1) == 0 && ::seteuid(not_me) == 0;
    return is_other && !write_output(path, {"new"});
  }));

  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(mode_of(path), 0644U);
}

// --- others that write

TEST_F(OutputFileTest, is_not_what_another_program_puts_under_the_temporary_name) {
  put_old("out", 0644);
  fs::path const theirs = put_old("theirs", 0644);
  call_at_syncs([&](std::string const& draft) {
    fs::remove(draft);
    fs::create_symlink(theirs, draft);
  });

  EXPECT_THAT(write_output(folder_ / "out", {"new"}),
              Optional(std::string("another program replaced it while it was written")));

  EXPECT_EQ(content(folder_ / "out"), "old");
  EXPECT_EQ(content(theirs), "old");
}

TEST_F(OutputFileTest, of_two_writers_is_one_of_both_whole) {
  auto const write_many = [&](char letter) {
    bool is_written = true;
    for (int time = 0; time < 50; ++time) {
      is_written = !write_output(folder_ / "out", {std::string(10'000, letter)}) && is_written;
    }
    return is_written;
  };
  // Containers on one volume have the same process numbers: with a name of the process, two files
  // of this one would meet.
  std::vector<std::string> drafts;
  call_at_syncs([&](std::string const& path) { drafts.push_back(path); });
  static_cast<void>(write_many('a'));
  std::ranges::sort(drafts);
  EXPECT_EQ(std::ranges::unique(drafts).size(), 49U) << "the folder is forced every time";

  EXPECT_TRUE(in_two_processes([&] { return write_many('a'); }, [&] { return write_many('b'); }));

  std::string const text = content(folder_ / "out");
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(text, std::string(10'000, text.front()));
  EXPECT_THAT(names(), ElementsAre("out"));
}

}  // namespace
}  // namespace makespan

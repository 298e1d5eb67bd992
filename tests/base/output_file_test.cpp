// SPDX-License-Identifier: Apache-2.0
// Goal: outputs are whole or not there, and let in no more users than before. Method: what
// tests/python/test_atomic.py and test_output_target.py ask of Python. Files of other users are
// made by root alone: those tests need it. Links: output_target_test.cpp.
#include "makespan/base/output_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "files_up_to.hpp"
#include "output_file_fixture.hpp"
#include "recorded_syncs.hpp"

namespace makespan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::MatchesRegex;
using testing::Optional;

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
  for (auto const& refuse : both_ways) {
    EXPECT_THAT(refuse(folder_), Optional(std::string("it is a folder")));
    EXPECT_THAT(refuse("/dev/null"), Optional(std::string("it is not a regular file")));
    EXPECT_THAT(refuse(folder_ / "pipe"), Optional(std::string("it is not a regular file")));
    EXPECT_THAT(refuse(folder_ / "no" / "out"),
                Optional(std::string("its folder cannot be opened for reading: No such file or "
                                     "directory")));
    EXPECT_THAT(refuse(folder_ / std::string(256, 'x')),
                Optional(std::string("File name too long")));
    EXPECT_THAT(refuse("/proc/self/no"),
                Optional(std::string("no file can be made in its folder: No such file or "
                                     "directory")));
  }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(names(), ElementsAre("pipe"));
}

// With what is added to it while it is written, a long name is longer than names may be.
TEST_F(OutputFileTest, may_have_a_name_as_long_as_names_are) {
  for (std::size_t const length : {233U, 234U, 255U}) {
    std::string const name(length, 'x');
    EXPECT_EQ(check_output(folder_ / name), std::nullopt) << length;
    EXPECT_EQ(write_output(folder_ / name, {"new"}), std::nullopt) << length;
    EXPECT_EQ(content(folder_ / name), "new");
    fs::remove(folder_ / name);
  }
  EXPECT_THAT(names(), ElementsAre());
}

// In which a file can be made, and no name of it forced to disk.
TEST_F(OutputFileTest, is_refused_in_a_folder_that_cannot_be_read) {
  if (::geteuid() == 0 && !can_become_another_user()) GTEST_SKIP() << "root may read any folder";
  fs::permissions(folder_, fs::perms(0333));

  EXPECT_TRUE(in_another_process([&] {
    if (::geteuid() == 0 && !becomes_another_user()) return false;
    OutputRefusal const expected("its folder cannot be opened for reading: Permission denied");
    return check_output(folder_ / "out") == expected &&
           write_output(folder_ / "out", {"new"}) == expected;
  }));

  fs::permissions(folder_, fs::perms(0755));
  EXPECT_THAT(names(), ElementsAre());
}

TEST_F(OutputFileTest, is_there_although_its_folder_cannot_be_forced_to_disk) {
  // Of the file and what is behind it.
  auto const with_folder_error = [&](int error) {
    fail_syncs_with(0);
    call_at_syncs([error](std::string const&) { fail_syncs_with(error); });
    return write_output(folder_ / "out", {"with ", std::to_string(error)});
  };
  // File systems that know no such thing.
  for (int const error : {EINVAL, ENOTSUP, EBADF}) {
    EXPECT_EQ(with_folder_error(error), std::nullopt);
    EXPECT_EQ(content(folder_ / "out"), "with " + std::to_string(error));
  }

  EXPECT_THAT(with_folder_error(EIO), Optional(MatchesRegex("the new file is there.*error")));

  EXPECT_EQ(content(folder_ / "out"), "with " + std::to_string(EIO));
  EXPECT_THAT(names(), ElementsAre("out"));
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
  fs::path const path = put_old("out", 0644);
  if (!give_away(path, ::getegid())) GTEST_SKIP() << "only root makes another user's files";
  ASSERT_EQ(::chmod(path.c_str(), 04666), 0);

  EXPECT_EQ(write_output(path, {"new"}), std::nullopt);

  EXPECT_EQ(mode_of(path), 0644U);
  struct stat found{};
  ASSERT_EQ(::lstat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, ::geteuid());
}

// One that they have planted would read what the user's own umask keeps from it.
TEST_F(OutputFileTest, of_another_user_does_not_keep_its_group) {
  for (mode_t const mode : {0660U, 0666U}) {
    fs::path const path = put_old("out", 0644);
    if (!give_away(path, not_me)) GTEST_SKIP() << "only root makes another user's files";
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    ::umask(0027);

    EXPECT_EQ(write_output(path, {"new"}), std::nullopt);

    struct stat found{};
    ASSERT_EQ(::lstat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_gid, ::getegid());
    EXPECT_EQ(mode_of(path), 0600U) << "to a group of the user the old one gave nothing";
    ::umask(0022);
  }
}

TEST_F(OutputFileTest, keeps_its_group) {
  fs::path const path = put_old("out", 0644);
  if (::chown(path.c_str(), static_cast<uid_t>(-1), not_me) != 0) {
    GTEST_SKIP() << "only root gives a file to any group";
  }
  ASSERT_EQ(::chmod(path.c_str(), 0660), 0);

  EXPECT_EQ(write_output(path, {"new"}), std::nullopt);

  struct stat found{};
  ASSERT_EQ(::lstat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_gid, not_me);
  EXPECT_EQ(mode_of(path), 0660U);
}

TEST_F(OutputFileTest, whose_group_cannot_be_kept_lets_its_own_do_no_more_than_all) {
  if (!can_become_another_user()) GTEST_SKIP() << "only root becomes another user";
  fs::permissions(folder_, fs::perms::all);
  fs::path const path = put_old("out", 0664);
  if (!give_away(path, not_me)) GTEST_SKIP() << "only root makes another user's files";
  ASSERT_EQ(::chmod(path.c_str(), 0664), 0);

  EXPECT_TRUE(
      in_another_process([&] { return becomes_another_user() && !write_output(path, {"new"}); }));

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

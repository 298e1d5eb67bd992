// SPDX-License-Identifier: Apache-2.0
// Goal: a part of a checkpoint is read as it was written, or refused by its name. Method: files
// that are cut, changed byte by byte, missing, or cannot be written.
#include "makespan/graph/object/detail/checkpoint_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "files_up_to.hpp"
#include "makespan/base/configuration.hpp"
#include "makespan/base/error.hpp"
#include "recorded_syncs.hpp"

namespace makespan::graph {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class CheckpointFilesTest : public testing::Test {
 protected:
  CheckpointFilesTest()
      : folder_(fs::temp_directory_path() / ("makespan_parts_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
  }
  ~CheckpointFilesTest() override { fs::remove_all(folder_); }

  static CheckpointPart part(std::int64_t phase, int bytes) {
    CheckpointPart part{.head = {.phase = phase, .places = 2, .collections = 0x1234567890abcdef}};
    for (int at = 0; at < bytes; ++at) part.objects.push_back(static_cast<std::byte>(at * 7));
    return part;
  }
  void write(std::int64_t phase) {
    for (int place = 0; place < 2; ++place) write_part(folder_, place, part(phase, 100 + place));
    complete_checkpoint(folder_, phase);
  }
  [[nodiscard]] fs::path checkpoint(std::int64_t phase) const {
    return checkpoint_folder(folder_, phase);
  }
  [[nodiscard]] fs::path file(std::int64_t phase, int place) const {
    return checkpoint(phase) / ("place-" + std::to_string(place) + ".objects");
  }

  static std::vector<char> content(fs::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void replace(fs::path const& path, std::vector<char> const& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(content.data(), std::ssize(content));
  }

  void expect_refused(std::int64_t phase, int place, std::string const& why) {
    try {
      static_cast<void>(read_part(checkpoint(phase), place));
      ADD_FAILURE() << "no error: " << why;
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(file(phase, place).string()), HasSubstr(why)));
    }
  }

  fs::path folder_;
};

TEST_F(CheckpointFilesTest, Are_read_as_they_were_written) {
  write(20);

  for (int place = 0; place < 2; ++place) {
    CheckpointPart const read = read_part(checkpoint(20), place);
    EXPECT_EQ(read.head.phase, 20);
    EXPECT_EQ(read.head.places, 2);
    EXPECT_EQ(read.head.collections, 0x1234567890abcdefU);
    EXPECT_EQ(read.objects, part(20, 100 + place).objects);
  }
}

// Which would find that they were changed.
TEST_F(CheckpointFilesTest, Have_a_head_that_is_read_without_the_objects) {
  write(20);
  std::vector<char> changed = content(file(20, 1));
  changed.back() = static_cast<char>(changed.back() ^ 1);
  replace(file(20, 1), changed);
  expect_refused(20, 1, "changed");

  CheckpointHead const head = read_head(checkpoint(20), 1);
  EXPECT_EQ(head.phase, 20);
  EXPECT_EQ(head.places, 2);
  EXPECT_EQ(head.collections, 0x1234567890abcdefU);

  changed.pop_back();
  replace(file(20, 1), changed);
  EXPECT_THROW(static_cast<void>(read_head(checkpoint(20), 1)), InputError);
  EXPECT_THROW(static_cast<void>(read_head(checkpoint(21), 0)), InputError);
}

TEST_F(CheckpointFilesTest, Of_a_place_without_objects_are_there) {
  write_part(folder_, 0, part(3, 0));
  complete_checkpoint(folder_, 3);

  EXPECT_TRUE(read_part(checkpoint(3), 0).objects.empty());
}

TEST_F(CheckpointFilesTest, Have_no_name_before_all_are_complete) {
  write_part(folder_, 0, part(20, 100));

  EXPECT_FALSE(fs::exists(checkpoint(20)));
  expect_refused(20, 0, "no such file");
}

TEST_F(CheckpointFilesTest, That_are_missing_are_refused) {
  write(20);

  expect_refused(21, 0, "no such file");
  expect_refused(20, 2, "no such file");
}

TEST_F(CheckpointFilesTest, That_were_cut_short_are_refused) {
  write(20);
  auto const whole = content(file(20, 1));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    SCOPED_TRACE(length);
    replace(file(20, 1), {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
    expect_refused(20, 1, "");
  }
  auto longer = whole;
  longer.push_back('x');
  replace(file(20, 1), longer);
  expect_refused(20, 1, "");
}

// The head too: a phase or a number of places that is wrong would be believed.
TEST_F(CheckpointFilesTest, With_any_byte_changed_are_refused) {
  write(20);
  auto const whole = content(file(20, 0));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    SCOPED_TRACE(at);
    auto changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    replace(file(20, 0), changed);
    expect_refused(20, 0, "");
  }
  replace(file(20, 0), whole);
  EXPECT_NO_THROW(static_cast<void>(read_part(checkpoint(20), 0)));
}

// Whole, and by this version: a run of so many places there cannot have been.
TEST_F(CheckpointFilesTest, Of_no_places_or_too_many_are_refused) {
  CheckpointPart none = part(20, 100);
  none.head.places = 0;
  write_part(folder_, 0, none);
  complete_checkpoint(folder_, 20);

  expect_refused(20, 0, "there cannot have been");
}

TEST_F(CheckpointFilesTest, That_are_something_else_are_refused) {
  write(20);
  replace(file(20, 0), std::vector<char>(500, 'x'));

  expect_refused(20, 0, "no part of a checkpoint");
}

// Which are shorter, as format 2: its version is of 24 bytes.
TEST_F(CheckpointFilesTest, Of_another_format_are_refused_as_of_another_build) {
  write_part(folder_, 0, part(3, 0));
  complete_checkpoint(folder_, 3);
  auto changed = content(file(3, 0));
  changed.erase(changed.begin() + 48, changed.begin() + 88);
  std::string const version = "0.0.7";
  std::fill(changed.begin() + 24, changed.begin() + 48, '\0');
  std::ranges::copy(version, changed.begin() + 24);
  std::string const here = " wrote it, this is " + std::string(configuration().version);
  for (auto const& [format, writer] :
       {std::pair{'2', "makespan 0.0.7"}, std::pair{'4', "another build of makespan"}}) {
    changed[17] = format;
    replace(file(3, 0), changed);
    expect_refused(3, 0, writer + here);
  }
}

TEST_F(CheckpointFilesTest, That_cannot_be_written_are_not_left) {
  write(20);
  fs::path const partial = folder_ / "phase-21.partial";
  FilesUpTo const limit(50);

  try {
    write_part(folder_, 0, part(21, 100));
    ADD_FAILURE() << "no error";
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("place-0.objects"), HasSubstr("cannot be written")));
  }

  EXPECT_TRUE(fs::is_empty(partial));
  EXPECT_FALSE(fs::exists(checkpoint(21)));
  EXPECT_TRUE(fs::exists(checkpoint(20)));
}

// After a power failure at any moment there is a complete one: each file and its folder's names are
// on disk before the folder gets its name, and that is before an older one goes.
TEST_F(CheckpointFilesTest, Are_forced_to_disk_before_they_have_their_name) {
  write(1);
  write(2);
  recorded_syncs().clear();

  write(3);

  fs::path const root = fs::canonical(folder_);
  std::string const partial = (root / "phase-3.partial").string();
  EXPECT_THAT(recorded_syncs(), testing::ElementsAre(partial + "/place-0.objects", partial,
                                                     partial + "/place-1.objects", partial,
                                                     root.string(), root.parent_path().string()));
}

TEST_F(CheckpointFilesTest, That_cannot_be_forced_to_disk_leave_the_older_ones) {
  write(1);
  write(2);
  for (int place = 0; place < 2; ++place) write_part(folder_, place, part(3, 100));

  fail_syncs_with(EIO);
  EXPECT_THROW(write_part(folder_, 0, part(4, 100)), InputError);
  EXPECT_THROW(complete_checkpoint(folder_, 3), InputError);
  fail_syncs_with(0);

  for (std::int64_t const phase : {1, 2}) {
    EXPECT_NO_THROW(static_cast<void>(read_part(checkpoint(phase), 1)));
  }
}

// What a run left that was killed between two names.
TEST_F(CheckpointFilesTest, Are_written_beside_what_a_killed_run_left) {
  write(20);
  fs::rename(checkpoint(20), folder_ / "phase-20.earlier");
  for (int times = 0; times < 2; ++times) {
    write(20);
    EXPECT_EQ(read_part(checkpoint(20), 1).objects.size(), 101U);
    EXPECT_FALSE(fs::exists(folder_ / "phase-20.earlier"));
    EXPECT_FALSE(fs::exists(folder_ / "phase-20.partial"));
  }
}

TEST_F(CheckpointFilesTest, Of_another_version_are_refused) {
  write(20);
  auto changed = content(file(20, 0));
  changed[24] = '9';  // behind the 24 bytes that say what it is
  replace(file(20, 0), changed);

  expect_refused(20, 0, "wrote it, this is " + std::string(configuration().version));
}

// Goal: two builds of one version are told apart. Method: one letter of the commit.
TEST_F(CheckpointFilesTest, Of_another_build_are_refused) {
  write(20);
  auto changed = content(file(20, 0));
  std::string const commit(configuration().git_commit);
  auto const found = std::ranges::search(changed, commit);
  ASSERT_FALSE(found.empty());
  // By which those of one commit are told apart that files differ from.
  bool const is_certain = commit != "unknown" && !commit.ends_with("-dirty");
  std::string const head(changed.begin(), changed.begin() + 88);
  EXPECT_EQ(head.find("linked as ") == std::string::npos, is_certain) << head;
  found.front() = found.front() == 'z' ? 'y' : 'z';
  replace(file(20, 0), changed);

  expect_refused(20, 0, " (" + std::string(found.begin(), found.end()));
  expect_refused(20, 0,
                 "wrote it, this is " + std::string(configuration().version) + " (" + commit);
}

TEST_F(CheckpointFilesTest, Need_a_folder) {
  fs::create_directories(folder_);
  replace(folder_ / "file", {'x'});

  EXPECT_THROW(write_part(folder_ / "file", 0, part(1, 10)), InputError);
  EXPECT_THROW(complete_checkpoint(folder_, 7), InputError) << "nothing was written";
}

TEST_F(CheckpointFilesTest, Of_the_last_two_checkpoints_are_kept) {
  for (std::int64_t const phase : {8, 9, 10, 11}) write(phase);
  fs::create_directories(folder_ / "phase-x");
  write(12);

  EXPECT_TRUE(fs::exists(checkpoint(12)));
  EXPECT_TRUE(fs::exists(checkpoint(11)));
  for (std::int64_t const phase : {8, 9, 10}) EXPECT_FALSE(fs::exists(checkpoint(phase)));
  EXPECT_TRUE(fs::exists(folder_ / "phase-x")) << "not ours";
}

TEST_F(CheckpointFilesTest, Of_an_earlier_run_are_replaced) {
  write(20);
  write_part(folder_, 0, part(20, 7));
  write_part(folder_, 1, part(20, 8));
  complete_checkpoint(folder_, 20);

  EXPECT_EQ(read_part(checkpoint(20), 0).objects.size(), 7U);
  EXPECT_EQ(read_part(checkpoint(20), 1).objects.size(), 8U);
}

}  // namespace
}  // namespace makespan::graph

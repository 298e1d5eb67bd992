// SPDX-License-Identifier: Apache-2.0
// Goal: files are forced to disk before a call returns, and none is left that was not. Method:
// fsync() is looked at, and made to fail.
#include "makespan/base/durable_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "recorded_syncs.hpp"

namespace makespan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class DurableFileTest : public testing::Test {
 protected:
  DurableFileTest()
      : folder_(fs::canonical(fs::temp_directory_path()) /
                ("makespan_durable_" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    recorded_syncs().clear();
  }
  ~DurableFileTest() override {
    fail_syncs_with(0);
    fs::remove_all(folder_);
  }

  static std::string content(fs::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::span<std::byte const> bytes(std::string const& text) {
    return std::as_bytes(std::span(text));
  }

  fs::path folder_;
};

TEST_F(DurableFileTest, is_written_whole_and_forced_to_disk) {
  std::string const head = "head ";
  std::string const rest = "rest";

  EXPECT_FALSE(write_durable_file(folder_ / "file", {bytes(head), bytes(rest)}));

  EXPECT_EQ(content(folder_ / "file"), "head rest");
  EXPECT_THAT(recorded_syncs(), ElementsAre((folder_ / "file").string()));
}

TEST_F(DurableFileTest, is_not_left_when_it_cannot_be_forced_to_disk) {
  fail_syncs_with(EIO);

  EXPECT_EQ(write_durable_file(folder_ / "file", {bytes("text")}).value(), EIO);

  EXPECT_FALSE(fs::exists(folder_ / "file"));
}

TEST_F(DurableFileTest, is_refused_where_it_cannot_be) {
  EXPECT_EQ(write_durable_file(folder_ / "no" / "file", {bytes("text")}).value(), ENOENT);
  EXPECT_EQ(write_durable_file("/dev/null", {}).value(), EINVAL) << "it has no disk";
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  fs::create_symlink(folder_ / "elsewhere", folder_ / "link");
  EXPECT_EQ(write_durable_file(folder_ / "link", {bytes("text")}).value(), ELOOP);
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(write_durable_file(folder_ / "pipe", {bytes("text")}).value(), ENXIO)
      << "it has no reader";
}

TEST_F(DurableFileTest, has_a_folder_whose_names_are_forced_to_disk) {
  EXPECT_FALSE(sync_folder(folder_));
  EXPECT_THAT(recorded_syncs(), ElementsAre(folder_.string()));
  EXPECT_EQ(sync_folder(folder_ / "no").value(), ENOENT);

  // File systems that know no such thing.
  for (int const error : {EINVAL, ENOTSUP, EBADF}) {
    fail_syncs_with(error);
    EXPECT_FALSE(sync_folder(folder_)) << error;
  }
  fail_syncs_with(EIO);
  EXPECT_EQ(sync_folder(folder_).value(), EIO);
}

TEST_F(DurableFileTest, names_are_exchanged) {
  for (std::string const name : {"one", "other"}) {
    fs::create_directories(folder_ / name);
    std::ofstream(folder_ / name / "file") << name;
  }
  std::error_code const error = exchange_names(folder_ / "one", folder_ / "other");
  if (error) GTEST_SKIP() << "this file system cannot: " << error.message();

  EXPECT_EQ(content(folder_ / "one" / "file"), "other");
  EXPECT_EQ(content(folder_ / "other" / "file"), "one");
  EXPECT_EQ(exchange_names(folder_ / "one", folder_ / "no").value(), ENOENT);
}

}  // namespace
}  // namespace makespan

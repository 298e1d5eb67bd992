// SPDX-License-Identifier: Apache-2.0
#pragma once

// A folder for outputs, what stands in it, and other users and processes.

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "makespan/base/output_file.hpp"
#include "recorded_syncs.hpp"

namespace makespan {

inline constexpr uid_t not_me = 4711;

// How a refusal is seen.
inline constexpr std::array both_ways{
    +[](std::filesystem::path const& path) { return check_output(path); },
    +[](std::filesystem::path const& path) { return write_output(path, {"new"}); }};

// Whether `here` succeeds in this process and `there` in another at the same time.
inline bool in_two_processes(std::function<bool()> const& here,
                             std::function<bool()> const& there) {
  pid_t const child = ::fork();
  if (child == 0) ::_exit(there() ? 0 : 1);
  bool const is_here = here();
  int status = -1;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0 && is_here;
}

inline bool in_another_process(std::function<bool()> const& there) {
  return in_two_processes([] { return true; }, there);
}

// Not before it is in another process.
inline bool becomes_another_user() {
  return ::setgroups(0, nullptr) == 0 && ::setegid(not_me + 1) == 0 && ::seteuid(not_me) == 0;
}

// Containers without root refuse it, or know the one user only.
inline bool can_become_another_user() {
  return in_another_process(&becomes_another_user);
}

// Whether it is another user's now.
inline bool give_away(std::filesystem::path const& path, gid_t group) {
  return ::lchown(path.c_str(), not_me, group) == 0;
}

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest()
      : folder_(std::filesystem::canonical(std::filesystem::temp_directory_path()) /
                ("makespan_output_" + std::to_string(::getpid()))),
        umask_(::umask(0022)) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    recorded_syncs().clear();
  }
  ~OutputFileTest() override {
    fail_syncs_with(0);
    call_at_syncs(nullptr);
    std::filesystem::remove_all(folder_);
    ::umask(umask_);
  }

  static std::string content(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static mode_t mode_of(std::filesystem::path const& path) {
    struct stat found{};
    ::lstat(path.c_str(), &found);
    return found.st_mode & 07777U;
  }
  std::filesystem::path put_old(std::string const& name, mode_t mode) const {
    std::filesystem::path path = folder_ / name;
    std::ofstream(path) << "old";
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (auto const& entry : std::filesystem::directory_iterator(folder_))
      found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }

  std::filesystem::path folder_;
  mode_t umask_;
};

}  // namespace makespan

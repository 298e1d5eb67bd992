// SPDX-License-Identifier: Apache-2.0
#pragma once

// A folder of one test, gone with its owner.

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers) - mkdtemp

#include <filesystem>
#include <string>
#include <system_error>

namespace makespan {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = testing::TempDir() + "makespan_test_XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ScratchFolder(ScratchFolder const&) = delete;
  ScratchFolder& operator=(ScratchFolder const&) = delete;
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace makespan

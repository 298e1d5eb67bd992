// SPDX-License-Identifier: Apache-2.0
// Goal: cores that are alike have the same text, others not, and no system is too old. Method: a
// folder like that of Linux.
#include "makespan/machine/core_kind.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace makespan::machine {
namespace {

class CoreKind : public testing::Test {
 protected:
  ~CoreKind() override { std::filesystem::remove_all(cpus_); }

  void write(std::string const& name, std::string const& text) const {
    auto const path = cpus_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }

  std::filesystem::path cpus_ = std::filesystem::temp_directory_path() /
                                ("core_kind_test." + std::to_string(getpid()) + "." +
                                 testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(CoreKind, is_the_capacity_where_the_system_knows_it) {
  write("cpu0/cpu_capacity", "1024");
  write("cpu0/cpufreq/cpuinfo_max_freq", "5100000");
  write("cpu7/cpu_capacity", "446");

  EXPECT_EQ(core_kind(0, cpus_), "capacity 1024");
  EXPECT_EQ(core_kind(7, cpus_), "capacity 446");
}

TEST_F(CoreKind, is_the_clock_otherwise) {
  write("cpu3/cpufreq/cpuinfo_max_freq", "3800000");

  EXPECT_EQ(core_kind(3, cpus_), "3800 MHz");
}

TEST_F(CoreKind, is_empty_where_nothing_is_told) {
  write("cpu1/cpu_capacity", "");

  EXPECT_EQ(core_kind(1, cpus_), "");
  EXPECT_EQ(core_kind(2, cpus_), "");
}

}  // namespace
}  // namespace makespan::machine

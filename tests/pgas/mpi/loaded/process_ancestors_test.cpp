// SPDX-License-Identifier: Apache-2.0
// Goal: the programs of parents are found, nearest first. Method: a /proc of our own making, and
// the real one.
#include "makespan/pgas/mpi/loaded/detail/process_ancestors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace makespan::pgas {
namespace {

namespace fs = std::filesystem;

class ProcessAncestors : public testing::Test {
 protected:
  void SetUp() override {
    proc_ = fs::path(testing::TempDir()) / ("proc-" + std::to_string(::getpid()));
    fs::remove_all(proc_);
  }
  void TearDown() override { fs::remove_all(proc_); }

  void add(std::string const& process, std::string const& name, int parent, char const* program) {
    fs::create_directories(proc_ / process);
    std::ofstream(proc_ / process / "stat")
        << "17 (" << name << ") S " << parent << " 17 17 0 -1 4194560\n";
    if (program != nullptr) fs::create_symlink(program, proc_ / process / "exe");
  }

  fs::path proc_;
};

TEST_F(ProcessAncestors, are_listed_nearest_first) {
  add("self", "python3", 20, "/usr/bin/python3");
  add("20", "sh", 10, "/bin/dash");
  add("10", "hydra_pmi_proxy", 1, "/v/bin/hydra_pmi_proxy");
  add("1", "init", 0, "/sbin/init");

  EXPECT_EQ(process_ancestors(proc_),
            (std::vector<fs::path>{"/bin/dash", "/v/bin/hydra_pmi_proxy", "/sbin/init"}));
}

TEST_F(ProcessAncestors, names_may_hold_anything) {
  add("self", "a) S 99 (b", 10, nullptr);
  add("10", "prted", 0, "/v/bin/prted");

  EXPECT_EQ(process_ancestors(proc_), std::vector<fs::path>{"/v/bin/prted"});
}

TEST_F(ProcessAncestors, one_whose_program_is_hidden_is_passed_over) {
  add("self", "python3", 20, nullptr);
  add("20", "sudo", 10, nullptr);
  add("10", "prted", 0, "/v/bin/prted");

  EXPECT_EQ(process_ancestors(proc_), std::vector<fs::path>{"/v/bin/prted"});
}

TEST_F(ProcessAncestors, end_where_nothing_can_be_read) {
  EXPECT_TRUE(process_ancestors(proc_).empty());
  add("self", "python3", 20, nullptr);
  EXPECT_TRUE(process_ancestors(proc_).empty());
}

TEST_F(ProcessAncestors, a_ring_of_parents_ends) {
  add("self", "a", 20, nullptr);
  add("20", "b", 20, "/bin/b");

  EXPECT_FALSE(process_ancestors(proc_).empty());
}

TEST_F(ProcessAncestors, this_process_has_some) {
  EXPECT_FALSE(process_ancestors().empty());
}

}  // namespace
}  // namespace makespan::pgas

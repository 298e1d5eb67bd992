// SPDX-License-Identifier: Apache-2.0
// Goal: ABIs have the names that plugins and files are known by, and no file name is of two.
#include "makespan/pgas/mpi/loaded/detail/mpi_abi.hpp"

#include <gtest/gtest.h>

#include <set>

namespace makespan::pgas {
namespace {

TEST(MpiAbi, names_are_those_of_the_plugins) {
  EXPECT_EQ(name_of(MpiAbi::mpich), "mpich");
  EXPECT_EQ(name_of(MpiAbi::open_mpi), "openmpi");
}

TEST(MpiAbi, no_soname_is_of_two_abis) {
  std::set<std::string_view> seen;
  for (MpiAbi const abi : mpi_abis) {
    EXPECT_FALSE(sonames_of(abi).empty());
    for (auto const soname : sonames_of(abi)) EXPECT_TRUE(seen.insert(soname).second) << soname;
  }
}

}  // namespace
}  // namespace makespan::pgas

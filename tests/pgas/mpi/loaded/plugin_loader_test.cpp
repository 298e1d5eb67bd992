// SPDX-License-Identifier: Apache-2.0
// Goal: what is no plugin of this build is refused by a sentence that names the MPI library. The
// good case needs an MPI: tests/python/test_mpi_library.py.
#include "makespan/pgas/mpi/loaded/detail/plugin_loader.hpp"

#include <gtest/gtest.h>

#include <string>

#include "makespan/base/error.hpp"

namespace makespan::pgas {
namespace {

std::string refusal_of(char const* file) {
  try {
    static_cast<void>(open_plugin(file, "/lib/libmpi.so.12"));
  } catch (InputError const& error) {
    return error.what();
  }
  return "none";
}

TEST(PluginLoader, plugins_are_named_after_their_abi) {
  EXPECT_EQ(plugin_file("/p", MpiAbi::mpich), "/p/libmakespan_mpich.so");
  EXPECT_EQ(plugin_file("/p", MpiAbi::open_mpi), "/p/libmakespan_openmpi.so");
}

TEST(PluginLoader, refuses_one_that_is_missing) {
  std::string const said = refusal_of("/nonexistent/libmakespan_mpich.so");
  EXPECT_NE(said.find("MPI library /lib/libmpi.so.12"), std::string::npos) << said;
  EXPECT_NE(said.find("/nonexistent/libmakespan_mpich.so, is missing"), std::string::npos) << said;
}

TEST(PluginLoader, refuses_one_of_another_build) {
  std::string const said = refusal_of(FOREIGN_PLUGIN);
  EXPECT_NE(said.find("of another build (makespan 0.0.0)"), std::string::npos) << said;
}

TEST(PluginLoader, refuses_what_is_no_plugin) {
  std::string const said = refusal_of(NO_PLUGIN);
  EXPECT_NE(said.find("is no plugin of makespan"), std::string::npos) << said;
}

TEST(PluginLoader, refuses_what_is_no_library) {
  std::string const said = refusal_of(__FILE__[0] == '/' ? __FILE__ : "/proc/self/stat");
  EXPECT_NE(said.find("cannot be loaded"), std::string::npos) << said;
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a process that no launcher has started loads no MPI; one that was launched gets one clear
// error where there is none. What is loaded is tested as several processes by
// tests/python/test_mpi_library.py.
#include "makespan/pgas/mpi/loaded/loaded_mpi.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/mpi_provider.hpp"

namespace makespan::pgas {
namespace {

namespace fs = std::filesystem;

Launch launch_of(int size) {
  return {.launcher = "mpiexec of MPICH",
          .size = size,
          .image = 0,
          .node_size = {},
          .node_rank = {},
          .kind = LauncherKind::pmi};
}

std::string refusal_of(Launch const& launch) {
  try {
    static_cast<void>(mpi_for(launch));
  } catch (InputError const& error) {
    return error.what();
  }
  return "none";
}

TEST(LoadedMpi, is_none_in_a_process_without_a_launcher) {
  EXPECT_EQ(mpi_for({}), nullptr);
  EXPECT_EQ(mpi_in_use(), nullptr);
  EXPECT_FALSE(loaded_mpi().has_value());
}

TEST(LoadedMpi, that_is_named_must_be_there) {
  ::setenv(mpi_library_variable, "/nonexistent/libmpi.so", 1);
  std::string const said = refusal_of(launch_of(3));
  ::unsetenv(mpi_library_variable);

  EXPECT_TRUE(said.starts_with("MAKESPAN_MPI_LIBRARY = /nonexistent/libmpi.so (")) << said;
  EXPECT_NE(said.find("mpiexec of MPICH"), std::string::npos) << said;
}

TEST(LoadedMpi, that_is_named_must_be_one) {
  ::setenv(mpi_library_variable, NO_PLUGIN, 1);
  std::string const said = refusal_of(launch_of(3));
  ::unsetenv(mpi_library_variable);

  EXPECT_NE(said.find("no library of MPICH's or Open MPI's ABI"), std::string::npos) << said;
}

TEST(LoadedMpi, is_found_beside_a_launcher) {
  fs::path const prefix = fs::path(testing::TempDir()) / "mpi-prefix";
  fs::create_directories(prefix / "bin");
  fs::create_directories(prefix / "lib");
  std::ofstream(prefix / "bin" / "mpiexec.hydra") << "";
  std::ofstream(prefix / "lib" / "libmpi.so.12") << "";
  fs::path const root = fs::canonical(prefix);

  auto const found = find_mpis(root / "bin" / "mpiexec.hydra");

  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].abi, MpiAbi::mpich);
  EXPECT_EQ(found[0].file, root / "lib" / "libmpi.so.12");
  EXPECT_EQ(found[0].plugin.filename(), "libmakespan_mpich.so");
  EXPECT_FALSE(found[0].has_plugin);
  fs::remove_all(prefix);
}

TEST(LoadedMpi, is_found_below_a_prefix_of_python) {
  fs::path const prefix = fs::path(testing::TempDir()) / "python-prefix";
  fs::create_directories(prefix / "lib");
  std::ofstream(prefix / "lib" / "libmpi.so.40") << "";

  set_mpi_prefixes({prefix});
  auto const found = find_mpis();
  set_mpi_prefixes({});

  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().abi, MpiAbi::open_mpi);
  EXPECT_EQ(found.back().file, prefix / "lib" / "libmpi.so.40");
  fs::remove_all(prefix);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: the library that was installed with the launcher comes first, whatever else is there; then
// Python's, then what the loader finds. Method: chains of parents as launchers make them (MPICH
// 4.0, Open MPI 4.1 and 5.0, of Debian and of PyPI).
#include "makespan/pgas/mpi/loaded/detail/mpi_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace makespan::pgas {
namespace {

namespace fs = std::filesystem;

// Where `file` stands among the candidates; behind all of them if it is none.
std::ptrdiff_t place_of(fs::path const& file, std::vector<MpiCandidate> const& candidates) {
  return std::ranges::find(candidates, file, &MpiCandidate::file) - candidates.begin();
}

TEST(MpiSearch, launchers_tell_which_abi_it_can_be) {
  EXPECT_EQ(abis_of(LauncherKind::pmi), std::vector{MpiAbi::mpich});
  EXPECT_EQ(abis_of(LauncherKind::open_mpi), std::vector{MpiAbi::open_mpi});
  EXPECT_EQ(abis_of(LauncherKind::any), (std::vector{MpiAbi::open_mpi, MpiAbi::mpich}));
  EXPECT_TRUE(abis_of(LauncherKind::none).empty());
}

TEST(MpiSearch, launchers_are_known_by_their_names) {
  for (char const* const name : {"/usr/bin/hydra_pmi_proxy", "/v/bin/mpiexec.hydra"}) {
    ASSERT_TRUE(launcher_program(name).has_value()) << name;
    EXPECT_EQ(launcher_program(name)->abi, MpiAbi::mpich) << name;
  }
  for (char const* const name : {"/usr/bin/orterun", "/usr/bin/orted", "/v/bin/prterun",
                                 "/v/bin/prted", "/v/bin/ompirun_wrapper"}) {
    ASSERT_TRUE(launcher_program(name).has_value()) << name;
    EXPECT_EQ(launcher_program(name)->abi, MpiAbi::open_mpi) << name;
  }
  ASSERT_TRUE(launcher_program("/v/bin/mpiexec").has_value());
  EXPECT_EQ(launcher_program("/v/bin/mpiexec")->abi, std::nullopt);
  EXPECT_FALSE(launcher_program("/usr/bin/bash").has_value());
  EXPECT_FALSE(launcher_program("/usr/sbin/slurmstepd").has_value());
}

TEST(MpiSearch, library_beside_the_launcher_comes_before_that_of_python) {
  auto const candidates = mpi_candidates({.abis = {MpiAbi::mpich},
                                          .ancestors = {"/bin/sh", "/usr/bin/hydra_pmi_proxy"},
                                          .prefixes = {"/venv"},
                                          .folders = {"/usr/local/lib"}});

  EXPECT_EQ(candidates.front(), (MpiCandidate{MpiAbi::mpich, "/usr/lib/libmpi.so.12"}));
  std::vector<std::ptrdiff_t> const places{
      place_of("/usr/lib/x86_64-linux-gnu/libmpich.so.12", candidates),
      place_of("/venv/lib/libmpi.so.12", candidates),
      place_of("/usr/local/lib/libmpi.so.12", candidates), place_of("libmpi.so.12", candidates)};
#if defined(__x86_64__)
  EXPECT_TRUE(std::ranges::is_sorted(places));
#endif
  EXPECT_LT(places.back(), std::ssize(candidates));
}

TEST(MpiSearch, nearest_launcher_comes_first) {
  auto const candidates =
      mpi_candidates({.abis = {MpiAbi::open_mpi},
                      .ancestors = {"/inner/bin/prted", "/bin/bash", "/outer/bin/orted"},
                      .prefixes = {},
                      .folders = {}});

  EXPECT_LT(place_of("/inner/lib/libmpi.so.40", candidates),
            place_of("/outer/lib/libmpi.so.40", candidates));
  EXPECT_EQ(place_of("/lib/libmpi.so.40", candidates), std::ssize(candidates));
}

TEST(MpiSearch, no_library_of_another_abi_is_tried) {
  auto const candidates = mpi_candidates({.abis = {MpiAbi::open_mpi},
                                          .ancestors = {"/v/bin/mpiexec"},
                                          .prefixes = {"/v"},
                                          .folders = {"/usr/lib"}});

  EXPECT_TRUE(std::ranges::all_of(
      candidates, [](MpiCandidate const& one) { return one.file.filename() == "libmpi.so.40"; }));
}

TEST(MpiSearch, each_file_is_tried_once) {
  auto candidates = mpi_candidates({.abis = {MpiAbi::mpich},
                                    .ancestors = {"/v/bin/hydra_pmi_proxy", "/v/bin/mpiexec.hydra"},
                                    .prefixes = {"/v"},
                                    .folders = {"/v/lib"}});
  auto const count = candidates.size();
  std::ranges::sort(candidates, {}, &MpiCandidate::file);
  auto const [end, last] = std::ranges::unique(candidates);

  EXPECT_EQ(std::distance(candidates.begin(), end), std::ssize(candidates));
  EXPECT_GT(count, 0U);
}

TEST(MpiSearch, folders_of_the_loader_are_those_of_the_variable_first) {
  auto const folders = loader_folders("/a/lib::/b:");

  ASSERT_GT(folders.size(), 2U);
  EXPECT_EQ(folders[0], "/a/lib");
  EXPECT_EQ(folders[1], "/b");
  EXPECT_EQ(folders.back(), "/usr/lib");
}

TEST(MpiSearch, prefix_of_an_installed_package_is_found) {
  EXPECT_EQ(prefix_of("/venv/lib/python3.11/site-packages/makespan"), "/venv");
  EXPECT_EQ(prefix_of("/usr/lib/python3/dist-packages/makespan"), "/usr");
  EXPECT_EQ(prefix_of("/checkout/python/makespan"), std::nullopt);
}

}  // namespace
}  // namespace makespan::pgas

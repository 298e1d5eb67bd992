// SPDX-License-Identifier: Apache-2.0
// Goal: the record says which MPI it was. Method: what the libraries say of themselves.
#include "makespan/pgas/mpi/mpi_library.hpp"

#include <gtest/gtest.h>

namespace makespan::pgas {
namespace {

TEST(MpiLibrary, Library_is_mpich) {
  EXPECT_EQ(short_library_name("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7\n"),
            "MPICH 4.0.2");
  EXPECT_EQ(short_library_name("MPICH Version:      5.0.2\nMPICH Release date: unreleased"),
            "MPICH 5.0.2");
}

TEST(MpiLibrary, Library_is_open_mpi) {
  EXPECT_EQ(short_library_name("Open MPI v5.0.11, package: Open MPI builder, ident: 5.0.11"),
            "Open MPI 5.0.11");
}

TEST(MpiLibrary, Library_is_some_other) {
  EXPECT_EQ(short_library_name("Some MPI 3\nmore of it"), "Some MPI 3");
  EXPECT_EQ(short_library_name(""), "");
  EXPECT_EQ(short_library_name("MPICH Version:"), "MPICH ");
}

TEST(MpiLibrary, Library_of_this_build_has_a_version) {
  EXPECT_NE(mpi_library_name().find_first_of("0123456789"), std::string::npos);
}

TEST(MpiLibrary, ends_between_hosts_from_mpich_4_2_on) {
  EXPECT_FALSE(can_finalize_between_hosts("MPICH 4.0.2"));
  EXPECT_FALSE(can_finalize_between_hosts("MPICH 4.1"));
  EXPECT_FALSE(can_finalize_between_hosts("MPICH 3.4.3"));
  EXPECT_TRUE(can_finalize_between_hosts("MPICH 4.2.0"));
  EXPECT_TRUE(can_finalize_between_hosts("MPICH 5.0.2"));
  EXPECT_TRUE(can_finalize_between_hosts("Open MPI 5.0.11"));
}

TEST(MpiLibrary, has_windows_but_for_old_open_mpis) {
  EXPECT_TRUE(can_have_windows("MPICH 4.0.2"));
  EXPECT_TRUE(can_have_windows("Open MPI 5.0.11"));
  EXPECT_TRUE(can_have_windows("Some MPI 1.0"));
  EXPECT_FALSE(can_have_windows("Open MPI 4.1.4"));
}

}  // namespace
}  // namespace makespan::pgas

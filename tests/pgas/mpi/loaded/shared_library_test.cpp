// SPDX-License-Identifier: Apache-2.0
// Goal: libraries are opened, found again, and asked for symbols; what cannot be opened says why.
#include "makespan/pgas/mpi/loaded/detail/shared_library.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "makespan/pgas/mpi/plugin/mpi_plugin.hpp"

namespace makespan::pgas {
namespace {

TEST(SharedLibrary, opens_a_file_and_finds_its_functions) {
  auto const library = SharedLibrary::open(NO_PLUGIN, Symbols::own);

  ASSERT_TRUE(library.is_open()) << library.error();
  auto const seven = library.find_function<int (*)()>("seven");
  ASSERT_NE(seven, nullptr);
  EXPECT_EQ(seven(), 7);
  EXPECT_EQ(library.find("eight"), nullptr);
  EXPECT_EQ(library.file(), std::filesystem::canonical(NO_PLUGIN));
}

TEST(SharedLibrary, that_is_not_there_says_so) {
  auto const library = SharedLibrary::open("/nonexistent/libmpi.so.12", Symbols::for_all);

  EXPECT_FALSE(library.is_open());
  EXPECT_NE(library.error().find("/nonexistent/libmpi.so.12"), std::string::npos);
  EXPECT_TRUE(library.file().empty());
  EXPECT_EQ(library.find("MPI_Init"), nullptr);
}

TEST(SharedLibrary, finds_only_what_is_open) {
  EXPECT_TRUE(SharedLibrary::find_open("libc.so.6").is_open());
  EXPECT_FALSE(SharedLibrary::find_open("libnothing.so.1").is_open());
}

TEST(SharedLibrary, that_is_found_is_for_all_only_when_it_is_asked_to) {
  // No other test opens this one for all.
  ASSERT_TRUE(SharedLibrary::open(FOREIGN_PLUGIN, Symbols::own).is_open());

  auto const found = SharedLibrary::find_open(FOREIGN_PLUGIN);

  ASSERT_TRUE(found.is_open());
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, mpi_plugin_entry_name), nullptr);
  found.show_to_all();
  EXPECT_NE(::dlsym(RTLD_DEFAULT, mpi_plugin_entry_name), nullptr);
}

TEST(SharedLibrary, this_code_is_somewhere) {
  EXPECT_TRUE(std::filesystem::is_directory(folder_of_this_code()));
}

}  // namespace
}  // namespace makespan::pgas

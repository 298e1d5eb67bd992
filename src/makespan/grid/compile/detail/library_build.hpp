// SPDX-License-Identifier: Apache-2.0
#pragma once

// A compiler's run on a kernel's source, unless it was made before: libraries are kept in a cache.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/grid/compile/compiler.hpp"

namespace makespan::grid {

// The program's path: of a name in PATH, or of a path; empty where there is none.
[[nodiscard]] std::filesystem::path program_in_path(std::string_view name);

// What an environment variable names; empty where it is not set. Throws InputError where it names
// no program, suggesting such as `example`.
[[nodiscard]] std::filesystem::path program_of(std::string_view variable, std::string_view example);

// Which file the program is: another one in its place has another identity.
[[nodiscard]] std::string identity_of(std::filesystem::path const& program);

[[nodiscard]] std::string text_of(std::filesystem::path const& path);

struct LibraryRecipe {
  std::vector<std::string> command{};  // the compiler and its options, without files
  std::string key{};                   // what a library depends on besides
  // Further options that follow from the compiler; asked only if it is run, with a file that it may
  // write to.
  std::function<std::vector<std::string>(std::filesystem::path const& scratch)> more{};
  std::string_view suffix{".cpp"};  // of the source
  std::string_view remedy{};        // where it fails
  Unloading unloading{};
  std::filesystem::path cache{};  // where libraries are kept; empty: nowhere
  Seconds limit{120.0};
  std::function<bool()> is_stopped{};
};

// Blocks. Throws InputError with the compiler's own message where it fails or does not end, and
// where there is no room for its files.
// Tested by tests/grid/compile/compiler_test.cpp.
[[nodiscard]] KernelLibrary library_of(std::string const& source, LibraryRecipe const& recipe);

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The machine's C++ compiler, run on a kernel's source; what it made is kept in the user's cache.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/cache_folder.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::grid {

struct CompilerOptions {
  // A name in PATH, or a path; empty: $MAKESPAN_CXX, or else the first of c++, g++, clang++.
  std::string command{};
  std::vector<std::string> flags{"-march=native"};
  // Where libraries are kept; empty: nowhere.
  std::filesystem::path cache{cache_folder()};
  Seconds limit{120.0};  // after which a compiler is ended
  // Asked while one runs, which ends where it says so or throws.
  std::function<bool()> is_stopped{};
};

// The compiler's path; empty where there is none. Throws InputError where $MAKESPAN_CXX names
// something else than a program.
[[nodiscard]] std::filesystem::path find_compiler(CompilerOptions const& options = {});

enum class Unloading : std::uint8_t {
  with_owner,
  // Of code for GPUs: a runtime may take the kernels of a library for those of one that was
  // unloaded, if it is loaded to the same addresses (chipStar does).
  never,
};

// A shared library.
class KernelLibrary {
 public:
  // Throws InputError where the system does not load it.
  explicit KernelLibrary(std::filesystem::path const& path,
                         Unloading unloading = Unloading::with_owner);
  KernelLibrary(KernelLibrary const&) = delete;
  KernelLibrary& operator=(KernelLibrary const&) = delete;
  KernelLibrary(KernelLibrary&& other) noexcept;
  KernelLibrary& operator=(KernelLibrary&&) = delete;
  ~KernelLibrary();

  // Null where there is no such symbol.
  [[nodiscard]] void* symbol(char const* name) const;

 private:
  void* handle_;
};

// Compiles the source, unless the same source was compiled by the same compiler on such a processor
// before. Blocks, for about a second. Throws NotConfigured where there is no compiler, and
// InputError with the compiler's own message where it fails or does not end. Tested by
// tests/grid/compile/compiler_test.cpp.
[[nodiscard]] KernelLibrary compiled(std::string const& source, CompilerOptions const& options);

}  // namespace makespan::grid

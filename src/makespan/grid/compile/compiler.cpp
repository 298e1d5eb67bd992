// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/compiler.hpp"

#include <dlfcn.h>

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/grid/compile/detail/child_process.hpp"
#include "makespan/grid/compile/detail/library_build.hpp"

namespace makespan::grid {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view compiler_variable = "MAKESPAN_CXX";
constexpr std::array<std::string_view, 3> known{"c++", "g++", "clang++"};

// What tells this kind of processor from others, for which -march=native is something else.
// All lines up to the first empty one: those of the first processor.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string found;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    for (std::string_view const name :
         {"vendor_id", "cpu family", "model", "flags", "Features", "CPU part", "CPU implementer"}) {
      if (line.starts_with(name)) found += line + "\n";
    }
  }
  return found;
}

// GCC spills addresses into vector registers for some processors, which costs a kernel of many rows
// a twelfth of its speed (docs/performance/grids.md). Clang knows no such option, and needs none.
std::vector<std::string> probe_flags([[maybe_unused]] fs::path const& compiler,
                                     [[maybe_unused]] fs::path const& messages,
                                     [[maybe_unused]] Seconds limit) {
#if defined(__x86_64__)
  ChildOutcome const outcome = run_child({compiler.string(), "--version"}, messages, limit);
  if (outcome.is_ended && text_of(messages).find("Free Software Foundation") != std::string::npos) {
    return {"-mtune-ctrl=^inter_unit_moves_to_vec,^inter_unit_moves_from_vec"};
  }
#endif
  return {};
}

}  // namespace

fs::path find_compiler(CompilerOptions const& options) {
  if (!options.command.empty()) return program_in_path(options.command);
  fs::path named = program_of(compiler_variable, "g++");
  if (!named.empty()) return named;
  for (std::string_view const name : known) {
    fs::path found = program_in_path(name);
    if (!found.empty()) return found;
  }
  return {};
}

KernelLibrary::KernelLibrary(fs::path const& path, Unloading unloading)
    // Now: a symbol that is missing is told here, not in a sweep. Local: all kernels have the same
    // symbols.
    : handle_{::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL |
                                         (unloading == Unloading::never ? RTLD_NODELETE : 0))} {
  if (handle_ != nullptr) return;
  char const* const why = ::dlerror();
  throw InputError(path.string(), why == nullptr ? "it is no library" : why,
                   "delete it, and let it be compiled again");
}

KernelLibrary::KernelLibrary(KernelLibrary&& other) noexcept
    : handle_{std::exchange(other.handle_, nullptr)} {
}

KernelLibrary::~KernelLibrary() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

void* KernelLibrary::symbol(char const* name) const {
  return ::dlsym(handle_, name);
}

KernelLibrary compiled(std::string const& source, CompilerOptions const& options) {
  fs::path const compiler = find_compiler(options);
  if (compiler.empty()) {
    throw NotConfigured(
        "no C++ compiler is here to compile an update (c++, g++ or clang++ in PATH, or "
        "MAKESPAN_CXX): install one, or have the update interpreted (kernel=\"interpreted\")");
  }
  // Contracted, a kernel would have other bits than the interpreter. Without errno a square root is
  // one instruction.
  std::vector<std::string> command{compiler.string(), "-std=c++17", "-O3",
                                   "-fPIC",           "-shared",    "-ffp-contract=off",
                                   "-fno-math-errno", "-w"};
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  return library_of(
      source,
      {.command = std::move(command),
       // Part of the cache key: raise it where the flags above change.
       .key = "3 " + processor(),
       .more = [&](fs::path const& about) { return probe_flags(compiler, about, options.limit); },
       .remedy = "name another compiler by MAKESPAN_CXX, or have the update interpreted "
                 "(kernel=\"interpreted\")",
       .cache = options.cache,
       .limit = options.limit,
       .is_stopped = options.is_stopped});
}

}  // namespace makespan::grid

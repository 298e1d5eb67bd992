// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/gpu_compiler.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/grid/compile/detail/library_build.hpp"

namespace makespan::grid {

namespace fs = std::filesystem;

fs::path find_gpu_compiler(GpuCompilerOptions const& options) {
  if (!options.command.empty()) return program_in_path(options.command);
  fs::path named = program_of("MAKESPAN_NVCC", "/usr/local/cuda/bin/nvcc");
  if (!named.empty()) return named;
  fs::path found = program_in_path("nvcc");
  // Installers of CUDA leave PATH to the user.
  for (char const* const name : {"CUDA_HOME", "CUDA_PATH"}) {
    char const* const folder = std::getenv(name);
    if (!found.empty() || folder == nullptr || *folder == '\0') continue;
    found = program_in_path((fs::path(folder) / "bin" / "nvcc").string());
  }
  return found.empty() ? program_in_path("/usr/local/cuda/bin/nvcc") : found;
}

namespace {

// What nvcc takes besides its command.
std::string variables_of_nvcc() {
  std::string found;
  for (char const* const name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN"}) {
    char const* const value = std::getenv(name);
    found += std::string(value == nullptr ? "" : value) + "\n";
  }
  return found;
}

}  // namespace

KernelLibrary gpu_compiled(std::string const& source, GpuCompilerOptions const& options) {
  fs::path const compiler = find_gpu_compiler(options);
  if (compiler.empty()) {
    throw NotConfigured(
        "no compiler is here to compile an update for a GPU (nvcc in PATH, in the folder bin of "
        "$CUDA_HOME, $CUDA_PATH or /usr/local/cuda, or MAKESPAN_NVCC): install CUDA's, or leave "
        "GPUs out");
  }
  // Contracted, an update would have other bits than a processor's.
  std::vector<std::string> command{compiler.string(),
                                   "-std=c++17",
                                   "-O3",
                                   "-fmad=false",
                                   "-shared",
                                   "-Xcompiler=-fPIC",
                                   "-Xcompiler=-w",
                                   "-x",
                                   "cu",
                                   "-arch=sm_" + std::to_string(options.capability)};
  return library_of(source, {.command = std::move(command),
                             .key = "gpu 1 " + variables_of_nvcc(),
                             .suffix = ".cu",
                             .remedy = "name another compiler by MAKESPAN_NVCC, or leave GPUs out",
                             .unloading = Unloading::never,
                             .cache = options.cache,
                             .limit = options.limit});
}

}  // namespace makespan::grid

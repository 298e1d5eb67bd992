// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/loaded/detail/mpi_search.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace makespan::pgas {

namespace {

namespace fs = std::filesystem;

#if defined(__aarch64__)
constexpr char const* debian_folder = "lib/aarch64-linux-gnu";
#else
constexpr char const* debian_folder = "lib/x86_64-linux-gnu";
#endif

// Below a prefix. The last one is Intel MPI's.
constexpr std::array library_folders{"lib", debian_folder, "lib64", "lib/release"};

struct ProgramMark {
  std::string_view part;  // of the file's name
  std::optional<MpiAbi> abi;
};

// Names that belong to one MPI come before names that several of them use.
constexpr std::array program_marks{
    ProgramMark{"hydra", MpiAbi::mpich},   ProgramMark{"mpich", MpiAbi::mpich},
    ProgramMark{"orte", MpiAbi::open_mpi}, ProgramMark{"prte", MpiAbi::open_mpi},
    ProgramMark{"ompi", MpiAbi::open_mpi}, ProgramMark{"openmpi", MpiAbi::open_mpi},
    ProgramMark{"mpiexec", std::nullopt},  ProgramMark{"mpirun", std::nullopt},
};

class CandidateList {
 public:
  explicit CandidateList(std::vector<MpiAbi> const& abis) : abis_{abis} {}

  void add_prefix(fs::path const& prefix) {
    for (char const* const below : library_folders) add_folder(prefix / below);
  }
  void add_folder(fs::path const& folder) {
    for (MpiAbi const abi : abis_) {
      for (std::string_view const soname : sonames_of(abi)) add({abi, folder / soname});
    }
  }
  [[nodiscard]] std::vector<MpiCandidate> take() { return std::move(all_); }

 private:
  void add(MpiCandidate candidate) {
    if (std::ranges::find(all_, candidate) == all_.end()) all_.push_back(std::move(candidate));
  }

  std::vector<MpiAbi> const& abis_;
  std::vector<MpiCandidate> all_;
};

}  // namespace

std::vector<MpiAbi> abis_of(LauncherKind kind) {
  switch (kind) {
    case LauncherKind::open_mpi:
      return {MpiAbi::open_mpi};
    case LauncherKind::pmi:
      return {MpiAbi::mpich};
    case LauncherKind::any:
      return {MpiAbi::open_mpi, MpiAbi::mpich};
    case LauncherKind::none:
      break;
  }
  return {};
}

std::optional<LauncherProgram> launcher_program(fs::path const& executable) {
  std::string const name = executable.filename().string();
  for (auto const& [part, abi] : program_marks) {
    if (name.find(part) != std::string::npos) return LauncherProgram{abi};
  }
  return std::nullopt;
}

std::vector<MpiCandidate> mpi_candidates(MpiSearch const& search) {
  CandidateList candidates(search.abis);
  for (fs::path const& ancestor : search.ancestors) {
    // A launcher is <prefix>/bin/mpiexec or the like.
    if (launcher_program(ancestor)) candidates.add_prefix(ancestor.parent_path().parent_path());
  }
  for (fs::path const& prefix : search.prefixes) candidates.add_prefix(prefix);
  for (fs::path const& folder : search.folders) candidates.add_folder(folder);
  // Last, names without a folder: the loader has places of its own (its cache, run paths).
  candidates.add_folder({});
  return candidates.take();
}

std::vector<fs::path> loader_folders(std::string_view list) {
  std::vector<fs::path> folders;
  while (!list.empty()) {
    std::size_t const end = std::min(list.find(':'), list.size());
    if (end > 0) folders.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  for (char const* const below : {"local/lib", debian_folder, "lib64", "lib"}) {
    folders.push_back(fs::path("/usr") / below);
  }
  return folders;
}

std::optional<fs::path> prefix_of(fs::path const& folder) {
  fs::path const packages = folder.parent_path();
  fs::path const python = packages.parent_path();
  bool const is_installed =
      (packages.filename() == "site-packages" || packages.filename() == "dist-packages") &&
      python.filename().string().starts_with("python");
  if (!is_installed) return std::nullopt;
  return python.parent_path().parent_path();
}

}  // namespace makespan::pgas

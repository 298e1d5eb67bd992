// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/loaded/loaded_mpi.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/mpi_provider.hpp"
#include "makespan/pgas/mpi/loaded/detail/mpi_search.hpp"
#include "makespan/pgas/mpi/loaded/detail/plugin_loader.hpp"
#include "makespan/pgas/mpi/loaded/detail/process_ancestors.hpp"
#include "makespan/pgas/mpi/loaded/detail/shared_library.hpp"

namespace makespan::pgas {

namespace {

namespace fs = std::filesystem;

// A fact about the process, as MPI itself is one.
struct ProcessMpi {
  std::mutex lock;  // of all but `used`
  std::vector<fs::path> prefixes;
  MpiAbi abi{};
  fs::path file;
  std::atomic<MpiBackend*> used{nullptr};
};

ProcessMpi& process_mpi() {
  static ProcessMpi only;
  return only;
}

struct Library {
  MpiAbi abi{};
  SharedLibrary shared;
};

std::string variable(char const* name) {
  char const* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

bool is_there(fs::path const& file) {
  std::error_code unknown;
  return fs::exists(file, unknown);
}

bool says_yes(SharedLibrary const& library, char const* question) {
  auto const ask = library.find_function<int (*)(int*)>(question);
  int flag = 0;
  return ask != nullptr && ask(&flag) == 0 && flag != 0;
}

bool is_running(SharedLibrary const& library) {
  return says_yes(library, "MPI_Initialized") && !says_yes(library, "MPI_Finalized");
}

// Those that another library of this process has loaded.
std::vector<Library> open_libraries() {
  std::vector<Library> open;
  for (MpiAbi const abi : mpi_abis) {
    for (auto const soname : sonames_of(abi)) {
      auto library = SharedLibrary::find_open(std::string(soname));
      if (library.is_open()) open.push_back({abi, std::move(library)});
    }
  }
  return open;
}

// By what the library is made of, whatever it is called.
std::optional<MpiAbi> abi_of(SharedLibrary const& library) {
  if (library.find("ompi_mpi_comm_world") != nullptr) return MpiAbi::open_mpi;
  // MPICH 5 also comes as a library of the ABI that MPI 5 defines, in which handles differ.
  bool const is_standard = library.file().filename().string().starts_with("libmpi_abi");
  if (library.find("MPI_Init_thread") == nullptr || is_standard) return std::nullopt;
  return MpiAbi::mpich;
}

Library open_named(std::string const& file, Launch const& launch) {
  std::string const problem = std::string(mpi_library_variable) + " = " + file;
  std::string const right = "name the MPI library (libmpi.so.…) of what launched this, " +
                            launch.launcher + ", or unset it";
  // For all: what an MPI loads itself later looks for the symbols of its library.
  auto library = SharedLibrary::open(file, Symbols::for_all);
  if (!library.is_open()) throw InputError(problem, library.error(), right);
  auto const abi = abi_of(library);
  if (!abi) throw InputError(problem, "it is no library of MPICH's or Open MPI's ABI", right);
  return {*abi, std::move(library)};
}

MpiSearch search_for(std::vector<MpiAbi> abis, std::vector<fs::path> ancestors) {
  MpiSearch search{.abis = std::move(abis),
                   .ancestors = std::move(ancestors),
                   .prefixes = process_mpi().prefixes,
                   .folders = loader_folders(variable("LD_LIBRARY_PATH"))};
  if (auto prefix = prefix_of(folder_of_this_code())) search.prefixes.push_back(*std::move(prefix));
  return search;
}

[[noreturn]] void not_found(Launch const& launch, std::string const& failure) {
  std::string names;
  std::string packages;
  for (MpiAbi const abi : abis_of(launch.kind)) {
    for (auto const soname : sonames_of(abi))
      names.append(names.empty() ? "" : ", ").append(soname);
    packages.append(packages.empty() ? "" : " or ").append(name_of(abi));
  }
  std::string why = "no MPI library of its kind (" + names +
                    ") is beside the launcher, below Python's prefix, or where the loader looks";
  if (!failure.empty()) why += "; " + failure;
  throw InputError("launched by " + launch.launcher, why,
                   std::string("set ") + mpi_library_variable +
                       " to the launcher's MPI library, or install one: pip install " + packages);
}

// A job of one can do without.
std::optional<Library> open_candidate(Launch const& launch) {
  std::string failure;
  for (auto const& [abi, file] :
       mpi_candidates(search_for(abis_of(launch.kind), process_ancestors()))) {
    // A bare name is for the loader to find; only a file in a folder can be looked at before.
    if (file.has_parent_path() && !is_there(file)) continue;
    auto library = SharedLibrary::open(file, Symbols::for_all);
    if (library.is_open()) return Library{abi, std::move(library)};
    // The first that is there and does not load is what the user wants to read of.
    if (file.has_parent_path() && failure.empty()) failure = library.error();
  }
  if (launch.size == 1) return std::nullopt;
  not_found(launch, failure);
}

std::optional<Library> choose(Launch const& launch) {
  auto const open = open_libraries();
  for (Library const& library : open) {
    // That of mpi4py, or of a program around this: a process has one MPI, whatever launched it.
    if (is_running(library.shared)) return library;
  }
  if (!launch.is_launched()) return std::nullopt;
  std::string const named = variable(mpi_library_variable);
  if (!named.empty()) return open_named(named, launch);
  auto const abis = abis_of(launch.kind);
  for (Library const& library : open) {
    if (std::ranges::find(abis, library.abi) != abis.end()) return library;
  }
  return open_candidate(launch);
}

}  // namespace

MpiBackend* mpi_for(Launch const& launch) {
  ProcessMpi& mpi = process_mpi();
  std::scoped_lock const lock(mpi.lock);
  if (mpi.used != nullptr) return mpi.used;
  auto const library = choose(launch);
  if (!library) return nullptr;
  // The plugin's calls of MPI must find it. Of another MPI that is loaded as well they must not.
  library->shared.show_to_all();
  fs::path const file = library->shared.file();
  mpi.used = &open_plugin(plugin_file(folder_of_this_code(), library->abi), file);
  mpi.abi = library->abi;
  mpi.file = file;
  return mpi.used;
}

MpiBackend* mpi_in_use() noexcept {
  return process_mpi().used;
}

void set_mpi_prefixes(std::vector<fs::path> prefixes) {
  ProcessMpi& mpi = process_mpi();
  std::scoped_lock const lock(mpi.lock);
  mpi.prefixes = std::move(prefixes);
}

std::optional<LoadedMpi> loaded_mpi() {
  ProcessMpi& mpi = process_mpi();
  std::scoped_lock const lock(mpi.lock);
  if (mpi.used == nullptr) return std::nullopt;
  return LoadedMpi{.abi = mpi.abi, .name = mpi.used.load()->library_name(), .file = mpi.file};
}

std::vector<FoundMpi> find_mpis(fs::path const& launcher) {
  ProcessMpi& mpi = process_mpi();
  std::scoped_lock const lock(mpi.lock);
  std::error_code unknown;
  fs::path const program = launcher.empty() ? launcher : fs::canonical(launcher, unknown);
  auto const known = launcher_program(program);
  std::vector<FoundMpi> found;
  for (MpiAbi const abi : mpi_abis) {
    if (known && known->abi && known->abi != abi) continue;
    std::vector<fs::path> ancestors;
    if (!program.empty()) ancestors.push_back(program);
    auto const candidates = mpi_candidates(search_for({abi}, std::move(ancestors)));
    auto const first = std::ranges::find_if(candidates, [](MpiCandidate const& candidate) {
      return candidate.file.has_parent_path() && is_there(candidate.file);
    });
    if (first == candidates.end()) continue;
    fs::path const plugin = plugin_file(folder_of_this_code(), abi);
    found.push_back(
        {.abi = abi, .file = first->file, .plugin = plugin, .has_plugin = is_there(plugin)});
  }
  return found;
}

}  // namespace makespan::pgas

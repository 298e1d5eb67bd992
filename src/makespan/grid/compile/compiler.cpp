// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/compiler.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/grid/compile/detail/child_process.hpp"

namespace makespan::grid {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view variable = "MAKESPAN_CXX";
constexpr std::array<std::string_view, 3> known{"c++", "g++", "clang++"};

bool is_program(fs::path const& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

fs::path in_path(std::string_view name) {
  if (name.find('/') != std::string_view::npos) return is_program(name) ? fs::path(name) : "";
  char const* const all = std::getenv("PATH");
  std::stringstream folders(all == nullptr ? "" : all);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path const path = fs::path(folder) / name;
    if (is_program(path)) return path;
  }
  return {};
}

std::string text_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream out;
  out << file.rdbuf();
  return std::move(out).str();
}

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

// A program replaced by another one has another time or length.
std::string identity_of(fs::path const& program) {
  std::error_code error;
  fs::path const real = fs::canonical(program, error);
  struct stat about{};
  if (error || ::stat(real.c_str(), &about) != 0) return program.string();
  return real.string() + " " + std::to_string(about.st_size) + " " +
         std::to_string(about.st_mtim.tv_sec);
}

std::string hash_of(std::string const& text) {
  std::array<char, 20> hex{};
  std::uint64_t const hash = fnv1a(std::as_bytes(std::span(text)));
  auto const end = std::to_chars(hex.data(), hex.data() + hex.size(), hash, 16);
  return {hex.data(), end.ptr};
}

// The user's own file, which no other user could have changed.
bool is_ours(fs::path const& path) {
  struct stat about{};
  // Of a link itself: where it leads another user may change.
  return ::lstat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         about.st_uid == ::geteuid() && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// A folder of this process alone, gone with its owner.
class DraftFolder {
 public:
  DraftFolder() {
    std::string name = (fs::temp_directory_path() / "makespan-kernel-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw InputError("no folder for a compiler to work in",
                       fs::temp_directory_path().string() + " cannot be written",
                       "set TMPDIR to a folder that can");
    }
    path_ = name;
  }
  DraftFolder(DraftFolder const&) = delete;
  DraftFolder& operator=(DraftFolder const&) = delete;
  ~DraftFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  [[nodiscard]] fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

std::string shortened(std::string text) {
  constexpr std::size_t most = 2000;
  if (text.size() > most) text = text.substr(0, most) + "\n...";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void run_compiler(std::vector<std::string> const& command, fs::path const& messages,
                  Seconds limit) {
  ChildOutcome const outcome = run_child(command, messages, limit);
  // Where the system tells no status, the library does.
  bool const is_there = fs::exists(fs::path(command.back()));
  if (outcome.is_started && outcome.is_ended && outcome.status == 0 && is_there) return;
  std::string why = shortened(text_of(messages));
  if (!outcome.is_started) why = "it could not be started";
  if (outcome.is_started && !outcome.is_ended) {
    why = "it did not end within " + short_text(limit.value()) + " s";
  }
  throw InputError(command.front() + " failed to compile an update", why,
                   "name another compiler by " + std::string(variable) +
                       ", or have the update interpreted (kernel=\"interpreted\")");
}

// GCC spills addresses into vector registers for some processors, which costs a kernel of many rows
// a twelfth of its speed (docs/performance/grids.md). Clang knows no such option, and needs none.
std::vector<std::string> own_flags([[maybe_unused]] fs::path const& compiler,
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

// The folder of kernels in a cache, made if there is none; empty where another user could write
// there.
fs::path kernel_folder(fs::path const& cache) {
  if (cache.empty()) return {};
  fs::path folder = cache / "kernels";
  std::error_code error;
  fs::create_directories(cache, error);
  // It has its rights from the first moment on: at none can another user put something there.
  static_cast<void>(::mkdir(folder.c_str(), S_IRWXU));
  struct stat about{};
  bool const is_own = ::lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
                      about.st_uid == ::geteuid() && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return is_own ? folder : fs::path();
}

// Into the cache, under its name only when it is whole. The library may be loaded from where it is
// if that fails.
fs::path kept(fs::path const& library, fs::path const& place) {
  if (place.empty()) return library;
  // In the same folder, so that it is renamed within a file system; and of this call alone, since
  // other processes may compile the same now.
  std::string draft = place.string() + ".XXXXXX";
  int const file = ::mkstemp(draft.data());
  if (file < 0) return library;
  ::close(file);
  std::error_code error;
  fs::copy_file(library, draft, fs::copy_options::overwrite_existing, error);
  if (!error) fs::permissions(draft, fs::perms::owner_all, error);
  if (!error) fs::rename(draft, place, error);
  if (!error && is_ours(place)) return place;
  std::error_code ignored;
  fs::remove(draft, ignored);
  return library;
}

// What was compiled before, unless it does not load any more: then it is compiled again.
std::optional<KernelLibrary> kept_before(fs::path const& place) {
  if (place.empty() || !is_ours(place)) return std::nullopt;
  try {
    return KernelLibrary(place);
  } catch (InputError const&) {
    std::error_code ignored;
    fs::remove(place, ignored);
    return std::nullopt;
  }
}

}  // namespace

fs::path find_compiler(CompilerOptions const& options) {
  if (!options.command.empty()) return in_path(options.command);
  char const* const named = std::getenv(std::string(variable).c_str());
  if (named != nullptr && *named != '\0') {
    fs::path found = in_path(named);
    if (found.empty()) {
      throw InputError(std::string(variable) + "=" + named, "there is no such program",
                       "name a C++ compiler, such as g++, or unset it");
    }
    return found;
  }
  for (std::string_view const name : known) {
    fs::path found = in_path(name);
    if (!found.empty()) return found;
  }
  return {};
}

KernelLibrary::KernelLibrary(fs::path const& path)
    : handle_{::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)} {
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
  if (compiler.empty()) not_configured("a C++ compiler (c++, g++ or clang++ in PATH)");
  // Contracted, a kernel would have other bits than the interpreter. Without errno a square root is
  // one instruction.
  std::vector<std::string> command{compiler.string(), "-std=c++17", "-O3",
                                   "-fPIC",           "-shared",    "-ffp-contract=off",
                                   "-fno-math-errno", "-w"};
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  // The number counts what is asked of the compiler besides.
  std::string key = "2 " + source + identity_of(compiler) + processor();
  for (std::string const& word : command) key += word + " ";
  fs::path const folder = kernel_folder(options.cache);
  fs::path const place =
      folder.empty() ? fs::path() : folder / (hash_of(key) + "-" + hash_of(source) + ".so");
  if (auto library = kept_before(place)) return std::move(*library);
  // Not in the cache: what a compiler leaves when it is ended goes with the folder.
  DraftFolder const draft;
  fs::path const text = draft.path() / "kernel.cpp";
  fs::path const library = draft.path() / "kernel.so";
  std::ofstream(text) << source;
  // No part of the key: they follow from the compiler, which is.
  for (std::string& flag : own_flags(compiler, draft.path() / "version", options.limit)) {
    command.push_back(std::move(flag));
  }
  command.insert(command.end(), {text.string(), "-o", library.string()});
  run_compiler(command, draft.path() / "messages", options.limit);
  // It stays loaded when the folder that it may lie in is gone.
  return KernelLibrary(kept(library, place));
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/library_build.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/grid/compile/detail/child_process.hpp"

namespace makespan::grid {

namespace fs = std::filesystem;

namespace {

bool is_program(fs::path const& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
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
    std::error_code error;
    fs::path folder = fs::temp_directory_path(error);
    char const* const named = std::getenv("TMPDIR");
    if (error && named != nullptr) folder = named;
    std::string name = (folder / "makespan-kernel-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
      throw InputError("no folder for a compiler to work in",
                       folder.string() + (error ? " is no folder" : " cannot be written"),
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

  // A compiler would say of a source that was cut short what is wrong with that.
  void write(fs::path const& file, std::string const& text) const {
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (out) return;
    throw InputError(
        "no room for a compiler to work in",
        path_.parent_path().string() + " took no file of " + std::to_string(text.size()) + " bytes",
        "make room there, or set TMPDIR to a folder that has some");
  }

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
                  LibraryRecipe const& recipe) {
  ChildOutcome const outcome = run_child(command, messages, recipe.limit, recipe.is_stopped);
  // Where the system tells no status, the library does.
  bool const is_there = fs::exists(fs::path(command.back()));
  if (outcome.is_started && outcome.is_ended && outcome.status == 0 && is_there) return;
  std::string why = shortened(text_of(messages));
  if (!outcome.is_started) why = "it could not be started";
  if (outcome.is_started && !outcome.is_ended) {
    why = "it did not end within " + short_text(recipe.limit.value()) + " s";
  }
  if (outcome.is_stopped) why = "it was stopped";
  throw InputError(command.front() + " failed to compile an update", why, recipe.remedy);
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

// Behind a library's own bytes, where no loader looks: a bit that a disk turned would load as well.
std::string checksum_of(std::string_view library) {
  std::uint64_t const hash = fnv1a(std::as_bytes(std::span(library)));
  std::array<char, sizeof hash> bytes{};
  std::memcpy(bytes.data(), &hash, sizeof hash);
  return {bytes.data(), bytes.size()};
}

bool has_its_checksum(std::string_view file) {
  if (file.size() < sizeof(std::uint64_t)) return false;
  std::size_t const end = file.size() - sizeof(std::uint64_t);
  return file.substr(end) == checksum_of(file.substr(0, end));
}

// Into the cache, under its name only when it is whole. The library may be loaded from where it is
// if that fails.
fs::path kept(fs::path const& library, fs::path const& place) {
  if (place.empty()) return library;
  // Before there is a draft: no memory for them would leave it behind.
  std::string bytes = text_of(library);
  std::size_t const library_bytes = bytes.size();
  bytes += checksum_of(bytes);
  // In the same folder, so that it is renamed within a file system; and of this call alone, since
  // other processes may compile the same now.
  std::string draft = place.string() + ".XXXXXX";
  int const file = ::mkstemp(draft.data());
  if (file < 0) return library;
  ::close(file);
  std::ofstream out(draft, std::ios::binary);
  out << bytes;
  out.close();
  std::error_code error;
  bool const is_whole = out && library_bytes == fs::file_size(library, error);
  if (!is_whole) error = std::make_error_code(std::errc::io_error);
  if (!error) fs::permissions(draft, fs::perms::owner_all, error);
  if (!error) fs::rename(draft, place, error);
  if (!error && is_ours(place)) return place;
  std::error_code ignored;
  fs::remove(draft, ignored);
  return library;
}

// Of a file that may be another machine's.
std::optional<KernelLibrary> opened(fs::path const& place, Unloading unloading) {
  try {
    return KernelLibrary(place, unloading);
  } catch (InputError const&) {
    return std::nullopt;
  }
}

// What was compiled before, unless it was damaged since: then it is compiled again.
std::optional<KernelLibrary> kept_before(fs::path const& place, Unloading unloading) {
  if (place.empty() || !is_ours(place)) return std::nullopt;
  if (has_its_checksum(text_of(place))) {
    if (std::optional<KernelLibrary> kept = opened(place, unloading)) return kept;
  }
  std::error_code ignored;
  fs::remove(place, ignored);
  return std::nullopt;
}

}  // namespace

fs::path program_in_path(std::string_view name) {
  if (name.find('/') != std::string_view::npos) return is_program(name) ? fs::path(name) : "";
  char const* const all = std::getenv("PATH");
  std::stringstream folders(all == nullptr ? "" : all);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path const path = fs::path(folder) / name;
    if (is_program(path)) return path;
  }
  return {};
}

fs::path program_of(std::string_view variable, std::string_view example) {
  char const* const named = std::getenv(std::string(variable).c_str());
  if (named == nullptr || *named == '\0') return {};
  fs::path found = program_in_path(named);
  if (found.empty()) {
    throw InputError(std::string(variable) + "=" + named, "there is no such program",
                     "name a compiler, such as " + std::string(example) + ", or unset it");
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

std::string text_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream out;
  out << file.rdbuf();
  return std::move(out).str();
}

KernelLibrary library_of(std::string const& source, LibraryRecipe const& recipe) {
  std::string key = recipe.key + source + identity_of(recipe.command.front());
  for (std::string const& word : recipe.command) key += word + " ";
  fs::path const folder = kernel_folder(recipe.cache);
  // Two hashes of 64 bits: for another source to be taken for this one, both would have to agree.
  fs::path const place =
      folder.empty() ? fs::path() : folder / (hash_of(key) + "-" + hash_of(source) + ".so");
  if (auto library = kept_before(place, recipe.unloading)) return std::move(*library);
  // Not in the cache: what a compiler leaves when it is ended goes with the folder.
  DraftFolder const draft;
  fs::path const text = draft.path() / ("kernel" + std::string(recipe.suffix));
  fs::path const library = draft.path() / "kernel.so";
  draft.write(text, source);
  std::vector<std::string> command = recipe.command;
  // No part of the key: they follow from the compiler, which is part of it.
  if (recipe.more) {
    for (std::string& flag : recipe.more(draft.path() / "about")) {
      command.push_back(std::move(flag));
    }
  }
  command.insert(command.end(), {text.string(), "-o", library.string()});
  run_compiler(command, draft.path() / "messages", recipe);
  // It stays loaded when the folder that it may lie in is gone.
  return KernelLibrary(kept(library, place), recipe.unloading);
}

}  // namespace makespan::grid

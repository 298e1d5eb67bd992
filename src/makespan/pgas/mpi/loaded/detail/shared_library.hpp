// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared libraries that are opened while the program runs, and stay: code and types of theirs may
// be in use until the process ends.

#include <filesystem>
#include <string>

namespace makespan::pgas {

enum class Symbols {
  for_all,  // libraries opened later find this one's symbols
  own,
};

class SharedLibrary {
 public:
  // Of none.
  SharedLibrary() = default;

  // `file` with a folder is that file; without, the loader looks for it. All that it needs must be
  // there. None, with error() saying why, where it cannot be opened.
  [[nodiscard]] static SharedLibrary open(std::filesystem::path const& file, Symbols symbols);

  // One that this process has already; else none. Its symbols are for whom they were before.
  [[nodiscard]] static SharedLibrary find_open(std::string const& soname);
  // From now on its symbols are for all, also where it was loaded for its user alone.
  void show_to_all() const;

  [[nodiscard]] bool is_open() const { return handle_ != nullptr; }
  [[nodiscard]] std::string const& error() const { return error_; }

  // The file that was opened.
  [[nodiscard]] std::filesystem::path file() const;

  // Null where it has none of this name.
  [[nodiscard]] void* find(char const* symbol) const;
  template <class Function>
  [[nodiscard]] Function find_function(char const* symbol) const {
    return reinterpret_cast<Function>(find(symbol));
  }

 private:
  explicit SharedLibrary(void* handle) : handle_{handle} {}

  void* handle_{nullptr};
  std::string error_;
};

// The folder of the library or program that this code is part of.
[[nodiscard]] std::filesystem::path folder_of_this_code();

}  // namespace makespan::pgas

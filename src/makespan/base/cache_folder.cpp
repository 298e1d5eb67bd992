// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/cache_folder.hpp"

#include <cstdlib>

namespace makespan {

namespace fs = std::filesystem;

fs::path cache_folder() {
  char const* const base = std::getenv("XDG_CACHE_HOME");
  // The specification has paths that are not absolute ignored.
  if (base != nullptr && fs::path(base).is_absolute()) return fs::path(base) / "makespan";
  char const* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".cache" / "makespan";
}

}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a user's programs keep what they could find again.

#include <filesystem>

namespace makespan {

// makespan's folder in $XDG_CACHE_HOME, or in ~/.cache; empty where there is neither. It need not
// exist (XDG Base Directory Specification). Tested by tests/base/cache_folder_test.cpp.
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace makespan

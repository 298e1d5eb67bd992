// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much of a field stays near a core.

#include <cstdint>
#include <filesystem>

namespace makespan::grid {

// In bytes.
struct CacheSizes {
  std::int64_t core{};    // the last cache that the core has for itself: the second level
  std::int64_t shared{};  // the largest that it shares with others
};

// Of core 0, as Linux tells; what most processors have where it does not. The C library's sysconf
// is no help: of a third level it may tell those of all cores of the socket together.
[[nodiscard]] CacheSizes cache_sizes();

// The same from a folder like /sys/devices/system/cpu/cpu0/cache.
// Tested by tests/grid/field/cache_sizes_test.cpp.
[[nodiscard]] CacheSizes cache_sizes_in(std::filesystem::path const& folder);

}  // namespace makespan::grid

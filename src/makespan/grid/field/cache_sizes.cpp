// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/field/cache_sizes.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace makespan::grid {

namespace {

namespace fs = std::filesystem;

constexpr CacheSizes usual{.core = std::int64_t{1} << 20, .shared = std::int64_t{32} << 20};
constexpr int indices = 8;  // no processor has as many caches

std::string word_in(fs::path const& file) {
  std::ifstream stream(file);
  std::string word;
  stream >> word;
  return word;
}

// As "32768K".
std::int64_t bytes_of(std::string const& text) {
  std::int64_t bytes = 0;
  std::size_t at = 0;
  // Of 12 digits not even megabytes run over; what has more is no size.
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && at < 12; ++at) {
    bytes = 10 * bytes + (text[at] - '0');
  }
  if (at == 0 || at + 1 < text.size()) return 0;
  if (at == text.size()) return bytes;
  return text[at] == 'K' ? bytes << 10U : text[at] == 'M' ? bytes << 20U : 0;
}

}  // namespace

CacheSizes cache_sizes_in(fs::path const& folder) {
  CacheSizes sizes{};
  for (int index = 0; index < indices; ++index) {
    fs::path const cache = folder / ("index" + std::to_string(index));
    std::string const level = word_in(cache / "level");
    std::int64_t const bytes = bytes_of(word_in(cache / "size"));
    if (level == "2") sizes.core = bytes;
    // Levels are single digits, so that their texts compare as the numbers do.
    if (level > "2") sizes.shared = std::max(sizes.shared, bytes);
  }
  if (sizes.core == 0) sizes.core = usual.core;
  if (sizes.shared == 0) sizes.shared = usual.shared;
  return sizes;
}

CacheSizes cache_sizes() {
  static CacheSizes const sizes = cache_sizes_in("/sys/devices/system/cpu/cpu0/cache");
  return sizes;
}

}  // namespace makespan::grid

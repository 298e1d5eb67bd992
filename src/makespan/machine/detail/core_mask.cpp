// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/core_mask.hpp"

#include <cstddef>
#include <limits>

namespace makespan::machine {

namespace {

constexpr std::size_t bits = std::numeric_limits<unsigned long>::digits;
// 1024 cores, as C libraries have them in a set; and far above what Linux can have (8192).
constexpr std::size_t words_min = 1024 / bits;
constexpr std::size_t words_max = (std::size_t{1} << 20) / bits;

}  // namespace

CoreMask mask_from(std::function<bool(std::span<unsigned long>)> const& is_given) {
  for (std::size_t words = words_min; words <= words_max; words *= 2) {
    CoreMask mask(words);
    if (is_given(mask)) return mask;
  }
  return {};
}

std::vector<int> cores_in(CoreMask const& mask) {
  std::vector<int> cores;
  for (std::size_t core = 0; core < mask.size() * bits; ++core) {
    if ((mask[core / bits] >> core % bits & 1UL) != 0) cores.push_back(static_cast<int>(core));
  }
  return cores;
}

CoreMask mask_with(int core) {
  if (core < 0 || static_cast<std::size_t>(core) >= words_max * bits) return {};
  auto const at = static_cast<std::size_t>(core);
  CoreMask mask(at / bits + 1);
  mask[at / bits] = 1UL << at % bits;
  return mask;
}

}  // namespace makespan::machine

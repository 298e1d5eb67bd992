// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sets of cores as the kernel has them: a bit for each number, in words, as many as there may be
// cores.

#include <functional>
#include <span>
#include <vector>

namespace makespan::machine {

// Bit c % 64 of word c / 64 is core c.
using CoreMask = std::vector<unsigned long>;

// What the kernel gives: `is_given` is asked with longer and longer masks, of zeros, and says
// whether one was long enough, and is filled then. Empty where none was. Tested by
// tests/machine/core_mask_test.cpp.
[[nodiscard]] CoreMask mask_from(std::function<bool(std::span<unsigned long>)> const& is_given);

// Rising.
[[nodiscard]] std::vector<int> cores_in(CoreMask const& mask);
// Empty for a core that no kernel has.
[[nodiscard]] CoreMask mask_with(int core);

}  // namespace makespan::machine

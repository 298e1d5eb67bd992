// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of the host, taken elsewhere, that kernels and copies of all GPUs reach while it is
// pinned.

#include <cstddef>
#include <memory>
#include <span>

namespace makespan::cuda {

// Pinned as long as the token lives, which must end before the memory. The same memory again is
// another token of the same. Empty where the system does not pin it. For any thread, whose GPU is
// chosen.
[[nodiscard]] std::shared_ptr<void> pinned(std::span<std::byte> memory);

}  // namespace makespan::cuda

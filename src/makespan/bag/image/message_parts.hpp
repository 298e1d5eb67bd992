// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several messages as one, each behind its length: what the threads of an image have to send.

#include <cstddef>
#include <span>
#include <vector>

namespace makespan::bag {

void append_part(std::vector<std::byte>& message, std::span<std::byte const> part);

// Those that were appended, in their order; they lie in `message`. Throws InputError where it ends
// within one. Tested by tests/bag/image/message_parts_test.cpp.
[[nodiscard]] std::vector<std::span<std::byte const>> parts_of(std::span<std::byte const> message);

}  // namespace makespan::bag

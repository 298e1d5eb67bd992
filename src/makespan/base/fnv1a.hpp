// SPDX-License-Identifier: Apache-2.0
#pragma once

// A checksum that finds what was cut or changed by accident.

#include <cstddef>
#include <cstdint>
#include <span>

namespace makespan {

// FNV-1a of 64 bits: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv. About a byte a
// nanosecond. Tested by tests/base/fnv1a_test.cpp.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::span<std::byte const> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::byte const byte : bytes) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
// What libFuzzer calls: the one target of this program.
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz_target.hpp"

// Found by its name.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  makespan::fuzz::FuzzTarget::all().front()->feed(std::as_bytes(std::span(data, size)));
  return 0;
}

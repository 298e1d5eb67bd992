// SPDX-License-Identifier: Apache-2.0
// Goal: every byte is copied and none beside them, from any place. Method: all lengths around the
// steps, with bytes around that must stay.
#include "makespan/pgas/transport/shm/detail/streaming_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

TEST(StreamingCopy, copies_any_length_from_any_place) {
  std::vector<unsigned char> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), static_cast<unsigned char>(1));
  auto const* const from = reinterpret_cast<std::byte const*>(numbers.data());
  for (std::size_t bytes = 0; bytes < 300; ++bytes) {
    std::size_t const shift = bytes % 19;
    alignas(16) std::array<std::byte, 400> to{};
    streaming_copy(to.data() + 16, from + shift, bytes);

    auto const begin = to.begin() + 16;
    auto const end = begin + static_cast<std::ptrdiff_t>(bytes);
    EXPECT_TRUE(std::equal(begin, end, from + shift));
    EXPECT_TRUE(std::all_of(to.begin(), begin, [](std::byte b) { return b == std::byte{}; }));
    EXPECT_TRUE(std::all_of(end, to.end(), [](std::byte b) { return b == std::byte{}; }));
  }
}

TEST(StreamingCopy, wants_an_aligned_place) {
  alignas(16) std::array<std::byte, 64> bytes{};
  std::array<std::byte, 32> const from{};

  EXPECT_THROW(streaming_copy(bytes.data() + 8, from.data(), 32), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas

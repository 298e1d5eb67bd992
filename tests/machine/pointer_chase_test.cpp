// SPDX-License-Identifier: Apache-2.0
// Goal: the cycle goes through all of the memory, in no order that a processor could guess.
#include "makespan/machine/detail/pointer_chase.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "makespan/machine/affinity.hpp"

namespace makespan::machine {
namespace {

// The strides in the order in which they are met, from the first until it is met again.
std::vector<std::uint64_t> walk(std::vector<std::byte> const& memory) {
  std::vector<std::uint64_t> met;
  std::uint64_t at = 0;
  do {
    met.push_back(at);
    std::memcpy(&at, memory.data() + at * chase_stride_bytes, sizeof at);
  } while (at != 0 && met.size() <= memory.size());
  return met;
}

TEST(PointerChase, cycle_meets_every_stride_once) {
  for (std::size_t const strides : {1U, 2U, 3U, 1000U}) {
    std::vector<std::byte> memory(strides * chase_stride_bytes);

    write_cycle(memory);

    auto const met = walk(memory);
    EXPECT_EQ(met.size(), strides);
    EXPECT_EQ(std::set(met.begin(), met.end()).size(), strides);
  }
}

TEST(PointerChase, neighbours_in_the_cycle_are_not_neighbours_in_memory) {
  std::vector<std::byte> memory(1000 * chase_stride_bytes);

  write_cycle(memory);

  auto const met = walk(memory);
  int near = 0;
  for (std::size_t i = 1; i < met.size(); ++i) near += met[i] - met[i - 1] + 2 <= 4 ? 1 : 0;
  EXPECT_LT(near, 20);  // of 1000: 4 by chance
}

TEST(PointerChase, measures_where_it_can_be_tied) {
  std::vector<std::byte> memory(1 << 16);
  write_cycle(memory);

  EXPECT_GT(load_latency(memory, allowed_cores().front(), Seconds{0.01}), Seconds{});
  EXPECT_EQ(load_latency(memory, -1, Seconds{0.01}), Seconds{});
}

}  // namespace
}  // namespace makespan::machine

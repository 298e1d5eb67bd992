// SPDX-License-Identifier: Apache-2.0
// Goal: the arrays hold what copy and triad leave, so all of the counted bytes were moved.
#include "makespan/machine/detail/stream.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "makespan/machine/affinity.hpp"

namespace makespan::machine {
namespace {

constexpr std::size_t count = 1001;  // does not divide evenly

std::vector<double> values_after(std::vector<std::byte> const& memory) {
  std::vector<double> values(3 * count);
  std::memcpy(values.data(), memory.data(), 3 * count * sizeof(double));
  return values;
}

TEST(Stream, every_element_is_worked_on) {
  std::vector<std::byte> memory(3 * count * sizeof(double) + 5);
  std::vector<double> before(3 * count, 2.0);
  for (std::size_t i = 0; i < count; ++i) before[count + i] = static_cast<double>(i);
  std::memcpy(memory.data(), before.data(), 3 * count * sizeof(double));
  std::vector<int> const cpus(3, allowed_cores().front());

  Bandwidth const found = stream_bandwidth(memory, cpus, Seconds{0.001});

  EXPECT_GT(found.copy, 0.0);
  EXPECT_GT(found.triad, 0.0);
  std::vector<double> const after = values_after(memory);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(after[i], static_cast<double>(i) + 3.0 * 2.0) << i;
  }
}

TEST(Stream, needs_every_core_that_is_named) {
  std::vector<std::byte> memory(3 * count * sizeof(double));

  Bandwidth const found = stream_bandwidth(memory, {allowed_cores().front(), -1}, Seconds{0.001});

  EXPECT_EQ(found.copy, 0.0);
  EXPECT_EQ(found.triad, 0.0);
}

}  // namespace
}  // namespace makespan::machine

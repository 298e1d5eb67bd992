// SPDX-License-Identifier: Apache-2.0
// Goal: links to GPUs that are there have costs, others none. Method: the GPUs of this machine, if
// it has any. What the numbers are is looked at for sense only.
#include "makespan/machine/detail/gpu_link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "makespan/cuda/gpu.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::machine {
namespace {

TEST(GpuLink, has_no_costs_where_there_is_no_gpu) {
  int const cpu = allowed_cores().front();

  EXPECT_EQ(gpu_link_costs("0000:ff:1f.7", cpu, Seconds{0.01}), LinkCosts{});
  EXPECT_EQ(gpu_link_costs("", cpu, Seconds{0.01}), LinkCosts{});
}

TEST(GpuLink, of_a_gpu_has_costs_that_links_have) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;
  std::string bus = cuda::discover().gpus.front().bus;
  std::ranges::transform(bus, bus.begin(), [](unsigned char c) { return std::tolower(c); });

  LinkCosts const found = gpu_link_costs(bus, allowed_cores().front(), Seconds{0.1});

  EXPECT_GT(found.latency, Seconds{1e-7});
  EXPECT_LT(found.latency, Seconds{1e-3});
  EXPECT_GT(found.upload, 1e8);
  EXPECT_LT(found.upload, 1e12);
  EXPECT_GT(found.download, 1e8);
  EXPECT_LT(found.download, 1e12);
}

TEST(GpuLink, has_no_costs_from_a_cpu_that_is_not_there) {
  if (cuda::discover().gpus.empty()) GTEST_SKIP() << cuda::discover().why_none;

  std::string const& bus = cuda::discover().gpus.front().bus;
  EXPECT_EQ(gpu_link_costs(bus, 1 << 20, Seconds{0.01}), LinkCosts{});
}

}  // namespace
}  // namespace makespan::machine

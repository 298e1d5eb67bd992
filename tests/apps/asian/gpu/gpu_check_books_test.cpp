// SPDX-License-Identifier: Apache-2.0
// Goal: what gpu_check will price on a machine with a GPU can be priced. Method: small books of its
// makers, on the CPU and by the CPU's emulation of a GPU.
#include "gpu_check_books.hpp"

#include <gtest/gtest.h>

#include <string>

#include "gpus_of_test.hpp"

namespace makespan::asian {
namespace {

void expect_priced_everywhere(BookColumns const& columns) {
  auto const gpus = gpus_of_test(1);
  std::vector<std::uint64_t> expected;
  for (std::string const devices : {"cpu", "cuda:0", "cpu cuda:0"}) {
    PricingSettings settings = settings_of(Method::mc, false, 1);
    settings.gpus = gpus.get();
    settings.devices = machine::devices_from(devices);
    PricingRun run{columns.book(), settings};

    EXPECT_TRUE(run.summary().complete);
    for (std::size_t row = 0; row < columns.spot.size(); ++row) {
      EXPECT_NE(run.results().status[row], RowStatus::pending) << "row " << row;
    }
    if (expected.empty()) expected = bits_of(run.results());
    EXPECT_EQ(bits_of(run.results()), expected) << devices;
  }
}

TEST(GpuCheckBooks, can_be_priced) {
  expect_priced_everywhere(desk_book(4, 0.0, 1 << 12));
  expect_priced_everywhere(desk_book(4, 0.05, 0));
  expect_priced_everywhere(many_kinds_book(is_small_build ? 2 : 5));
  expect_priced_everywhere(models_book());
  expect_priced_everywhere(surface_book());
}

}  // namespace
}  // namespace makespan::asian

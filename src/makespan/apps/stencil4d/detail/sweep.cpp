// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/detail/sweep.hpp"

#include <cstdint>

#include "makespan/apps/stencil4d/detail/halo.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::stencil4d {

namespace {

struct Strides {
  std::int64_t first;
  std::int64_t second;
  std::int64_t third;
};

// A row of `count` points. Pairs of opposite neighbours are added first: four sums that do not wait
// for each other.
void sweep_row(double const* __restrict from, double* __restrict to, int count,
               Strides const& strides) {
  constexpr double ninth = 1.0 / 9.0;
  double const* const a_low = from - strides.first;
  double const* const a_high = from + strides.first;
  double const* const b_low = from - strides.second;
  double const* const b_high = from + strides.second;
  double const* const c_low = from - strides.third;
  double const* const c_high = from + strides.third;
  for (std::int64_t at = 0; at < count; ++at) {
    double const far = (a_low[at] + a_high[at]) + (b_low[at] + b_high[at]);
    double const near = (c_low[at] + c_high[at]) + (from[at - 1] + from[at + 1]);
    to[at] = ((far + near) + from[at]) * ninth;
  }
}

}  // namespace

void sweep(std::span<double const> from, std::span<double> to, int side) {
  MAKESPAN_EXPECT(std::ssize(from) == halo_points(side));
  MAKESPAN_EXPECT(to.size() == from.size());
  Strides const strides{stride(side, 0), stride(side, 1), stride(side, 2)};
  double const* const begin = from.data();
  for_each_row(to, side, [&](std::span<double> row) {
    sweep_row(begin + (row.data() - to.data()), row.data(), side, strides);
  });
}

}  // namespace makespan::stencil4d

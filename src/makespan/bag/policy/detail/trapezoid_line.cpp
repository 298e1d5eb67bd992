// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/detail/trapezoid_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 2> trapezoid_line_help{{
    {"first_items", OptionKind::whole, 0.0, 0.0, 1e15,
     "items of the first chunk; 0 = half an even share"},
    {"last_items", OptionKind::whole, 1.0, 1.0, 1e9, "items of the last chunk"},
}};

}  // namespace

std::span<OptionHelp const> trapezoid_help() {
  return trapezoid_line_help;
}

TrapezoidEnds trapezoid_ends(CheckedOptions const& options) {
  return {options.whole("first_items"), options.whole("last_items")};
}

double trapezoid_at(TrapezoidEnds const& ends, LoopFacts const& loop, double place) {
  auto const items = static_cast<double>(loop.items);
  double const first = ends.first_items > 0 ? static_cast<double>(ends.first_items)
                                            : std::ceil(items / (2.0 * loop.workers));
  double const last = std::min(static_cast<double>(ends.last_items), first);
  double const claims = std::ceil(2.0 * items / (first + last));
  // One claim takes the whole loop, and the step between two would divide by 0.
  if (claims < 2.0) return first;
  return std::max(last, first - place * (first - last) / (claims - 1.0));
}

}  // namespace makespan::bag

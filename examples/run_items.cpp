// SPDX-License-Identifier: Apache-2.0
// Any function on every item of a list, on devices that are not equally fast: what bag::run is for.
// Here areas under a curve, the finer the later, so later ones cost more.
//
// What to notice: costs in any unit bring the dear items forward; results come in order; what an
// item throws comes out as ItemFailed with its index. bag::run_all (bag/image/run_all.hpp) does the
// same with the images of a job.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include <makespan/bag.hpp>

namespace {

// The integral of sin x from 0 to pi, by the midpoint rule with 1000 (index + 1) points.
double area(std::int64_t index) {
  std::int64_t const points = 1000 * (index + 1);
  double const step = std::acos(-1.0) / static_cast<double>(points);
  double sum = 0;
  for (std::int64_t i = 0; i < points; ++i) sum += std::sin((static_cast<double>(i) + 0.5) * step);
  return sum * step;
}

}  // namespace

int main() {
  constexpr std::int64_t items = 200;
  std::vector<double> costs;
  for (std::int64_t index = 0; index < items; ++index) {
    costs.push_back(static_cast<double>(index + 1));
  }

  std::vector<double> const areas = makespan::bag::run(items, costs, area);
  std::printf("%zu areas, the last is %.6f\n", areas.size(), areas.back());

  try {
    makespan::bag::run(items, {}, [](std::int64_t index) -> int {
      if (index == 41) throw std::domain_error("no such area");
      return 0;
    });
  } catch (makespan::bag::ItemFailed const& failed) {
    std::printf("%s\n", failed.what());
  }
  return 0;
}

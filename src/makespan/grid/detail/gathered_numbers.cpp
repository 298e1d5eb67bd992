// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/gathered_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "makespan/base/image_errors.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::grid {

namespace {

// Thirty years: beyond that differences of times are lost in rounding.
constexpr double seconds_max = 1e9;

// Not so of what is no number.
bool is_index(double value, std::int64_t begin, std::int64_t end) {
  return value >= static_cast<double>(begin) && value < static_cast<double>(end) &&
         value == std::trunc(value);
}

bool is_time(double seconds) {
  return seconds >= 0 && seconds <= seconds_max;
}

}  // namespace

void expect_found(ImageId image, std::span<double const> found, std::size_t fields,
                  Box const& domain) {
  if (found[0] == found_none) return;
  bool const is_there = is_index(found[0], 0, static_cast<std::int64_t>(fields)) &&
                        is_index(found[1], domain.begin.z, domain.end.z) &&
                        is_index(found[2], domain.begin.y, domain.end.y) &&
                        is_index(found[3], domain.begin.x, domain.end.x);
  if (is_there) return;
  throw BadMessage(image, "a bad value in field " + short_text(found[0]) + " at (" +
                              short_text(found[3]) + ", " + short_text(found[2]) + ", " +
                              short_text(found[1]) + "), which the grid does not have");
}

void expect_measured(ImageId image, Measured const& measured, double planes) {
  // Of so many steps, a little more: sums are rounded.
  double const most = planes * static_cast<double>(measured.steps) * (1 + 1e-6);
  bool const has_planes = measured.steps >= 0 && measured.planes >= 0 && measured.planes <= most;
  if (has_planes && is_time(measured.busy) && is_time(measured.besides)) return;
  throw BadMessage(image, "a device that computed " + short_text(measured.planes) + " planes in " +
                              std::to_string(measured.steps) + " steps, in " +
                              short_text(measured.busy) + " s and " + short_text(measured.besides) +
                              " s besides: a step has " + short_text(planes) +
                              " planes, and times are 0 to 1e9 s");
}

}  // namespace makespan::grid

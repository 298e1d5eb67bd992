// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/slab_cut.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <queue>
#include <string>
#include <tuple>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::grid {

namespace {

void check(SlabDevice const& device, std::size_t number) {
  std::string const who = "device " + std::to_string(number);
  if (!(device.speed > Speed{0.0}) || !std::isfinite(device.speed.value())) {
    throw InputError(who + " with a speed of " + std::to_string(device.speed.value()) + " planes/s",
                     "a speed is above 0 and finite", "leave out a device that does nothing");
  }
  if (!(device.start >= Seconds{0.0}) || !std::isfinite(device.start.value())) {
    throw InputError(who + " with a start of " + std::to_string(device.start.value()) + " s",
                     "it is at least 0 and finite",
                     "give what a step costs before its first plane");
  }
  if (device.planes_max < 0) {
    throw InputError(who + " with room for " + std::to_string(device.planes_max) + " planes",
                     "room is at least 0", "give what its memory holds");
  }
}

void check_all(std::int64_t planes, std::span<SlabDevice const> devices) {
  MAKESPAN_EXPECT(planes >= 0);
  if (devices.empty()) throw InputError("no devices", "planes need one at least", "name a device");
  for (std::size_t at = 0; at < devices.size(); ++at) check(devices[at], at);
  if (std::int64_t const most = planes_in_memory(devices); planes > most) {
    throw InputError(std::to_string(planes) + " planes",
                     "the memories of all devices hold " + std::to_string(most),
                     "take a smaller grid, or more devices");
  }
}

// What each device in turn can do in the time.
std::vector<std::int64_t> planes_within(Seconds time, std::int64_t first, std::int64_t planes,
                                        std::span<SlabDevice const> devices,
                                        PlaneWeights const& weights) {
  std::vector<std::int64_t> cut;
  std::int64_t at = first;
  for (SlabDevice const& device : devices) {
    std::int64_t const left = first + planes - at;
    std::int64_t const last = at + std::min(left, device.planes_max);
    double const weight = (time - device.start).value() * device.speed.value();
    cut.push_back(weights.end_within(at, last, weight) - at);
    at += cut.back();
  }
  return cut;
}

}  // namespace

std::int64_t planes_in_memory(std::span<SlabDevice const> devices) {
  std::int64_t sum = 0;
  for (SlabDevice const& device : devices) {
    if (device.planes_max > std::numeric_limits<std::int64_t>::max() - sum) {
      return std::numeric_limits<std::int64_t>::max();
    }
    sum += device.planes_max;
  }
  return sum;
}

Seconds step_time(SlabDevice const& device, std::int64_t planes) {
  return work_time(device, static_cast<double>(planes));
}

Seconds work_time(SlabDevice const& device, double planes) {
  if (!(planes > 0)) return Seconds{0.0};
  return device.start + Work{planes} / device.speed;
}

std::vector<std::int64_t> planes_by_speed(std::int64_t planes,
                                          std::span<SlabDevice const> devices) {
  check_all(planes, devices);
  std::vector<std::int64_t> cut(devices.size(), 0);
  // When a device would be done with one plane more, and which one it is.
  using Offer = std::tuple<double, std::size_t>;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers;
  auto const offer = [&](std::size_t at) {
    if (cut[at] == devices[at].planes_max) return;
    offers.emplace(step_time(devices[at], cut[at] + 1).value(), at);
  };
  for (std::size_t at = 0; at < devices.size(); ++at) offer(at);
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    // Of offers that are equal the first device's, by the tuple's order: all images find the same
    // cut.
    std::size_t const at = std::get<1>(offers.top());
    offers.pop();
    ++cut[at];
    offer(at);
  }
  return cut;
}

std::vector<std::int64_t> planes_by_weight(std::int64_t first, std::int64_t planes,
                                           std::span<SlabDevice const> devices,
                                           PlaneWeights const& weights) {
  if (weights.are_alike()) return planes_by_speed(planes, devices);
  check_all(planes, devices);
  Seconds low{0.0};
  Seconds high{0.0};
  // In so long a time each could do all, as far as its memory holds it; a little more, so that
  // rounding takes no plane away.
  double const all = weights.between(first, first + planes) * (1 + 1e-9);
  for (SlabDevice const& device : devices) high = std::max(high, work_time(device, all));
  auto const is_enough = [&](Seconds time) {
    auto const cut = planes_within(time, first, planes, devices, weights);
    return std::accumulate(cut.begin(), cut.end(), std::int64_t{0}) == planes;
  };
  // Beside a long start, or far lighter than others before them, what planes take may be lost in
  // rounding.
  high = std::max(high, Seconds{1e-300});
  while (!is_enough(high)) high = 2.0 * high;
  while (high - low > 1e-12 * high) {
    Seconds const middle = 0.5 * (low + high);
    // No number lies between the two.
    if (!(middle > low && middle < high)) break;
    (is_enough(middle) ? high : low) = middle;
  }
  auto cut = planes_within(high, first, planes, devices, weights);
  MAKESPAN_ENSURE(std::accumulate(cut.begin(), cut.end(), std::int64_t{0}) == planes);
  return cut;
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/team/detail/team_checks.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::grid {

namespace {

// Up to here doubles, of which reports are made, hold each number.
constexpr std::int64_t steps_max = std::int64_t{1} << 53;

// In 64 bits, as both numbers may be any.
std::int64_t devices_in(TeamOptions const& options) {
  return std::int64_t{options.devices} + options.gpus;
}

void check_devices(TeamOptions const& options, int threads) {
  std::int64_t const devices = devices_in(options);
  if (options.devices >= 0 && options.gpus >= 0 && devices >= 1 && devices <= threads) return;
  throw InputError("devices = " + std::to_string(options.devices) +
                       (options.gpus != 0 ? ", gpus = " + std::to_string(options.gpus) : ""),
                   "each has a thread, and there are " + std::to_string(threads),
                   "give 1 to " + std::to_string(threads));
}

// `what` names the values, of which each device has one.
void check_each(std::string const& what, std::vector<double> const& values, std::int64_t devices,
                int images) {
  std::int64_t const all = devices * images;
  std::int64_t const given = std::ssize(values);
  if (given == 0 || given == devices || given == all) return;
  throw InputError(std::to_string(given) + " " + what,
                   "each image has " + std::to_string(devices) + " devices, all together have " +
                       std::to_string(all),
                   "give one for each");
}

void check_count(std::string const& what, std::int64_t steps) {
  if (steps >= 0 && steps <= steps_max) return;
  throw InputError(std::to_string(steps) + " " + what, "0 to 2^53 are counted", "give fewer");
}

}  // namespace

void check_options(TeamOptions const& options, int threads, int images) {
  check_devices(options, threads);
  check_each("speeds", options.speeds, devices_in(options), images);
  check_each("point_times", options.point_times, devices_in(options), images);
}

void check_steps(TeamCommand const& command) {
  check_count("steps", command.number);
  check_count("steps later", command.later);
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/core_kind.hpp"

#include <fstream>
#include <optional>

namespace makespan::machine {

namespace {

// Nothing where there is no such file, or no number in it.
std::optional<long> number_in(std::filesystem::path const& path) {
  long number = 0;
  if (std::ifstream file(path); file >> number) return number;
  return std::nullopt;
}

}  // namespace

std::string core_kind(int core, std::filesystem::path const& cpus) {
  auto const folder = cpus / ("cpu" + std::to_string(core));
  // Processors of several kinds of cores have capacities; older systems tell their clocks alone.
  if (auto const capacity = number_in(folder / "cpu_capacity")) {
    return "capacity " + std::to_string(*capacity);
  }
  if (auto const clock_khz = number_in(folder / "cpufreq" / "cpuinfo_max_freq")) {
    return std::to_string(*clock_khz / 1000) + " MHz";
  }
  return {};
}

}  // namespace makespan::machine

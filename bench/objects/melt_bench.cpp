// SPDX-License-Identifier: Apache-2.0
// How long a melt of 32000 atoms takes on one thread, by instruction set.
//
//   melt_bench [rounds [steps [isa]]]
//
// Prints a line of JSON for each instruction set and round; they take turns. All there are, without
// `isa`; "auto" is the fastest. A row is one atom
// against a cluster of eight: what the force kernel does per row is its cost. Set-up is not in it;
// rebuilds and the figures of the last step are, as in LAMMPS's loop time.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "makespan/apps/melt/kernels.hpp"
#include "makespan/apps/melt/serial_melt.hpp"

namespace makespan::melt {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void measure(Kernels const& kernels, std::int64_t steps) {
  SerialMelt melt({.steps = steps, .thermo_steps = steps}, kernels);
  auto const begin = Clock::now();
  Thermo const last = melt.run().back();
  double const step_s = seconds_since(begin) / static_cast<double>(steps);
  double rows = 0;
  for (ForceCompute const& compute : melt.computes()) rows += static_cast<double>(compute.rows());
  std::printf(R"({"contestant": "makespan, %s", "step_ms": %.6g, "row_ns": %.6g, )"
              R"("rows_per_atom": %.6g, "temperature": %.9g, "total_energy": %.9g, )"
              R"("pressure": %.9g})"
              "\n",
              std::string(kernels.isa).c_str(), 1e3 * step_s, 1e9 * step_s / rows, rows / 32000,
              last.temperature, last.total_energy, last.pressure);
  std::fflush(stdout);
}

}  // namespace
}  // namespace makespan::melt

int main(int argc, char** argv) {
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  int const steps = argc > 2 ? std::atoi(argv[2]) : 100;
  std::string const isa = argc > 3 ? argv[3] : "";
  for (int round = 0; round < rounds; ++round) {
    if (!isa.empty()) {
      makespan::melt::measure(makespan::melt::Kernels::named(isa), steps);
      continue;
    }
    for (makespan::melt::Kernels const* kernels : makespan::melt::Kernels::available()) {
      makespan::melt::measure(*kernels, steps);
    }
  }
  return 0;
}

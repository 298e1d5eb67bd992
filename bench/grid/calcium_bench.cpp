// SPDX-License-Identifier: Apache-2.0
// The five-field step of one device beside the copy bandwidth of the same threads, in turn.
//
//   calcium_bench X Y Z SPACING_UM THREADS ROUNDS [NAME …]
//
// prints a line of JSON for each contestant and round: points_per_s, and copy_bytes_per_s, what a
// copy of a field that is not read first moved around the contestant's run. `share` is the 80 bytes
// a point that a fused step reads and writes over that, for the split one, too. The pumped step has
// SERCA and the membrane's pump and exchanger.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "makespan/apps/calcium/calcium_unit.hpp"
#include "slab_bench.hpp"

namespace makespan::bench {
namespace {

struct Contestant {
  std::string name;
  calcium::Passes passes;
  calcium::Pumps pumps{};
};

constexpr calcium::Pumps all_pumps{.serca = true, .membrane_pump = true, .exchanger = true};

calcium::CalciumSettings settings(grid::Point points, double spacing) {
  calcium::CalciumSettings settings;
  settings.voxels = {.points = points, .spacing = spacing};
  settings.time_step = 0.5 * spacing * spacing / (6 * settings.species.ca_diffusion);
  return settings;
}

void run(calcium::CalciumSettings const& of, int threads, int rounds,
         std::vector<std::string> const& names) {
  std::vector<Contestant> const contestants{{"fused step", calcium::Passes::fused},
                                            {"split step", calcium::Passes::split},
                                            {"pumped step", calcium::Passes::fused, all_pumps}};
  calcium::CalciumUnit const first(of);
  SlabBench bench(of.voxels.points, first.shape().fields, threads);
  first.start(bench.fields().box(), bench.fields().now());
  first.start(bench.fields().box(), bench.fields().next());
  for (int round = 0; round <= rounds; ++round) {
    for (Contestant const& contestant : contestants) {
      if (!names.empty() && std::ranges::find(names, contestant.name) == names.end()) continue;
      calcium::CalciumSettings pumped = of;
      pumped.pumps = contestant.pumps;
      calcium::CalciumUnit const unit(pumped, {.passes = contestant.passes});
      auto const rate = bench.beside_copies([&] { return bench.sweep(unit, 1); });
      if (round == 0) continue;  // warms up
      std::printf(
          "{\"contestant\": \"%s\", \"points_per_s\": %.6g, \"copy_bytes_per_s\": %.6g, "
          "\"share\": %.4f}\n",
          contestant.name.c_str(), rate.points_per_s, rate.copy_bytes_per_s,
          80 * rate.points_per_s / rate.copy_bytes_per_s);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: %s X Y Z SPACING_UM THREADS ROUNDS [NAME ...]\n", argv[0]);
    return 2;
  }
  makespan::grid::Point const points{std::stol(argv[1]), std::stol(argv[2]), std::stol(argv[3])};
  makespan::bench::run(makespan::bench::settings(points, std::stod(argv[4])), std::stoi(argv[5]),
                       std::stoi(argv[6]), {argv + 7, argv + argc});
}

// SPDX-License-Identifier: Apache-2.0
// One device's sweeps beside the copy bandwidth of the same threads, in turn.
//
//   sweep_bench EXTENT PLANES THREADS ROUNDS [NAME …]
//
// prints a line of JSON for each contestant and round: points_per_s, and copy_bytes_per_s, what a
// copy of a field that is not read first moved around the contestant's run. `share` is 16 bytes a
// point over that.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/field/field_memory.hpp"
#include "openmp_loop.hpp"
#include "slab_bench.hpp"

namespace makespan::bench {
namespace {

// A cube's slab, and the fields that the OpenMP loop has beside it.
class Bench {
 public:
  Bench(std::int64_t extent, std::int64_t planes, int threads)
      : slab_{{extent, extent, planes}, {grid::FieldRole::spreads}, threads},
        loop_size_{extent, extent, planes, threads} {}

  [[nodiscard]] SlabBench& slab() { return slab_; }
  // Points a second.
  double openmp() {
    if (openmp_now_.count() == 0) {
      openmp_now_ = padded();
      openmp_next_ = padded();
      openmp_clear(openmp_now_.data(), loop_size_);
      openmp_clear(openmp_next_.data(), loop_size_);
    }
    double const seconds =
        seconds_of([&] { openmp_step(openmp_now_.data(), openmp_next_.data(), loop_size_, 0.1); });
    return slab_.points() / seconds;
  }

 private:
  [[nodiscard]] grid::FieldMemory padded() const {
    grid::Point const size = slab_.size() + grid::Point{2, 2, 2};
    return grid::FieldMemory(size.x * size.y * size.z);
  }

  SlabBench slab_;
  LoopSize loop_size_;
  grid::FieldMemory openmp_now_{};
  grid::FieldMemory openmp_next_{};
};

struct Contestant {
  std::string name;
  std::function<double(Bench&)> run;
};

std::vector<Contestant> contestants() {
  std::vector<Contestant> all;
  for (int const steps : {1, 2, 3, 4, 6}) {
    auto const stencil = std::make_shared<diffusion::Diffusion>(
        diffusion::Lambdas{0.1, 0.1, 0.1}, diffusion::DiffusionOptions{.steps_max = steps});
    all.push_back({std::to_string(steps) + (steps == 1 ? " step" : " steps at once"),
                   [stencil, steps](Bench& bench) { return bench.slab().sweep(*stencil, steps); }});
  }
  all.push_back({"OpenMP loop", [](Bench& bench) { return bench.openmp(); }});
  return all;
}

void run(Bench& bench, int rounds, std::vector<std::string> const& names) {
  for (int round = 0; round <= rounds; ++round) {
    for (Contestant const& contestant : contestants()) {
      if (!names.empty() && std::ranges::find(names, contestant.name) == names.end()) continue;
      auto const rate = bench.slab().beside_copies([&] { return contestant.run(bench); });
      if (round == 0) continue;  // touches memory, and warms up
      std::printf(
          "{\"contestant\": \"%s\", \"points_per_s\": %.6g, \"copy_bytes_per_s\": %.6g, "
          "\"share\": %.4f}\n",
          contestant.name.c_str(), rate.points_per_s, rate.copy_bytes_per_s,
          16 * rate.points_per_s / rate.copy_bytes_per_s);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s EXTENT PLANES THREADS ROUNDS [NAME ...]\n", argv[0]);
    return 2;
  }
  makespan::bench::Bench bench(std::stol(argv[1]), std::stol(argv[2]), std::stoi(argv[3]));
  makespan::bench::run(bench, std::stoi(argv[4]), {argv + 5, argv + argc});
}

// SPDX-License-Identifier: Apache-2.0
// One device's sweeps beside the copy bandwidth of the same threads, in turn.
//
//   sweep_bench EXTENT PLANES THREADS ROUNDS [NAME …]
//
// prints a line of JSON for each contestant and round: points_per_s, and copy_bytes_per_s, what a
// copy of a field that is not read first moved around the contestant's run. `share` is 16 bytes a
// point over that.
#include <immintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/crew.hpp"
#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/field/field_memory.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/machine/affinity.hpp"
#include "openmp_loop.hpp"

namespace makespan::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(std::function<void()> const& work) {
  auto const begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Size {
  std::int64_t extent;
  std::int64_t planes;
  int threads;

  [[nodiscard]] double points() const {
    return static_cast<double>(extent) * static_cast<double>(extent) * static_cast<double>(planes);
  }
};

std::vector<int> cores(int threads) {
  std::vector<int> all = machine::allowed_cores();
  all.resize(std::min(all.size(), static_cast<std::size_t>(threads)));
  return all;
}

// What all contestants share: threads, and one field of two steps.
class Bench {
 public:
  explicit Bench(Size const& size)
      : size_{size}, crew_{cores(size.threads)}, fields_{plan_of(size)} {
    crew_.tie();
    crew_.run([&](int thread) {
      grid::Box const part = part_of(thread);
      bool const is_last = thread == crew_.threads() - 1;
      fields_.clear(thread == 0 ? fields_.first_plane() : part.begin.z,
                    is_last ? fields_.last_plane() : part.end.z);
    });
  }

  // Bytes that a copy with streaming stores reads and writes a second.
  double copy() {
    double const seconds =
        seconds_of([&] { crew_.run([&](int thread) { copy_part(part_of(thread)); }); });
    grid::FieldView const& view = fields_.now()[0];
    return 16 * static_cast<double>(view.plane_pitch * size_.planes) / seconds;
  }

  // Points a second.
  double sweep(grid::Stencil const& stencil, int steps) {
    double const seconds = seconds_of([&] {
      crew_.run([&](int thread) {
        stencil.sweep(
            {.box = part_of(thread), .steps = steps, .now = fields_.now(), .next = fields_.next()});
      });
    });
    return steps * size_.points() / seconds;
  }

  double openmp() {
    if (openmp_now_.count() == 0) {
      std::int64_t const wide = size_.extent + 2;
      openmp_now_ = grid::FieldMemory(wide * wide * (size_.planes + 2));
      openmp_next_ = grid::FieldMemory(wide * wide * (size_.planes + 2));
      openmp_clear(openmp_now_.data(), loop_size());
      openmp_clear(openmp_next_.data(), loop_size());
    }
    double const seconds =
        seconds_of([&] { openmp_step(openmp_now_.data(), openmp_next_.data(), loop_size(), 0.1); });
    return size_.points() / seconds;
  }

 private:
  static grid::SlabPlan plan_of(Size const& size) {
    grid::Sides sides;
    sides.fill(grid::Beyond::mirror);
    return {.box = {{}, {size.extent, size.extent, size.planes}},
            .sides = sides,
            .halo_width = 4,
            .roles = {grid::FieldRole::spreads},
            .values = {{}}};
  }
  [[nodiscard]] grid::Box part_of(int thread) const {
    return grid::parts_for_threads(fields_.box(),
                                   crew_.threads())[static_cast<std::size_t>(thread)];
  }
  [[nodiscard]] LoopSize loop_size() const {
    return {size_.extent, size_.extent, size_.planes, size_.threads};
  }
  void copy_part(grid::Box const& part) const {
    grid::FieldView const& from = fields_.now()[0];
    double const* const begin = from.at(0, part.begin.z);
    double* const to = fields_.next()[0].at(0, part.begin.z);
    std::int64_t const count = from.plane_pitch * part.extent().z;
    for (std::int64_t i = 0; i + 8 <= count; i += 8) {
      _mm256_stream_pd(to + i, _mm256_load_pd(begin + i));
      _mm256_stream_pd(to + i + 4, _mm256_load_pd(begin + i + 4));
    }
    _mm_sfence();
  }

  Size size_;
  grid::Crew crew_;
  grid::SlabFields fields_;
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
                   [stencil, steps](Bench& bench) { return bench.sweep(*stencil, steps); }});
  }
  all.push_back({"OpenMP loop", [](Bench& bench) { return bench.openmp(); }});
  return all;
}

void run(Size const& size, int rounds, std::vector<std::string> const& names) {
  Bench bench(size);
  for (int round = 0; round <= rounds; ++round) {
    for (Contestant const& contestant : contestants()) {
      if (!names.empty() && std::ranges::find(names, contestant.name) == names.end()) continue;
      // The host's speed changes within seconds: copies before and after.
      double const before = bench.copy();
      double const rate = std::max(contestant.run(bench), contestant.run(bench));
      double const bandwidth = std::max(before, bench.copy());
      if (round == 0) continue;  // touches memory, and warms up
      std::printf(
          "{\"contestant\": \"%s\", \"points_per_s\": %.6g, \"copy_bytes_per_s\": %.6g, "
          "\"share\": %.4f}\n",
          contestant.name.c_str(), rate, bandwidth, 16 * rate / bandwidth);
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
  makespan::bench::run({std::stol(argv[1]), std::stol(argv[2]), std::stoi(argv[3])},
                       std::stoi(argv[4]), {argv + 5, argv + argc});
}

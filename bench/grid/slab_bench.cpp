// SPDX-License-Identifier: Apache-2.0
#include "slab_bench.hpp"

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::bench {

namespace {

using Clock = std::chrono::steady_clock;

grid::SlabPlan plan_of(grid::Point size, std::vector<grid::FieldRole> roles, grid::Beyond beyond) {
  grid::Sides sides;
  sides.fill(beyond);
  std::size_t const fields = roles.size();
  return {.box = {{}, size},
          .domain = {{}, size},
          .sides = sides,
          .halo_width = 8,
          .roles = std::move(roles),
          .values = std::vector<grid::FaceValues>(fields)};
}

std::vector<int> cores(int threads) {
  // Of the process at first: a bench before this one has tied this thread to a core.
  static std::vector<int> const allowed = machine::allowed_cores();
  std::vector<int> all = allowed;
  all.resize(std::min(all.size(), static_cast<std::size_t>(threads)));
  return all;
}

}  // namespace

double seconds_of(std::function<void()> const& work) {
  auto const begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

SlabBench::SlabBench(grid::Point size, std::vector<grid::FieldRole> roles, int threads,
                     grid::Beyond beyond)
    : size_{size}, thread_team_{cores(threads)}, fields_{plan_of(size, std::move(roles), beyond)} {
  static_cast<void>(machine::pin_this_thread(cores(1).front()));
  thread_team_.run([&](int thread) {
    grid::Box const part = part_of(thread);
    bool const is_last = thread == thread_team_.threads() - 1;
    fields_.clear(thread == 0 ? fields_.first_plane() : part.begin.z,
                  is_last ? fields_.last_plane() : part.end.z);
  });
}

double SlabBench::points() const {
  return static_cast<double>(fields_.box().points());
}

double SlabBench::copy() {
  double const seconds =
      seconds_of([&] { thread_team_.run([&](int thread) { copy_part(part_of(thread)); }); });
  return 16 * static_cast<double>(fields_.now()[0].plane_pitch * size_.z) / seconds;
}

double SlabBench::sweep(grid::Stencil const& stencil, int steps) {
  double const seconds = seconds_of([&] {
    thread_team_.run([&](int thread) {
      stencil.sweep(
          {.box = part_of(thread), .steps = steps, .now = fields_.now(), .next = fields_.next()});
    });
  });
  return steps * points() / seconds;
}

SlabBench::Rate SlabBench::beside_copies(std::function<double()> const& points_per_s) {
  double const before = copy();
  double const rate = std::max(points_per_s(), points_per_s());
  return {rate, std::max(before, copy())};
}

grid::Box SlabBench::part_of(int thread) const {
  return grid::parts_for_threads(fields_.box(),
                                 thread_team_.threads())[static_cast<std::size_t>(thread)];
}

void SlabBench::copy_part(grid::Box const& part) const {
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

}  // namespace makespan::bench

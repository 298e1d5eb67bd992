// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/diffusion/diffusion.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/grid/field/cache_sizes.hpp"
#include "makespan/simd/aligned_buffer.hpp"

namespace makespan::diffusion {

namespace {

constexpr int steps_limit = 8;  // a halo is no wider
static_assert(steps_limit == grid::halo_width_max);

void check(Lambdas const& lambdas) {
  for (double const lambda : {lambdas.x, lambdas.y, lambdas.z}) {
    if (!(lambda >= 0) || !std::isfinite(lambda)) {
      throw InputError("lambda = " + short_text(lambda), "D dt / h^2 is at least 0, and finite",
                       "give a diffusion constant, a time step and a spacing above 0");
    }
  }
  double const sum = lambdas.x + lambdas.y + lambdas.z;
  // Up to what rounding may have added.
  constexpr double sum_max = 0.5 * (1 + 4e-16);
  if (sum > sum_max) {
    throw InputError("the time step gives lambda_x + lambda_y + lambda_z = " + short_text(sum),
                     "the explicit step is stable up to 0.5, in a cube up to dt = h^2 / (6 D)",
                     "multiply the time step by less than " + short_text(0.5 / sum));
  }
}

// Rows of a tile, of which `planes` planes must fit into a cache. Below 8 a tile reads more of its
// neighbours than it saves.
std::int64_t rows_in(double cache, std::int64_t row_doubles, std::int64_t planes,
                     std::int64_t rows_max) {
  double const row = static_cast<double>(row_doubles * planes) * sizeof(double);
  return std::min(std::max<std::int64_t>(8, static_cast<std::int64_t>(cache / row)), rows_max);
}

}  // namespace

Factors factors_of(Lambdas const& lambdas) {
  return {.centre = 1 - 2 * (lambdas.x + lambdas.y + lambdas.z),
          .x = lambdas.x,
          .y = lambdas.y,
          .z = lambdas.z};
}

Diffusion::Diffusion(Lambdas const& lambdas, DiffusionOptions const& options)
    : kernels_{Kernels::named(options.isa)},
      factors_{factors_of(lambdas)},
      steps_max_{options.steps_max},
      core_cache_{options.core_cache > 0 ? options.core_cache : grid::cache_sizes().core},
      shared_cache_{options.shared_cache > 0 ? options.shared_cache : grid::cache_sizes().shared} {
  check(lambdas);
  if (options.steps_max < 1 || options.steps_max > steps_limit) {
    throw InputError(std::to_string(options.steps_max) + " steps at once",
                     "their halo is as many points wide",
                     "take 1 to " + std::to_string(steps_limit));
  }
}

grid::StencilShape Diffusion::shape() const {
  return {.fields = {grid::FieldRole::spreads}, .halo = {.width = 1}, .steps_max = steps_max_};
}

void Diffusion::sweep(grid::Sweep const& sweep) const {
  grid::FieldView const& now = sweep.now[0];
  MAKESPAN_EXPECT(sweep.steps >= 1 && sweep.steps <= steps_max_);
  grid::Point const origin = now.box.begin;
  // Of the field that is read and the one that is written. Where they do not stay in the cache, a
  // store past it saves reading each line to be written (docs/decisions/0067).
  std::int64_t const bytes = 2 * now.plane_pitch * now.box.extent().z * 8;
  SweepJob job{.factors = factors_,
               .now = now,
               .next = sweep.next[0],
               .box = grid::moved(sweep.box, grid::Point{} - origin),
               .storing = bytes > shared_cache_ ? Storing::past_caches : Storing::in_cache,
               .pause = sweep.pause};
  std::int64_t const rows_max = job.box.extent().y;
  auto const cache = static_cast<double>(core_cache_);
  if (sweep.steps == 1) {
    // Half as much again as the core's cache has measured best.
    job.tile_rows = rows_in(1.5 * cache, now.row_pitch, 6, std::max<std::int64_t>(1, rows_max));
    kernels_.sweep(job);
    return;
  }
  // Four times that: higher tiles compute less twice, and a ring in the shared cache does no harm.
  std::int64_t const planes = wave_ring_planes * (sweep.steps - 1) + 10;
  job.tile_rows = rows_in(4 * cache, now.row_pitch, planes, std::max<std::int64_t>(1, rows_max));
  // Each thread sweeps tiles of its own; the memory stays with it from sweep to sweep.
  thread_local simd::AlignedBuffer<double> ring;
  std::int64_t const doubles = wave_ring_doubles(now, job.tile_rows, sweep.steps);
  kernels_.wave({.sweep = job,
                 .steps = sweep.steps,
                 .ring = {ring.reserve(static_cast<std::size_t>(doubles)),
                          static_cast<std::size_t>(doubles)}});
}

}  // namespace makespan::diffusion

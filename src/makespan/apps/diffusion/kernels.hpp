// SPDX-License-Identifier: Apache-2.0
// The kernels of one instruction set, as a table of functions, and the tables that this program and
// this machine have. All tables give the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/grid/field/stencil.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::diffusion {

// What a step takes of a point and of its neighbours along each axis:
// u' = z (u↓z + u↑z) + (y (u↓y + u↑y) + (x (u↓x + u↑x) + centre u)), each sum rounded once, each
// product with the sum that it goes into.
struct Factors {
  double centre{};
  double x{};
  double y{};
  double z{};
};

// How results are stored.
enum class Storing : std::uint8_t {
  in_cache,
  past_caches,  // for fields that are larger than the caches: they need not be read to be written
};

// Boxes are counted from the views' first point.
struct SweepJob {
  Factors factors{};
  grid::FieldView now{};
  grid::FieldView next{};
  grid::Box box{};
  std::int64_t tile_rows{};  // of a plane that stay in the cache until the plane after it is done
  Storing storing{Storing::in_cache};
  grid::Pause pause{};
};

// Planes of a step that the next one has not read yet lie in a ring of them.
struct WaveJob {
  SweepJob sweep{};
  int steps{};
  std::span<double> ring{};  // wave_ring_doubles()
};

struct Kernels : simd::KernelChoice<Kernels> {
  std::string_view isa;  // "avx512", "avx2", "one_lane", …

  void (*sweep)(SweepJob const& job);
  // Several steps, tile by tile: each plane of a tile goes through all of them while it is in the
  // cache.
  void (*wave)(WaveJob const& job);

  static std::vector<Kernels> const& vector_tables();  // diffusion_vector.cpp
  static Kernels const& one_lane_table();              // diffusion_one_lane.cpp
};

// Planes of each step but the last, and doubles at both ends, since kernels read beyond rows.
inline constexpr std::int64_t wave_ring_planes = 6;
inline constexpr std::int64_t wave_ring_margin = 16;

// At the beginning of a cache line.
[[nodiscard]] inline std::int64_t wave_ring_doubles(grid::FieldView const& view,
                                                    std::int64_t tile_rows, int steps) {
  std::int64_t const rows = tile_rows + 2 * (steps - 1);
  return (steps - 1) * wave_ring_planes * rows * view.row_pitch + 2 * wave_ring_margin;
}

}  // namespace makespan::diffusion

// SPDX-License-Identifier: Apache-2.0
// The kernels of one instruction set, as a table of functions, and the tables that this program and
// this machine have. All tables give the same bits, and so do the ways to make a step.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/apps/calcium/pumps.hpp"
#include "makespan/apps/calcium/row_segments.hpp"
#include "makespan/apps/calcium/species.hpp"
#include "makespan/apps/calcium/voxel_map.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::calcium {

// The fields that spread, in their order: all but troponin's.
inline constexpr int mobile_count = 4;
inline constexpr std::array<Field, mobile_count> mobile_fields{Field::ca, Field::ca_atp,
                                                               Field::ca_cmdn, Field::ca_fluo};

// What one step takes of a region, for each buffer:
// gain = c (on_total - on bound) - off bound.
struct Reaction {
  std::array<double, buffer_count> on{};        // k_on Δt
  std::array<double, buffer_count> on_total{};  // k_on Δt of all there is
  std::array<double, buffer_count> off{};       // k_off Δt
  double refill{};                              // before, c gains refill (refill_to - c)
  double refill_to{};
};

// What pumps take of a region in one step.
struct Pumping {
  Uptake uptake{};
  bool has_uptake{};
  bool has_membrane{};  // on its faces towards the T-tubule
};

struct Factors {
  // D Δt / h² of a region's mobile fields; 0 for those that are not there.
  std::array<std::array<double, mobile_count>, region_count> lambda{};
  // Whether anything passes from region to region: both ways, between regions of the same lambda.
  std::array<std::array<bool, region_count>, region_count> passes{};
  std::array<Reaction, region_count> reactions{};
  bool has_pumps{};  // else none of what follows is read
  std::array<Pumping, region_count> pumpings{};
  MembraneFlux membrane{};  // of a face
};

// A voxel's faces that are membrane with pumps.
[[nodiscard]] constexpr int membrane_faces(Neighbourhood const& around, Factors const& factors) {
  int faces = 0;
  if (!factors.pumpings[static_cast<std::size_t>(around.own)].has_membrane) return faces;
  for (Region const beyond : around.beyond) faces += beyond == Region::t_tubule ? 1 : 0;
  return faces;
}

// How results are stored.
enum class Storing : std::uint8_t {
  in_cache,
  past_caches,  // for fields that are larger than the caches: they need not be read to be written
};

// A row of one field, and those that its points see; each from where x is 0.
struct SpreadRow {
  double const* here{};
  double const* y_low{};
  double const* y_high{};
  double const* z_low{};
  double const* z_high{};
  double const* ahead{};  // soon to be read
  double* out{};
  // Beyond the row's ends, if these are values.
  double low_value{};
  double high_value{};
};

// What sources add to one point.
struct PointGain {
  std::int64_t x{};
  double amount{};
};

// Points of a row, from `begin` up to, but not at, `end`.
struct Points {
  std::int64_t begin{};
  std::int64_t end{};
};

struct RowJob {
  Factors const* factors{};
  std::array<SpreadRow, mobile_count> fields{};
  double* troponin{};
  double const* troponin_ahead{};
  std::int64_t extent{};  // points of the row
  // Rows that are computed, each so many doubles after the one before: more than one only where
  // what is said here is true of all of them, moved on, and one uniform segment holds the points.
  std::int64_t rows{1};
  std::int64_t pitch{};
  grid::Beyond low{};
  grid::Beyond high{};
  Points points{};                      // to compute
  std::span<Segment const> segments{};  // that hold these
  std::span<PointGain const> gains{};
  VoxelMap const* map{};
  grid::Point first{};  // where x is 0, in the whole grid
  Storing storing{Storing::in_cache};
};

struct Kernels : simd::KernelChoice<Kernels> {
  std::string_view isa;  // "avx512", "avx2", "one_lane", …

  // A whole step of a row.
  void (*step)(RowJob const& job);
  // The same in two passes: diffusion; then the rest, from and to what diffusion left.
  void (*diffuse)(RowJob const& job);
  void (*react)(RowJob const& job);
  // After the last row of a thread.
  void (*finish)();

  static std::vector<Kernels> const& vector_tables();  // calcium_vector.cpp
  static Kernels const& one_lane_table();              // calcium_one_lane.cpp
};

}  // namespace makespan::calcium

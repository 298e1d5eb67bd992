// SPDX-License-Identifier: Apache-2.0
// The kernels of one instruction set, as a table of functions, and the tables that this program and
// this machine have.
//
// Chosen by name at run time and per device, so that two devices of one process can run different
// instruction sets. All tables give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/apps/asian/kernel/path_job.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::asian {

struct Kernels {
  std::string_view isa;  // "avx512", "avx2", "one_lane", …
  int lanes_f32;         // paths per vector in single precision

  // Simulates job.samples paths; values: functionals, shape (functional_count, slab_samples),
  // 64-byte aligned.
  void (*simulate_f32)(PathJob const& job, float* values);
  void (*simulate_f64)(PathJob const& job, double* values);
  // Adds the slab's moments to strands, shape (moment_count, strand_count), 64-byte aligned.
  void (*add_moments_f32)(MomentJob const& job, float const* values, double* strands);
  void (*add_moments_f64)(MomentJob const& job, double const* values, double* strands);
  // out[i] = e^x[i]; any count, no alignment; may be in place.
  void (*exp_all)(std::span<double const> x, double* out);
  // out[i] = Phi(x[i]), likewise.
  void (*normal_cdf_all)(std::span<double const> x, double* out);
};

// Bytes of PathJob::normals for paths of `steps` steps; enough for every instruction set.
[[nodiscard]] constexpr std::size_t normals_bytes(NormalSource source, int steps) {
  constexpr std::size_t vector_bytes_max = 64;
  constexpr std::size_t row_bytes = group_vectors * vector_bytes_max;
  auto const rows = source == NormalSource::sobol ? static_cast<std::size_t>(steps) + 1
                                                  : static_cast<std::size_t>(tile_steps);
  return rows * row_bytes;
}

// Those of the vector instruction sets (kernels_vector.cpp), and of one lane
// (kernels_one_lane.cpp).
[[nodiscard]] std::vector<Kernels> const& vector_kernels();
[[nodiscard]] Kernels const& one_lane_kernels();

// Tables that can run on this machine, fastest first; "one_lane" is always the last.
[[nodiscard]] inline std::span<Kernels const* const> available_kernels() {
  return simd::tables_of<vector_kernels, one_lane_kernels>();
}

// The table of that name, "auto" for the fastest. Throws InputError naming the ones there are.
[[nodiscard]] inline Kernels const& kernels_named(std::string_view isa) {
  return simd::table_named(available_kernels(), isa);
}

}  // namespace makespan::asian

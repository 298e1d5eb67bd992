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

struct Kernels : simd::KernelChoice<Kernels> {
  std::string_view isa;  // "avx512", "avx2", "one_lane", …
  int lanes_f32;         // paths per vector in single precision

  // Simulates job.samples paths; values: functionals, shape (functional_count, slab_samples),
  // 64-byte aligned.
  void (*simulate_f32)(PathJob const& job, float* values);
  void (*simulate_f64)(PathJob const& job, double* values);
  // Likewise, of a random variance (heston_plan.hpp).
  void (*simulate_heston)(PathJob const& job, double* values);
  // Likewise, of a weighted sum of several prices (basket_plan.hpp).
  void (*simulate_basket)(PathJob const& job, double* values);
  // Adds the slab's moments to strands, shape (moment_count, strand_count), 64-byte aligned.
  void (*add_moments_f32)(MomentJob const& job, float const* values, double* strands);
  void (*add_moments_f64)(MomentJob const& job, double const* values, double* strands);
  // out[i] = e^x[i]; any count, no alignment; may be in place.
  void (*exp_all)(std::span<double const> x, double* out);
  // out[i] = Phi(x[i]), likewise.
  void (*normal_cdf_all)(std::span<double const> x, double* out);

  static std::vector<Kernels> const& vector_tables();  // kernels_vector.cpp
  static Kernels const& one_lane_table();              // kernels_one_lane.cpp
};

// Bytes of PathJob::normals for paths of `steps` steps of so many factors; enough for every
// instruction set.
[[nodiscard]] constexpr std::size_t normals_bytes(NormalSource source, int steps, int factors = 1) {
  constexpr std::size_t vector_bytes_max = 64;
  constexpr std::size_t row_bytes = group_vectors * vector_bytes_max;
  auto const rows = source == NormalSource::sobol
                        ? (static_cast<std::size_t>(steps) + 1) * static_cast<std::size_t>(factors)
                        : static_cast<std::size_t>(tile_steps);
  return rows * row_bytes;
}

}  // namespace makespan::asian

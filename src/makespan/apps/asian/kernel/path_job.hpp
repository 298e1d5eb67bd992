// SPDX-License-Identifier: Apache-2.0
// What a path kernel is asked for and what it leaves: plain data, the same for every instruction
// set and device.
#pragma once

#include <cstdint>
#include <span>

#include "makespan/apps/asian/kernel/basket_plan.hpp"
#include "makespan/apps/asian/kernel/heston_plan.hpp"
#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/simd/philox.hpp"

namespace makespan::asian {

// Paths whose functionals are kept at a time: with Greeks 14 KiB in single precision, which the
// first-level cache holds, and 36 KiB in double.
inline constexpr int slab_samples = 256;
// Samples of a block, the unit of work and of summation. A sample is a path, or a pair of
// antithetic ones.
inline constexpr int block_samples = 1024;

// Vectors of paths in flight: two hide the latencies of the normals, more run out of registers; and
// steps of a tile, whose normals stay in the first-level cache (measured,
// docs/explanation/kernels.md).
inline constexpr int group_vectors = 2;
inline constexpr int tile_steps = 64;

// How a price grows over one step: a polynomial of the given degree in the step's normal, or the
// exponential itself.
enum class Growth : std::uint8_t { degree_3, degree_4, degree_6, exponential };
enum class NormalSource : std::uint8_t { philox, sobol };
// What moves: one lognormal price; one under a random variance; several (HestonPlan, BasketPlan).
enum class PathModel : std::uint8_t { lognormal, heston, basket };

// What is known of a path at its end. All prices are in units of the spot; "up" is the path, "down"
// its antithetic twin.
enum Functional : int {
  growth_up,  // S(T) over e^((drift - sigma^2 / 2) T)
  sum_up,     // sum of w_i S_i over the simulated fixings
  log_sum,    // sum of the control's log-weights times sigma B_i; its twin's is the negative
  growth_down,
  sum_down,
  brownian,       // B(T)
  brownian_up,    // sum of w_i S_i B_i; in double precision of w_i S_i C_i
  time_up,        // sum of w_i S_i t_i
  direction_up,   // sum of w_i S_i a_i, with a_i the gamma direction of contract_law.hpp
  direction2_up,  // sum of w_i S_i a_i^2
  brownian_down,  // sum of w_i S_i B_i (C_i) along the twin, B_i (C_i) that of the path
  time_down,
  direction_down,
  direction2_down,
  // In double precision only, whose volatility may change with time. C is the derivative of the
  // path's martingale to a shift of all volatilities, B with constant volatility; U the integral of
  // the volatility.
  vega_end,   // C(T)
  vega_logs,  // sum of the control's log-weights times C_i; its twin's is the negative
  vega_up,    // sum of w_i S_i U_i
  vega_down,
  log_sum_down,  // of the twin, where it is not the negative: paths of a random variance
  // Of baskets. The control's logarithm of prices with a negative weight, and what the pricing
  // equation's theta needs: sum of w_i S_i times the derivative of ln S_i (BasketDrift), and that
  // of the control's logarithm, of which the twin's is the negative but for its constant.
  log_sum_short,
  theta_up,
  theta_down,
  theta_logs,
  // Sum of w_i S_i times the derivative of ln S_i to ln spot, where that is not 1.
  delta_up,
  delta_down,
  // Of random variances: the normal along the direction of the path's own, not scaled to a
  // variance.
  direction_normal_up,
  direction_normal_down,
  // Likewise: what of the twin is not the negative of the path's, and the derivative of ln S(T) to
  // the time of today.
  vega_end_down,
  vega_logs_down,
  theta_logs_down,
  theta_end_up,
  theta_end_down,
  // Of baskets: sums of w_i S_i times powers 0, 1, … of the place of its direction (SmoothTerms).
  smooth_up,
  smooth_down = smooth_up + smooth_terms,
  smooth_end = smooth_down + smooth_terms - 1,
  functional_count
};

// Functionals of paths of a known variance, in a precision.
template <class T>
inline constexpr int functionals_of =
    sizeof(T) == sizeof(float) ? int{vega_end} : int{log_sum_down};

// One step in single precision. With M = e^(sigma B) and z the step's normal:
// M += M · q(z), sum += spot_growth · M, log_sum += log_weight · z.
struct StepF32 {
  float spot_growth;  // w_i e^((drift - sigma^2 / 2) t_i)
  float log_weight;   // v · (sum of the control's weights from this fixing on)
  float growth[7];  // of q(z) = e^(v z) - 1, v = sigma sqrt(dt), lowest power first; growth[0] = v
                    // for Growth::exponential
};
struct GreekStepF32 {
  float root_dt;
  float time_growth;       // t_i · spot_growth
  float direction_growth;  // a_i · spot_growth
  float direction2_growth;
};
// One step in double precision: S = e^(log_growth + sigma B).
struct StepF64 {
  double root_dt;  // of the volatility's clock
  double log_growth;
  double weight;
  double log_weight;
  double time;
  double direction;
  double vega_root;        // C += vega_root · z
  double vega_log_weight;  // vega_root · (sum of the control's weights from this fixing on)
  double volatility;       // U_i
};

// One fixing of a Brownian bridge: row `index` from rows `left` and `right` (row 0 is time 0, row i
// the i-th step).
struct BridgeStep {
  std::int32_t index;
  std::int32_t left;
  std::int32_t right;
  double left_weight;
  double right_weight;
  double deviation;

  friend bool operator==(BridgeStep const&, BridgeStep const&) = default;
};

struct SobolPlan {
  std::span<BridgeStep const> bridge;       // (steps), in the order of dimensions
  std::span<double const> inverse_root_dt;  // (steps)
  std::span<std::uint32_t const>
      scramble;  // (steps), one key per dimension, for the present replicate
  std::span<std::uint32_t const* const>
      direction;            // (32) to (dimensions), bit-reversed direction numbers (sobol.hpp)
  std::int32_t dimensions;  // that have direction numbers
  std::span<std::uint32_t>
      base;  // (steps), work space: each dimension's word at the group's first point
  simd::PhiloxStream beyond;  // words of the dimensions past the direction numbers
  int factors = 1;  // Brownian motions, each with a bridge: a dimension's is the innermost
};

struct PathTables {
  std::span<StepF32 const> steps_f32;
  std::span<GreekStepF32 const> greeks_f32;
  std::span<StepF64 const> steps_f64;
  int steps;
  Growth growth;
  double volatility;
};

struct PathJob {
  PathModel model;
  PathTables tables;
  HestonPlan heston;
  BasketPlan basket;
  NormalSource source;
  int philox_rounds;
  bool antithetic;
  bool greeks;
  bool logs;  // whether log_sum is asked for; it always is with antithetic or greeks
  simd::PhiloxStream stream;
  simd::PhiloxRoundKeys round_keys;
  std::span<simd::PhiloxStep const>
      philox_steps;  // one per counter: ceil(steps / 4) in single, ceil(steps / 2) in double
  SobolPlan sobol;
  std::uint64_t sample_first;  // a multiple of slab_samples
  int samples;  // 1 .. slab_samples; the functionals of the rest of the last group are computed and
                // meaningless
  void* normals;  // work space, 64-byte aligned: normals_bytes(...)
};

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The paths of one contract as kernels are asked for them, with all that a job points to.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/estimate/log_payoff.hpp"
#include "makespan/apps/asian/path/bridge.hpp"
#include "makespan/apps/asian/path/path_tables.hpp"
#include "makespan/apps/asian/path/sobol.hpp"
#include "makespan/simd/aligned_buffer.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

struct PathOptions {
  NormalSource source = NormalSource::philox;
  int rounds = 10;
  bool antithetic = false;
  bool greeks = false;
  bool logs = true;
};

class PathSet {
 public:
  PathSet(Contract const& contract, Precision precision, PathOptions const& options)
      : contract_{contract}, known_{laid(contract)} {
    simd::PhiloxStream const stream{contract.seed, static_cast<std::uint32_t>(contract.key),
                                    static_cast<std::uint32_t>(contract.key >> 32)};
    int const steps = known_.schedule.steps();
    tables_ = make_tables(contract, known_.schedule, precision, Kernels::named("one_lane").exp_all,
                          store_);
    known_.law.arithmetic.terminal_scale = terminal_scale(contract, precision);
    lay_bridge(known_.schedule.time, bridge_);
    double before = 0;
    for (double const time : known_.schedule.time) {
      inverse_root_dt_.push_back(1 / std::sqrt(time - before));
      before = time;
    }
    base_.resize(static_cast<std::size_t>(steps));
    for (int k = 0; k < steps; ++k) {
      auto const step = static_cast<std::uint32_t>(k);
      scramble_.push_back(simd::philox({step, 1, 2, 3}, contract.seed)[0]);
      philox_steps_.push_back(simd::philox_step(stream, step));  // more than are needed
    }
    job_ = {
        PathModel::lognormal,
        tables_,
        {},
        {},
        options.source,
        options.rounds,
        options.antithetic,
        options.greeks,
        options.logs || options.antithetic || options.greeks,
        stream,
        simd::philox_round_keys(stream.key),
        philox_steps_,
        {bridge_, inverse_root_dt_, scramble_, sobol_directions(), sobol_dimensions, base_, stream},
        0,
        0,
        normals_.reserve(normals_bytes(options.source, steps))};
  }
  PathSet(PathSet const&) = delete;
  PathSet& operator=(PathSet const&) = delete;

  [[nodiscard]] Schedule const& schedule() const { return known_.schedule; }
  [[nodiscard]] ContractLaw const& law() const { return known_.law; }
  [[nodiscard]] PathJob const& job() const { return job_; }

  // Functionals of samples first .. first + samples - 1, shape (functional_count, slab_samples);
  // nought where there is no sample.
  template <class T>
  std::vector<T> functionals(Kernels const& kernels, std::uint64_t first, int samples) {
    constexpr auto count = std::size_t{functional_count} * slab_samples;
    simd::AlignedBuffer<T> values;
    job_.sample_first = first;
    job_.samples = samples;
    std::fill_n(values.reserve(count), count, T{0});  // kernels leave alone what is not asked for
    simulate(kernels, values.data());
    std::vector<T> kept(values.data(), values.data() + count);
    for (std::size_t row = 0; row < count; row += slab_samples) {
      auto const at = kept.begin() + static_cast<std::ptrdiff_t>(row);
      std::fill(at + samples, at + slab_samples, T{0});
    }
    return kept;
  }

  [[nodiscard]] MomentJob moment_job(Estimator estimator) const {
    ContractLaw const& law = known_.law;
    Outputs const control = log_outputs(law, contract_.payoff);
    double const g_mean = simd::portable_exp(law.log.level + 0.5 * law.log_variance);
    return {.estimator = estimator,
            .payoff = contract_.payoff,
            .average = contract_.average,
            .greeks = job_.greeks,
            .is_of_model = false,
            .has_own_twin = false,
            .common = law.common,
            .arithmetic = law.arithmetic,
            .log = law.log,
            .short_part = {},
            .smooth = {},
            .parity = -1,
            .own_centre = 0.03,
            .centre = control,
            .control_mean = control,
            .linear_mean = {law.forward.average, g_mean},
            .samples = 0};
  }

 private:
  void simulate(Kernels const& kernels, float* values) { kernels.simulate_f32(job_, values); }
  void simulate(Kernels const& kernels, double* values) { kernels.simulate_f64(job_, values); }

  Contract contract_;
  Laid known_;
  PathTableStore store_;
  PathTables tables_{};
  std::vector<BridgeStep> bridge_;
  std::vector<double> inverse_root_dt_;
  std::vector<std::uint32_t> scramble_;
  std::vector<std::uint32_t> base_;
  std::vector<simd::PhiloxStep> philox_steps_;
  simd::AlignedBuffer<std::byte> normals_;
  PathJob job_{};
};

// Strands of the moments of a slab's functionals, shape (moment_count, strand_count).
template <class T>
std::vector<double> strands_of(Kernels const& kernels, MomentJob job,
                               std::vector<T> const& functionals, int samples) {
  auto const count =
      static_cast<std::size_t>(moment_count(job.estimator, job.greeks) * strand_count);
  simd::AlignedBuffer<double> strands;
  simd::AlignedBuffer<T> values;
  std::fill_n(strands.reserve(count), count, 0.0);
  std::copy(functionals.begin(), functionals.end(), values.reserve(functionals.size()));
  job.samples = samples;
  if constexpr (sizeof(T) == sizeof(float)) {
    kernels.add_moments_f32(job, values.data(), strands.data());
  } else {
    kernels.add_moments_f64(job, values.data(), strands.data());
  }
  return {strands.data(), strands.data() + count};
}

// The monthly call with other fixings; its last step ends in a year.
inline Contract with_fixings(std::int64_t fixings, double volatility = 0.2) {
  Contract contract = monthly_call();
  contract.fixings = fixings;
  contract.first_fixing = 1 / static_cast<double>(fixings);
  contract.volatility = volatility;
  return contract;
}

}  // namespace makespan::asian

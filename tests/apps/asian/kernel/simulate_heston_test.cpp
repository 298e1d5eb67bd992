// SPDX-License-Identifier: Apache-2.0
// Goal: paths of a random variance are those of Andersen's scheme, with the same bits on every
// instruction set. Method: the scheme in plain loops with the C library, path by path, from normals
// made by definition; moments of the variance over many steps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "apps/asian/heston_contracts.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/path/heston_steps.hpp"
#include "makespan/simd/aligned_buffer.hpp"

namespace makespan::asian {
namespace {

class HestonPaths {
 public:
  HestonPaths(Contract const& contract, bool antithetic, bool greeks = false)
      : known_{laid(contract)} {
    job_.heston = lay_heston_plan(contract, known_.schedule, known_.law.common.drift, steps_);
    auto const count = static_cast<int>(steps_.size());
    job_.greeks = greeks;
    job_.source = NormalSource::philox;
    job_.philox_rounds = 10;
    job_.antithetic = antithetic;
    job_.logs = true;
    job_.stream = {7, 11, 13};
    job_.round_keys = simd::philox_round_keys(job_.stream.key);
    for (int i = 0; i < count; ++i) {
      counters_.push_back(simd::philox_step(job_.stream, static_cast<std::uint32_t>(i)));
    }
    job_.philox_steps = counters_;
    job_.normals = normals_.reserve(normals_bytes(job_.source, 2 * count));
  }

  std::vector<double> functionals(Kernels const& kernels, std::uint64_t first, int samples) {
    constexpr auto count = std::size_t{functional_count} * slab_samples;
    simd::AlignedBuffer<double> values;
    double* const at = values.reserve(count);
    std::fill_n(at, count, 0.0);
    job_.sample_first = first;
    job_.samples = samples;
    kernels.simulate_heston(job_, at);
    return {at, at + count};
  }

  [[nodiscard]] std::vector<HestonStep> const& steps() const { return steps_; }
  [[nodiscard]] PathJob const& job() const { return job_; }

 private:
  Laid known_;
  std::vector<HestonStep> steps_;
  std::vector<simd::PhiloxStep> counters_;
  simd::AlignedBuffer<std::byte> normals_;
  PathJob job_{};
};

// The two normals of a step: of the price and of the variance.
std::array<double, 2> normals_of(PathJob const& job, std::uint64_t path, std::uint32_t step) {
  simd::PhiloxCounter const w =
      simd::philox({static_cast<std::uint32_t>(path), job.stream.word_1, step, job.stream.word_3},
                   job.stream.key, job.philox_rounds);
  auto const wide = [&](std::size_t i) { return (std::uint64_t{w[i]} << 32) | w[i + 1]; };
  double const uniform = (static_cast<double>(wide(0) >> 12) + 0.5) * 0x1p-52;
  double const turn = (static_cast<double>(wide(2) >> 12) + 0.5) * 0x1p-52 - 0.5;
  double const radius = std::sqrt(-2 * std::log(uniform));
  double const angle = std::numbers::pi * turn;
  return {radius * std::sin(angle), ((wide(0) & 1U) != 0 ? -radius : radius) * std::cos(angle)};
}

struct Path {
  double end;
  double sum;
  double logs;
};

// Andersen's equations (23) to (33), (39) and (57) to (61), with gamma_1 = gamma_2 = 1/2.
Path path_of(HestonPaths const& paths, std::uint64_t number, double sign) {
  double v = paths.job().heston.variance_now;
  double const theta = paths.job().heston.variance_mean;
  double x = 0;
  double growth = 0;
  Path path{};
  for (std::size_t i = 0; i < paths.steps().size(); ++i) {
    HestonStep const& step = paths.steps()[i];
    auto const normals = normals_of(paths.job(), number, static_cast<std::uint32_t>(i));
    double const z_price = sign * normals[0];
    double const z = sign * normals[1];
    double const m = theta + (v - theta) * step.mean_factor;
    double const psi = (v * step.variance_slope + step.variance_constant) / (m * m);
    double const a_exponent = step.exponent;
    double next = 0;
    double k0 = 0;
    if (psi <= 1.5) {
      double const b2 = 2 / psi - 1 + std::sqrt(2 / psi) * std::sqrt(2 / psi - 1);
      double const a = m / (1 + b2);
      next = a * (std::sqrt(b2) + z) * (std::sqrt(b2) + z);
      k0 = -a_exponent * b2 * a / (1 - 2 * a_exponent * a) + 0.5 * std::log(1 - 2 * a_exponent * a);
    } else {
      double const p = (psi - 1) / (psi + 1);
      double const beta = (1 - p) / m;
      double const above = 0.5 * std::erfc(z / std::numbers::sqrt2);  // 1 - U
      next = above >= 1 - p ? 0 : std::log((1 - p) / above) / beta;
      k0 = -std::log(p + beta * (1 - p) / (beta - a_exponent));
    }
    x +=
        k0 - 0.5 * step.noise * v + step.next * next + std::sqrt(step.noise * (v + next)) * z_price;
    growth += step.growth;
    v = next;
    if (!step.has_price) continue;
    path.end = std::exp(x + growth);
    path.sum += step.weight * path.end;
    path.logs += step.log_weight * x;
  }
  return path;
}

TEST(SimulateHeston, makes_the_paths_of_the_scheme) {
  for (Heston const& model : heston_models) {
    Contract const contract = with_heston(on_strike(monthly_call(), 1), model);
    HestonPaths paths(contract, true);
    std::uint64_t const first = 512;
    auto const values = paths.functionals(Kernels::named("one_lane"), first, slab_samples);
    auto const at = [&](Functional f, std::size_t path) {
      return values[static_cast<std::size_t>(f) * slab_samples + path];
    };
    for (std::size_t i = 0; i < slab_samples; i += 7) {
      Path const up = path_of(paths, first + i, 1);
      Path const down = path_of(paths, first + i, -1);
      EXPECT_NEAR(at(growth_up, i), up.end, 1e-9 * up.end) << i;
      EXPECT_NEAR(at(sum_up, i), up.sum, 1e-9 * up.sum) << i;
      EXPECT_NEAR(at(log_sum, i), up.logs, 1e-9) << i;
      EXPECT_NEAR(at(growth_down, i), down.end, 1e-9 * down.end) << i;
      EXPECT_NEAR(at(sum_down, i), down.sum, 1e-9 * down.sum) << i;
      EXPECT_NEAR(at(log_sum_down, i), down.logs, 1e-9) << i;
    }
  }
}

TEST(SimulateHeston, has_the_same_bits_on_every_instruction_set) {
  for (Heston const& model : heston_models) {
    for (bool const antithetic : {false, true}) {
      HestonPaths paths(with_heston(monthly_call(), model), antithetic, true);
      for (int const samples : {1, 17, 100, 256}) {
        auto const expected = paths.functionals(Kernels::named("one_lane"), 1024, samples);
        for (Kernels const* kernels : Kernels::available()) {
          auto const ours = paths.functionals(*kernels, 1024, samples);
          for (Functional const f : {growth_up, sum_up, log_sum, brownian_up, vega_end, vega_logs,
                                     theta_up, theta_end_up, theta_logs}) {
            auto const at = static_cast<std::size_t>(f) * slab_samples;
            EXPECT_EQ(std::memcmp(&ours[at], &expected[at],
                                  static_cast<std::size_t>(samples) * sizeof(double)),
                      0)
                << kernels->isa << ' ' << samples << ' ' << f;
          }
        }
      }
    }
  }
}

// Whatever the parameters: no path ends as no number.
TEST(SimulateHeston, stays_finite_at_the_ends_of_the_parameters) {
  for (Heston const& model : {Heston{0, 1e-9, 1e-12, 1e-3, 0}, Heston{0, 1000, 1000, 1000, 1},
                              Heston{1000, 1e-9, 1e-12, 1000, -1}, Heston{0.04, 2, 0.04, 5, 1},
                              Heston{0.04, 0.01, 0.04, 3, 0.99}, Heston{0, 2, 0.04, 0.3, -0.7}}) {
    HestonPaths paths(with_heston(monthly_call(), model), true, true);
    auto const values = paths.functionals(*Kernels::available().front(), 0, slab_samples);
    for (Functional const f :
         {sum_up, log_sum, sum_down, log_sum_down, brownian_up, vega_logs_down, theta_up}) {
      for (std::size_t i = 0; i < slab_samples; ++i) {
        double const x = values[static_cast<std::size_t>(f) * slab_samples + i];
        EXPECT_TRUE(std::isfinite(x)) << f << ' ' << model.variance_volatility;
      }
    }
  }
}

}  // namespace
}  // namespace makespan::asian

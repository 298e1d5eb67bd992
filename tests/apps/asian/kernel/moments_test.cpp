// SPDX-License-Identifier: Apache-2.0
// Goal: moments are the sums that moment_job.hpp lays out, each sample in its strand. Method: the
// same sums in plain loops over the payoffs of single paths; payoff_test.cpp shows those right.
#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include "makespan/apps/asian/kernel/moment_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "apps/asian/path_set.hpp"
#include "makespan/apps/asian/kernel/payoff-inl.hpp"

namespace makespan::asian {
namespace {

using one_lane::PathOutputs;
using one_lane::PathValues;

// A path, or its twin, from a slab's functionals.
PathValues path_at(MomentJob const& job, std::vector<double> const& values, std::size_t path,
                   bool up) {
  auto const at = [&](Functional f) {
    return values[static_cast<std::size_t>(f) * slab_samples + path];
  };
  double const sign = up ? 1 : -1;
  return {
      .average = at(up ? sum_up : sum_down) + job.arithmetic.constant,
      .terminal = at(up ? growth_up : growth_down) * job.arithmetic.terminal_scale,
      .logs = sign * at(log_sum),
      .logs_short = 0,
      .exercise = sign * at(log_sum),
      .brownian = sign * at(brownian),
      .end_slope = sign * at(vega_end) - job.common.volatility_time,
      .log_slope = sign * at(vega_logs) - job.log.volatility_time,
      .average_slope = sign * at(up ? brownian_up : brownian_down) - at(up ? vega_up : vega_down),
      .sum_time = at(up ? time_up : time_down),
      .sum_direction = at(up ? direction_up : direction_down),
      .sum_direction2 = at(up ? direction2_up : direction2_down),
      .average_delta = at(up ? sum_up : sum_down) + job.arithmetic.constant,
      .average_theta = 0,
      .log_theta = 0,
      .end_theta = 0};
}

PathOutputs arithmetic_outputs(MomentJob const& job, PathValues const& path) {
  return job.payoff == Payoff::average_price
             ? one_lane::ArithmeticPrice<true>(job.common, job.arithmetic, job.log, path)
             : one_lane::ArithmeticStrike<true>(job.common, job.arithmetic, job.log, path);
}

double log_average(MomentJob const& job, PathValues const& path) {
  return std::exp(path.logs + job.log.level);
}

PathOutputs log_outputs_of(MomentJob const& job, PathValues const& path) {
  double const g = log_average(job, path);
  return job.payoff == Payoff::average_price
             ? one_lane::LogPrice<true>(job.common, job.log, g, path)
             : one_lane::LogStrike<true>(job.common, job.arithmetic, job.log, g, path);
}

// Adds one sample's moments to its strand.
class Strands {
 public:
  Strands(std::vector<double>& sums, std::size_t sample)
      : sums_{sums}, strand_{sample % strand_count} {}
  void add(int moment, double value) {
    sums_[static_cast<std::size_t>(moment) * strand_count + strand_] += value;
  }

 private:
  std::vector<double>& sums_;
  std::size_t strand_;
};

void add_plain(MomentJob const& job, std::vector<double> const& values, std::size_t i,
               Strands strands) {
  PathValues const path = path_at(job, values, i, true);
  bool const arithmetic = job.average == Average::arithmetic;
  PathOutputs const x = arithmetic ? arithmetic_outputs(job, path) : log_outputs_of(job, path);
  strands.add(exercised, x.value[price] > 0 ? 1 : 0);
  for (int k = 0; k < output_count; ++k) {
    double const off = x.value[k] - job.centre[static_cast<std::size_t>(k)];
    strands.add(plain_first + k * plain_stride, off);
    strands.add(plain_first + k * plain_stride + 1, off * off);
  }
}

double linear_payoff(MomentJob const& job, PathValues const& path) {
  double const level = job.arithmetic.level;
  return job.payoff == Payoff::average_price
             ? path.average - level
             : path.terminal - job.common.multiplier * (path.average + level);
}

void add_controlled(MomentJob const& job, std::vector<double> const& values, std::size_t i,
                    Strands strands) {
  PathValues const up = path_at(job, values, i, true);
  PathValues const down = path_at(job, values, i, false);
  PathOutputs const x[2] = {arithmetic_outputs(job, up), arithmetic_outputs(job, down)};
  PathOutputs const y[2] = {log_outputs_of(job, up), log_outputs_of(job, down)};
  double const l1 = 0.5 * (up.average + down.average) - job.linear_mean[0];
  double const l2 = 0.5 * (log_average(job, up) + log_average(job, down)) - job.linear_mean[1];
  strands.add(exercised, x[0].value[price] > 0 || x[1].value[price] > 0 ? 1 : 0);
  for (auto const& [path, one] : {std::pair{up, x[0]}, std::pair{down, x[1]}}) {
    double const off = one.value[price] + job.parity * linear_payoff(job, path) - job.own_centre;
    strands.add(path_square, 0.5 * off * off);
  }
  double const linear[5] = {l1, l2, l1 * l1, l1 * l2, l2 * l2};
  for (int m = 0; m < 5; ++m) strands.add(linear_first + m, linear[m]);
  for (int k = 0; k < output_count; ++k) {
    auto const at = static_cast<std::size_t>(k);
    double const xk = 0.5 * (x[0].value[k] + x[1].value[k]) - job.centre[at];
    double const yk = 0.5 * (y[0].value[k] + y[1].value[k]) - job.control_mean[at];
    double const own[controlled_stride] = {xk,      xk * xk, yk,      yk * yk, xk * yk,
                                           xk * l1, xk * l2, yk * l1, yk * l2};
    for (int m = 0; m < controlled_stride; ++m)
      strands.add(controlled_first + k * controlled_stride + m, own[m]);
  }
}

std::vector<Contract> contracts() {
  std::vector<Contract> all;
  for (Contract const& base : {monthly_call(), put(with_start(seasoned(monthly_call())))}) {
    for (Contract const& contract : {base, geometric(base)}) {
      all.push_back(contract);
      all.push_back(on_strike(contract, 0.95));
    }
  }
  return all;
}

TEST(Moments, are_the_sums_over_samples) {
  for (Contract const& contract : contracts()) {
    for (Estimator const estimator : {Estimator::plain, Estimator::controlled}) {
      bool const controlled = estimator == Estimator::controlled;
      PathSet paths{contract, Precision::fp64, {.antithetic = true, .greeks = true}};
      MomentJob const job = paths.moment_job(estimator);
      constexpr int samples = 101;
      auto const values = paths.functionals<double>(Kernels::named("one_lane"), 0, samples);
      auto const ours = strands_of(Kernels::named("one_lane"), job, values, samples);

      std::vector<double> expected(ours.size());
      for (std::size_t i = 0; i < samples; ++i) {
        controlled ? add_controlled(job, values, i, {expected, i})
                   : add_plain(job, values, i, {expected, i});
      }
      for (std::size_t m = 0; m < ours.size(); ++m) {
        EXPECT_NEAR(ours[m], expected[m], 1e-12 * (1 + std::fabs(expected[m])))
            << "moment " << m / strand_count << ", strand " << m % strand_count;
      }
    }
  }
}

TEST(Moments, add_to_what_is_there) {
  PathSet paths{monthly_call(), Precision::fp64, {.antithetic = true}};
  MomentJob const job = paths.moment_job(Estimator::controlled);
  auto const values = paths.functionals<double>(Kernels::named("one_lane"), 0, slab_samples);
  auto const once = strands_of(Kernels::named("auto"), job, values, slab_samples);
  simd::AlignedBuffer<double> strands;
  simd::AlignedBuffer<double> aligned;
  std::fill_n(strands.reserve(once.size()), once.size(), 0.0);
  std::copy(values.begin(), values.end(), aligned.reserve(values.size()));
  MomentJob whole = job;
  whole.samples = slab_samples;
  for (int slab = 0; slab < 2; ++slab)
    Kernels::named("auto").add_moments_f64(whole, aligned.data(), strands.data());

  for (std::size_t m = 0; m < once.size(); ++m) {
    EXPECT_NEAR(strands.data()[m], 2 * once[m], 1e-12 * (1 + std::fabs(once[m])));
  }
}

TEST(Moments, have_room_for_the_most_that_there_are) {
  EXPECT_EQ(moment_count(Estimator::controlled, true), moment_count_max);
  EXPECT_LT(moment_count(Estimator::plain, true), moment_count_max);
  EXPECT_EQ(moment_count(Estimator::controlled, false), controlled_first + controlled_stride);
}

}  // namespace
}  // namespace makespan::asian

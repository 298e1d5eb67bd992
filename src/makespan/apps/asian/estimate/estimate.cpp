// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "makespan/base/contracts.hpp"

namespace makespan::asian {

namespace {

constexpr int controls = 3;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// One output's sums, about the centres: those of controls 0..2 (the lognormal payoff and the two
// linear ones) and the output.
struct Sums {
  double mean[controls + 1];                 // per sample
  double cross[controls + 1][controls + 1];  // centred sums of products
};

struct Fit {
  double beta[controls];
  double residual;  // sum of squares
  int fitted;
};

Sums gather(std::span<double const> moments, int output, double samples) {
  double const* const own = moments.data() + controlled_first + output * controlled_stride;
  double const* const linear = moments.data() + linear_first;
  // In the layout of moment_job.hpp; the last row and column are the output's.
  double const total[controls + 1] = {own[2], linear[0], linear[1], own[0]};
  double const product[controls + 1][controls + 1] = {{own[3], own[7], own[8], own[4]},
                                                      {own[7], linear[2], linear[3], own[5]},
                                                      {own[8], linear[3], linear[4], own[6]},
                                                      {own[4], own[5], own[6], own[1]}};
  Sums sums{};
  for (int i = 0; i <= controls; ++i) {
    sums.mean[i] = total[i] / samples;
    for (int k = 0; k <= controls; ++k)
      sums.cross[i][k] = product[i][k] - total[i] * total[k] / samples;
  }
  return sums;
}

// A control whose sample mean is this many of its own standard errors off its exact mean shows that
// the sample misses the part of the distribution that its value comes from, as it does when the
// variance to expiry is huge.
constexpr double blind_errors = 6;

bool is_blind(Sums const& sums, int control, double samples) {
  double const error = std::sqrt(std::max(sums.cross[control][control], 0.0)) / samples;
  return std::fabs(sums.mean[control]) > blind_errors * error;
}

// The price can be off by as much as its control is seen to be.
double with_blindness(double std_error, Sums const& sums, double samples) {
  return is_blind(sums, 0, samples) ? std::max(std_error, std::fabs(sums.mean[0])) : std_error;
}

// Least squares by elimination. Controls that are blind are left out, those that the earlier ones
// explain to 1e-9 of their variance, and linear ones of which they leave less than `resolution`:
// its coefficient would be so large that rounding in the paths, which has a mean, came through.
Fit fit_controls(Sums const& sums, double samples, double resolution) {
  // The normal equations with the output as last row and column: elimination leaves the residual's
  // sum of squares as the last entry.
  double a[controls + 1][controls + 1];
  std::copy(&sums.cross[0][0], &sums.cross[0][0] + (controls + 1) * (controls + 1), &a[0][0]);
  bool used[controls];
  Fit fit{};
  for (int i = 0; i < controls; ++i) {
    double const least = i == 0 ? 0 : resolution * resolution * samples;
    used[i] = a[i][i] > std::max(1e-9 * sums.cross[i][i], least) && !is_blind(sums, i, samples);
    if (!used[i]) continue;
    ++fit.fitted;
    for (int row = i + 1; row <= controls; ++row) {
      double const factor = a[row][i] / a[i][i];
      for (int column = i; column <= controls; ++column) a[row][column] -= factor * a[i][column];
    }
  }
  for (int i = controls - 1; i >= 0; --i) {
    if (!used[i]) continue;
    double rest = a[i][controls];
    for (int k = i + 1; k < controls; ++k) rest -= a[i][k] * fit.beta[k];
    fit.beta[i] = rest / a[i][i];
  }
  fit.residual = std::max(a[controls][controls], 0.0);
  return fit;
}

// The lognormal control alone with coefficient 1, when the sample says too little for a fit.
Fit unit_fit(Sums const& sums) {
  double const residual =
      sums.cross[controls][controls] - 2 * sums.cross[0][controls] + sums.cross[0][0];
  return {{1, 0, 0}, std::max(residual, 0.0), 1};
}

// What a sample that only one of payoff and control exercises is off by, squared: half a Greek's
// jump, since it is one of a pair that jumps; for the price about the distance between the two
// averages.
double unseen_square(EstimateTerms const& terms, Sums const& sums, int output, double samples) {
  double const jump = terms.jump[static_cast<std::size_t>(output)];
  if (output != price) return 0.25 * jump * jump;
  return std::max(sums.cross[1][1] - 2 * sums.cross[1][2] + sums.cross[2][2], 0.0) / samples;
}

double with_unseen(double std_error, double square, double samples) {
  return std::sqrt(std_error * std_error + unseen_samples * square / (samples * samples));
}

double controlled_mean(Sums const& sums, Fit const& fit) {
  double mean = sums.mean[controls];
  for (int i = 0; i < controls; ++i) mean -= fit.beta[i] * sums.mean[i];
  return mean;
}

Estimate blank() {
  Estimate out{};
  out.value.fill(nothing);
  out.std_error.fill(nothing);
  out.control_beta = nothing;
  return out;
}

// Of an output that was hardly seen; the price first.
void raise_to_floor(EstimateTerms const& terms, int output, Estimate& out) {
  auto const k = static_cast<std::size_t>(output);
  double const with_price = output == price ? 0 : terms.floor_over_price[k] * out.std_error[price];
  out.std_error[k] = std::max({out.std_error[k], terms.floor[k], with_price});
}

Estimate estimate_plain(EstimateTerms const& terms, std::span<double const> moments,
                        double samples) {
  Estimate out = blank();
  int const outputs = terms.greeks ? output_count : 1;
  bool const rare = moments[exercised] < exercised_min;
  for (int k = 0; k < outputs; ++k) {
    auto const at = static_cast<std::size_t>(k);
    double const* const own = moments.data() + plain_first + k * plain_stride;
    double const squares = std::max(own[1] - own[0] * own[0] / samples, 0.0);
    double const variance = samples > 1 ? squares / (samples - 1) : 0;
    out.value[at] = terms.centre[at] + own[0] / samples;
    out.std_error[at] = std::sqrt(variance / samples);
    if (rare || samples < 2) raise_to_floor(terms, k, out);
    bool const below = out.value[at] + blind_errors * out.std_error[at] < terms.price_min;
    if (k == price && below) out.std_error[at] = terms.price_min - out.value[at];
    if (k == price) out.path_variance = variance;
  }
  out.exercised = static_cast<std::int64_t>(moments[exercised]);
  return out;
}

bool says_little(std::span<double const> moments, double samples) {
  // A mean and three coefficients fit four samples without a residual.
  return moments[exercised] < exercised_min || samples <= controls + 1;
}

// On each path, so that both have the same error, which is known best of the price.
void fill_rho(EstimateTerms const& terms, Estimate& out) {
  if (!terms.greeks || terms.rho_over_price == 0) return;
  out.value[rho] = terms.rho_over_price * out.value[price];
  out.std_error[rho] = std::fabs(terms.rho_over_price) * out.std_error[price];
}

void fill_path_variance(std::span<double const> moments, double samples, Estimate& out) {
  out.path_variance = moments[path_square] / samples;
  out.exercised = static_cast<std::int64_t>(moments[exercised]);
}

}  // namespace

Estimate estimate(EstimateTerms const& terms, std::span<double const> moments,
                  std::int64_t samples) {
  MAKESPAN_EXPECT(samples > 0);
  auto const n = static_cast<double>(samples);
  if (terms.estimator == Estimator::plain) {
    Estimate plain = estimate_plain(terms, moments, n);
    fill_rho(terms, plain);
    return plain;
  }
  Estimate out = blank();
  int const outputs = terms.greeks ? output_count : 1;
  bool const rare = says_little(moments, n);
  for (int k = 0; k < outputs; ++k) {
    auto const at = static_cast<std::size_t>(k);
    Sums const sums = gather(moments, k, n);
    Fit const fit = rare ? unit_fit(sums) : fit_controls(sums, n, terms.resolution);
    // One for the mean, and one for each control.
    double const degrees = std::max(n - 1 - fit.fitted, 1.0);
    out.value[at] = terms.centre[at] + controlled_mean(sums, fit);
    out.std_error[at] =
        with_unseen(std::sqrt(fit.residual / degrees / n), unseen_square(terms, sums, k, n), n);
    out.std_error[at] = with_blindness(out.std_error[at], sums, n);
    if (rare) raise_to_floor(terms, k, out);
    if (k == price) out.control_beta = fit.beta[0];
  }
  fill_rho(terms, out);
  fill_path_variance(moments, n, out);
  return out;
}

Estimate estimate_replicates(EstimateTerms const& terms,
                             std::span<std::vector<double> const> moments, std::int64_t samples) {
  MAKESPAN_EXPECT(moments.size() >= 2);
  MAKESPAN_EXPECT(terms.estimator == Estimator::controlled);
  auto const replicates = static_cast<double>(moments.size());
  auto const n = static_cast<double>(samples);
  std::vector<double> pooled(moments.front().size(), 0.0);
  for (std::vector<double> const& one : moments) {
    for (std::size_t i = 0; i < pooled.size(); ++i) pooled[i] += one[i];
  }
  Estimate out = blank();
  int const outputs = terms.greeks ? output_count : 1;
  double const all_samples = n * replicates;
  bool const rare = says_little(pooled, all_samples);
  for (int k = 0; k < outputs; ++k) {
    auto const at = static_cast<std::size_t>(k);
    Sums const all = gather(pooled, k, all_samples);
    Fit const fit = rare ? unit_fit(all) : fit_controls(all, all_samples, terms.resolution);
    double const mean = controlled_mean(all, fit);
    // The spread of the points within a set says nothing of the error; that of the sets' means
    // does.
    double squares = 0;
    for (std::vector<double> const& one : moments) {
      double const off = controlled_mean(gather(one, k, n), fit) - mean;
      squares += off * off;
    }
    out.value[at] = terms.centre[at] + mean;
    double const spread = std::sqrt(squares / (replicates - 1) / replicates);
    out.std_error[at] = with_unseen(spread, unseen_square(terms, all, k, all_samples), all_samples);
    out.std_error[at] = with_blindness(out.std_error[at], all, all_samples);
    if (rare) raise_to_floor(terms, k, out);
    if (k == price) out.control_beta = fit.beta[0];
  }
  fill_rho(terms, out);
  fill_path_variance(pooled, all_samples, out);
  return out;
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// Goal: estimates from moments are those of a regression on the samples themselves. Method:
// made-up samples; the same regression by plain least squares in long double (normal equations of
// the raw design matrix, by Gauss's elimination with pivots); samples that controls explain wholly.
#include "makespan/apps/asian/estimate/estimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "makespan/base/contracts.hpp"

namespace makespan::asian {
namespace {

// One pair's outputs, the lognormal control's, and the two linear controls; controls have mean 0.
struct Sample {
  std::array<double, output_count> x;
  std::array<double, output_count> y;
  double l1;
  double l2;
  double path_square;
};

constexpr double centre = 0.25;

std::vector<Sample> random_samples(std::uint64_t seed, std::size_t count, double noise) {
  std::mt19937_64 random{seed};
  std::normal_distribution<double> normal;
  std::vector<Sample> samples(count);
  for (Sample& sample : samples) {
    sample.l1 = normal(random);
    sample.l2 = 0.8 * sample.l1 + 0.3 * normal(random);
    for (std::size_t k = 0; k < output_count; ++k) {
      double const scale = static_cast<double>(k + 1);
      sample.y[k] = 0.5 * sample.l1 + scale * normal(random);
      sample.x[k] =
          centre + 1.1 * sample.y[k] - 0.2 * sample.l1 + 0.1 * sample.l2 + noise * normal(random);
    }
    sample.path_square = (sample.x[0] - centre) * (sample.x[0] - centre);
  }
  return samples;
}

std::vector<double> controlled_moments(std::vector<Sample> const& samples) {
  std::vector<double> moments(static_cast<std::size_t>(moment_count(Estimator::controlled, true)));
  for (Sample const& s : samples) {
    moments[exercised] += 1;
    moments[path_square] += s.path_square;
    double* const linear = &moments[linear_first];
    linear[0] += s.l1;
    linear[1] += s.l2;
    linear[2] += s.l1 * s.l1;
    linear[3] += s.l1 * s.l2;
    linear[4] += s.l2 * s.l2;
    for (std::size_t k = 0; k < output_count; ++k) {
      double* const own = &moments[controlled_first + k * controlled_stride];
      double const x = s.x[k] - centre;
      double const terms[controlled_stride] = {
          x,        x * x,    s.y[k],        s.y[k] * s.y[k], x * s.y[k],
          x * s.l1, x * s.l2, s.y[k] * s.l1, s.y[k] * s.l2};
      for (int i = 0; i < controlled_stride; ++i) own[i] += terms[i];
    }
  }
  return moments;
}

EstimateTerms terms_of(Estimator estimator, double floor = 0) {
  EstimateTerms terms{};
  terms.estimator = estimator;
  terms.greeks = true;
  terms.centre.fill(centre);
  terms.floor.fill(floor);
  return terms;
}

// Intercept and coefficients of x on 1, y, l1, l2, and the sum of squares they leave.
struct Regression {
  long double coefficient[4];
  long double residual;
};

Regression regress(std::vector<Sample> const& samples, std::size_t output) {
  auto const row_of = [&](Sample const& s) {
    return std::array<long double, 5>{1, s.y[output], s.l1, s.l2, s.x[output]};
  };
  long double a[4][5] = {};
  for (Sample const& s : samples) {
    auto const row = row_of(s);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 5; ++j) a[i][j] += row[i] * row[j];
    }
  }
  for (int i = 0; i < 4; ++i) {
    int pivot = i;
    for (int r = i; r < 4; ++r) pivot = std::fabs(a[r][i]) > std::fabs(a[pivot][i]) ? r : pivot;
    std::swap(a[i], a[pivot]);
    for (int r = 0; r < 4; ++r) {
      long double const factor = r == i ? 0 : a[r][i] / a[i][i];
      for (int c = i; c < 5; ++c) a[r][c] -= factor * a[i][c];
    }
  }
  Regression result{};
  for (int i = 0; i < 4; ++i) result.coefficient[i] = a[i][4] / a[i][i];
  for (Sample const& s : samples) {
    auto const row = row_of(s);
    long double off = row[4];
    for (std::size_t i = 0; i < 4; ++i) off -= result.coefficient[i] * row[i];
    result.residual += off * off;
  }
  return result;
}

TEST(Estimate, is_the_intercept_of_a_regression_on_the_controls) {
  auto const samples = random_samples(1, 500, 0.5);
  EstimateTerms const terms = terms_of(Estimator::controlled);
  Estimate const ours = estimate(terms, controlled_moments(samples), 500);

  for (std::size_t k = 1; k < output_count; ++k) {
    Regression const truth = regress(samples, k);
    EXPECT_NEAR(ours.value[k], static_cast<double>(truth.coefficient[0]), 1e-11);
    EXPECT_NEAR(ours.std_error[k], std::sqrt(static_cast<double>(truth.residual) / 496 / 500),
                1e-11);
  }
  EXPECT_NEAR(ours.value[price], static_cast<double>(regress(samples, 0).coefficient[0]), 1e-11);
  EXPECT_NEAR(ours.control_beta, static_cast<double>(regress(samples, 0).coefficient[1]), 1e-11);
  EXPECT_EQ(ours.exercised, 500);
}

TEST(Estimate, adds_what_it_may_not_have_seen) {
  auto const samples = random_samples(2, 500, 0.5);
  EstimateTerms terms = terms_of(Estimator::controlled);
  Estimate const seen = estimate(terms, controlled_moments(samples), 500);
  for (std::size_t k = 1; k < output_count; ++k) terms.jump[k] = static_cast<double>(k);
  Estimate const unseen = estimate(terms, controlled_moments(samples), 500);

  double apart = 0;  // of the two linear controls, centred
  double mean = 0;
  for (Sample const& s : samples) mean += (s.l1 - s.l2) / 500;
  for (Sample const& s : samples) apart += (s.l1 - s.l2 - mean) * (s.l1 - s.l2 - mean) / 500;
  double const residual = static_cast<double>(regress(samples, 0).residual) / 496 / 500;
  EXPECT_NEAR(seen.std_error[price], std::sqrt(residual + 2 * apart / (500.0 * 500)), 1e-12);
  EXPECT_EQ(unseen.std_error[price], seen.std_error[price]);
  for (std::size_t k = 1; k < output_count; ++k) {
    // Two samples out of 500 off by half the jump.
    double const half = 0.5 * static_cast<double>(k) / 500;
    EXPECT_NEAR(unseen.std_error[k], std::hypot(seen.std_error[k], std::sqrt(2.0) * half), 1e-12);
    EXPECT_EQ(unseen.value[k], seen.value[k]);
  }
}

TEST(Estimate, leaves_nothing_of_what_controls_explain) {
  auto const samples = random_samples(3, 400, 0);
  Estimate const ours = estimate(terms_of(Estimator::controlled), controlled_moments(samples), 400);

  for (std::size_t k = 1; k < output_count; ++k) {
    EXPECT_NEAR(ours.value[k], centre, 1e-12);
    EXPECT_LT(ours.std_error[k], 1e-7);  // half the digits, as differences of squares have
  }
  EXPECT_NEAR(ours.control_beta, 1.1, 1e-10);
}

TEST(Estimate, leaves_out_a_control_that_says_nothing_new) {
  auto samples = random_samples(4, 400, 0.5);
  for (Sample& s : samples) s.l2 = 2 * s.l1;
  Estimate const ours = estimate(terms_of(Estimator::controlled), controlled_moments(samples), 400);

  // Two controls are left: the regression with l2 made independent and without weight is wrong by
  // one degree of freedom only.
  for (std::size_t k = 1; k < output_count; ++k) {
    EXPECT_TRUE(std::isfinite(ours.value[k]));
    EXPECT_NEAR(ours.std_error[k], 0.5 / std::sqrt(400), 0.1 * 0.5 / std::sqrt(400));
  }
  for (Sample& s : samples) s.l1 = s.l2 = 0;
  Estimate const alone =
      estimate(terms_of(Estimator::controlled), controlled_moments(samples), 400);
  EXPECT_TRUE(std::isfinite(alone.value[price]));
  EXPECT_TRUE(std::isfinite(alone.std_error[price]));
}

TEST(Estimate, of_few_exercised_samples_takes_the_control_as_it_is) {
  auto const samples = random_samples(5, 500, 0.5);
  auto moments = controlled_moments(samples);
  moments[exercised] = exercised_min - 1;
  double const floor = 1e3;
  Estimate const ours = estimate(terms_of(Estimator::controlled, floor), moments, 500);

  EXPECT_EQ(ours.control_beta, 1.0);
  double mean = 0;
  for (Sample const& s : samples) mean += (s.x[price] - s.y[price]) / 500;
  EXPECT_NEAR(ours.value[price], mean, 1e-12);
  for (double const error : ours.std_error) EXPECT_EQ(error, floor);
  moments[exercised] = exercised_min;
  EXPECT_LT(estimate(terms_of(Estimator::controlled, floor), moments, 500).std_error[price], 1.0);
}

TEST(Estimate, of_few_samples_is_finite) {
  for (std::size_t const count : {1UL, 2UL, 3UL, 4UL, 5UL}) {
    auto const samples = random_samples(6, count, 0.5);
    Estimate const ours = estimate(terms_of(Estimator::controlled, 0.125),
                                   controlled_moments(samples), static_cast<std::int64_t>(count));
    for (std::size_t k = 0; k < output_count; ++k) {
      EXPECT_TRUE(std::isfinite(ours.value[k]));
      EXPECT_GE(ours.std_error[k], 0.125);
    }
  }
}

std::vector<double> plain_moments(std::vector<Sample> const& samples, int outputs) {
  std::vector<double> moments(static_cast<std::size_t>(plain_first + outputs * plain_stride));
  for (Sample const& s : samples) {
    moments[exercised] += 1;
    for (int k = 0; k < outputs; ++k) {
      double const off = s.x[static_cast<std::size_t>(k)] - centre;
      moments[static_cast<std::size_t>(plain_first + k * plain_stride)] += off;
      moments[static_cast<std::size_t>(plain_first + k * plain_stride + 1)] += off * off;
    }
  }
  return moments;
}

TEST(Estimate, plain_is_mean_and_deviation) {
  auto const samples = random_samples(7, 300, 0.5);
  Estimate const ours =
      estimate(terms_of(Estimator::plain), plain_moments(samples, output_count), 300);

  for (std::size_t k = 0; k < output_count; ++k) {
    double mean = 0;
    double squares = 0;
    for (Sample const& s : samples) mean += s.x[k] / 300;
    for (Sample const& s : samples) squares += (s.x[k] - mean) * (s.x[k] - mean);
    EXPECT_NEAR(ours.value[k], mean, 1e-12);
    EXPECT_NEAR(ours.std_error[k], std::sqrt(squares / 299 / 300), 1e-12);
  }
  double const error = ours.std_error[price];
  EXPECT_NEAR(ours.path_variance, 300 * error * error, 1e-10);
  EXPECT_TRUE(std::isnan(ours.control_beta));
}

TEST(Estimate, plain_keeps_the_floor_while_exercise_is_rare) {
  auto const samples = random_samples(8, 300, 0.5);
  auto moments = plain_moments(samples, output_count);
  moments[exercised] = exercised_min - 1;

  EXPECT_EQ(estimate(terms_of(Estimator::plain, 1e3), moments, 300).std_error[price], 1e3);
  auto const one = plain_moments(random_samples(9, 1, 0.5), output_count);
  EXPECT_EQ(estimate(terms_of(Estimator::plain, 0.5), one, 1).std_error[price], 0.5);
}

TEST(Estimate, plain_admits_what_it_is_below_a_known_bound) {
  auto const moments = plain_moments(random_samples(12, 300, 0.1), output_count);
  EstimateTerms terms = terms_of(Estimator::plain);
  Estimate const usual = estimate(terms, moments, 300);
  terms.price_min = usual.value[price] + 5.9 * usual.std_error[price];
  EXPECT_EQ(estimate(terms, moments, 300).std_error[price], usual.std_error[price]);
  terms.price_min = usual.value[price] + 100;
  EXPECT_DOUBLE_EQ(estimate(terms, moments, 300).std_error[price], 100);
  EXPECT_EQ(estimate(terms, moments, 300).std_error[delta], usual.std_error[delta]);
}

// Two samples have a payoff: what the control has no mean of may be missed as the price is.
TEST(Estimate, errors_of_rare_outputs_go_with_the_prices) {
  std::vector<Sample> const samples = random_samples(10, 200, 1);
  for (Estimator const estimator : {Estimator::plain, Estimator::controlled}) {
    std::vector<double> moments = estimator == Estimator::plain
                                      ? plain_moments(samples, output_count)
                                      : controlled_moments(samples);
    moments[exercised] = 2;
    EstimateTerms terms = terms_of(estimator);
    terms.floor[price] = 1e3;
    Estimate const usual = estimate(terms, moments, 200);
    terms.floor_over_price[gamma] = 7;
    Estimate const raised = estimate(terms, moments, 200);

    EXPECT_EQ(raised.std_error[price], 1e3);
    EXPECT_LT(usual.std_error[gamma], 1e3);
    EXPECT_EQ(raised.std_error[gamma], 7e3);
    EXPECT_EQ(raised.std_error[vega], usual.std_error[vega]);
    moments[exercised] = exercised_min;
    EXPECT_LT(estimate(terms, moments, 200).std_error[gamma], 1e3);
  }
}

TEST(Estimate, rho_is_the_price_where_only_its_discount_has_the_rate) {
  std::vector<Sample> const samples = random_samples(10, 200, 1);
  for (Estimator const estimator : {Estimator::plain, Estimator::controlled}) {
    EstimateTerms terms = terms_of(estimator);
    terms.rho_over_price = -2;
    Estimate const ours =
        estimate(terms,
                 estimator == Estimator::plain ? plain_moments(samples, output_count)
                                               : controlled_moments(samples),
                 200);

    EXPECT_EQ(ours.value[rho], -2 * ours.value[price]);
    EXPECT_EQ(ours.std_error[rho], 2 * ours.std_error[price]);
  }
}

TEST(Estimate, leaves_out_a_control_that_the_sample_is_blind_to) {
  // The exact mean of a control is nought; a sample that is 50 of its errors off has missed
  // something, and to correct by it would carry that over.
  auto samples = random_samples(13, 500, 0.5);
  for (Sample& s : samples) s.y.fill(s.y[0] + 50 / std::sqrt(500.0));
  Estimate const ours = estimate(terms_of(Estimator::controlled), controlled_moments(samples), 500);

  double mean = 0;
  for (Sample const& s : samples) mean += s.y[price] / 500;
  EXPECT_EQ(ours.control_beta, 0.0);
  EXPECT_GE(ours.std_error[price], std::fabs(mean) * (1 - 1e-12));
}

TEST(Estimate, has_the_variance_of_the_paths_beside) {
  auto const samples = random_samples(14, 500, 0.5);
  double squares = 0;
  for (Sample const& s : samples) squares += s.path_square;

  EXPECT_DOUBLE_EQ(
      estimate(terms_of(Estimator::controlled), controlled_moments(samples), 500).path_variance,
      squares / 500);
}

TEST(Estimate, gives_no_Greeks_that_were_not_asked_for) {
  EstimateTerms terms = terms_of(Estimator::plain);
  terms.greeks = false;
  Estimate const ours = estimate(terms, plain_moments(random_samples(10, 200, 1), 1), 200);

  EXPECT_FALSE(std::isnan(ours.value[price]));
  for (std::size_t k = 1; k < output_count; ++k) {
    EXPECT_TRUE(std::isnan(ours.value[k]));
    EXPECT_TRUE(std::isnan(ours.std_error[k]));
  }
}

TEST(Estimate, of_replicates_has_the_spread_of_their_means) {
  constexpr std::size_t replicates = 16;
  constexpr std::size_t points = 256;
  std::vector<Sample> all;
  std::vector<std::vector<Sample>> parts;
  std::vector<std::vector<double>> moments;
  for (std::size_t r = 0; r < replicates; ++r) {
    parts.push_back(random_samples(100 + r, points, 0.5));
    moments.push_back(controlled_moments(parts.back()));
    all.insert(all.end(), parts.back().begin(), parts.back().end());
  }
  Estimate const ours = estimate_replicates(terms_of(Estimator::controlled), moments, points);

  for (std::size_t k = 1; k < output_count; ++k) {
    Regression const fit = regress(all, k);
    double squares = 0;
    for (auto const& part : parts) {
      long double mean = 0;
      for (Sample const& s : part) {
        mean += (s.x[k] - fit.coefficient[1] * s.y[k] - fit.coefficient[2] * s.l1 -
                 fit.coefficient[3] * s.l2) /
                points;
      }
      auto const off = static_cast<double>(mean - fit.coefficient[0]);
      squares += off * off;
    }
    EXPECT_NEAR(ours.value[k], static_cast<double>(fit.coefficient[0]), 1e-11);
    EXPECT_NEAR(ours.std_error[k], std::sqrt(squares / 15 / 16), 1e-11);
  }
}

TEST(Estimate, of_one_replicate_has_no_error_and_is_refused) {
  std::vector<std::vector<double>> const moments(1, controlled_moments(random_samples(11, 100, 1)));

  EXPECT_THROW(
      static_cast<void>(estimate_replicates(terms_of(Estimator::controlled), moments, 100)),
      ContractViolated);
}

}  // namespace
}  // namespace makespan::asian

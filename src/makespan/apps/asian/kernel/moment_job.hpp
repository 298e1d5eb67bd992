// SPDX-License-Identifier: Apache-2.0
// What an estimator adds up over paths, and the numbers of one contract that it needs for it.
//
// Everything is in units of the spot and undiscounted. A "sample" is a path, or the mean over an
// antithetic pair.
#pragma once

#include <array>
#include <cstdint>

namespace makespan::asian {

// The quantities that one path gives an estimate of, price first.
enum Output : int { price, delta, gamma, vega, rho, dividend_rho, theta, output_count };

// How a path's payoff is made.
enum class Payoff : std::uint8_t { average_price, average_strike };
enum class Average : std::uint8_t { arithmetic, geometric };
// plain: sums and squares of the payoff. controlled: antithetic, with the products that three
// fitted controls need.
enum class Estimator : std::uint8_t { plain, controlled };

// Numbers common to every functional of a contract. Times in years.
struct CommonTerms {
  double side;             // +1: exercised above (call), -1: below (put)
  double volatility;       // of the paths' Brownian motion
  double volatility_now;   // at time 0, as rate and drift, for theta
  double volatility_time;  // integral of the volatility up to expiry
  double rate;
  double drift;  // of the whole spot, in units of the part that moves
  double expiry;
  double payment;
  double rho_drift;    // 1 if a change of the rate changes the drift, 0 if the user gave the drift
  double multiplier;   // of the average in an average-strike payoff
  bool has_own_theta;  // the paths bring theta themselves, in place of the pricing equation
  bool has_own_delta;  // and delta: the average is not proportional to the spot
};

// The arithmetic payoff. average_price: side (A - level)^+; average_strike: side (S_T - multiplier
// (A + level))^+.
struct ArithmeticTerms {
  double level;            // (strike - past part) / spot, or past part / spot
  double constant;         // part of A that a fixing at time 0 makes
  double terminal_scale;   // S_T over growth_up
  double direction_end;    // a_T (average_strike)
  double gamma_scale;      // of the density term
  double gamma_scale_pde;  // the same once a fixing at time 0 is past, as theta wants it
};

// A payoff on the lognormal G = e^(level + log_sum): the control, or a geometric average itself.
// average_price: side (G - strike)^+; average_strike: side (S_T - multiplier G)^+.
struct LogTerms {
  double strike;
  double level;            // of ln G
  double deviation;        // of the exercise variable: ln G, or ln S_T - ln G
  double time;             // derivative of ln G to the drift: weighted mean time
  double volatility_time;  // weighted mean of the integral of the volatility
  double share;            // derivative of ln G to ln spot
  double share_pde;        // the same once a fixing at time 0 is past
  double shift_pde;        // constant to take off delta then
  double gamma_linear;     // second derivative's part that goes with G
  double gamma_scale;      // and the part that goes with the density at the exercise boundary
  double gamma_linear_pde;
  double gamma_scale_pde;
  double boundary_power;  // average_strike: the density term carries S_T to this power, +1 or -1
  double theta_constant;  // of its logarithm's derivative (BasketDrift)
};

// The part of a control that is taken off: G = e^(level + log_sum) - e^(this level +
// log_sum_short).
struct ShortTerms {
  bool is_there;
  double level;
  // The exercise variable is long_scale · log_sum - scale · log_sum_short; 1 and 0 without.
  double long_scale;
  double scale;
};

// The payoff's sum as a function of one normal, along the direction a in which it varies most: with
// d more of it, w_i S_i is w_i S_i e^(a_i d), a_i = centre + half · place_i, so that the sum is
// e^(centre d) times a series in half · d, whose coefficients are the functionals smooth_up.
inline constexpr int smooth_terms = 12;
struct SmoothTerms {
  bool is_there;
  double centre;
  double half;
  double start;  // the normal at which a typical path begins to be exercised
};

struct MomentJob {
  Estimator estimator;
  Payoff payoff;
  Average average;
  bool greeks;
  bool is_of_model;  // not of one lognormal price: what follows, and ShortTerms, SmoothTerms
  // Of a random variance: the twin's logarithms are not the path's with the sign turned, the
  // direction's normal is the path's own, and gamma has no control.
  bool has_own_twin;
  CommonTerms common;
  ArithmeticTerms arithmetic;
  LogTerms log;
  ShortTerms short_part;
  SmoothTerms smooth;
  double parity;      // 1 or -1 if the contract's own payoff is the simulated one plus or minus its
                      // forward, else 0
  double own_centre;  // near the mean of the contract's own payoff
  std::array<double, output_count> centre;  // near each output's mean: taken off before squaring
  std::array<double, output_count> control_mean;  // exact mean of each output's control
  std::array<double, 2> linear_mean;              // exact means of the two linear controls
  int samples;                                    // valid samples of the slab
};

// Sums are kept in this many strands, sample i in strand i mod strand_count, and the strands added
// in a fixed tree: the same order for any number of lanes.
inline constexpr int strand_count = 16;

// Layout of the sums. `exercised` counts samples with a payoff above 0.
inline constexpr int exercised = 0;
inline constexpr int plain_first = 1;  // then per output: x, x x
inline constexpr int plain_stride = 2;
inline constexpr int path_square = 1;   // controlled: mean square of the pair's two prices
inline constexpr int linear_first = 2;  // l1, l2, l1 l1, l1 l2, l2 l2
inline constexpr int controlled_first =
    7;  // then per output: x, xx, y, yy, xy, x l1, x l2, y l1, y l2
inline constexpr int controlled_stride = 9;
inline constexpr int moment_count_max = controlled_first + output_count * controlled_stride;

constexpr int moment_count(Estimator estimator, bool greeks) {
  int const outputs = greeks ? output_count : 1;
  return estimator == Estimator::plain ? plain_first + outputs * plain_stride
                                       : controlled_first + outputs * controlled_stride;
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// Everything about a contract that follows without simulation: its forward, the lognormal that
// stands beside its payoff, and the numbers that the estimators' functionals and controls need. In
// units of the spot and undiscounted.
#pragma once

#include <array>

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/kernel/moment_job.hpp"

namespace makespan::asian {

using Outputs = std::array<double, output_count>;

// A payoff without its "if positive": A - level, or S_T - multiplier (A + level).
struct ForwardTerms {
  double average;       // E[A], a fixing at time 0 included
  double average_time;  // sum of w_i t_i E[S_i]: derivative of E[A] to the drift
  double terminal;      // E[S_T]
  double growth_now;    // of baskets: what E[A] grows by in a year from now
};

// How a shift of all volatilities moves the logarithms: covariances of the derivatives of their
// random parts. With constant volatility these parts are Brownian motion themselves.
struct VegaTerms {
  double logs;           // of ln G's with ln G
  double logs_exercise;  // of ln G's with the standardised exercise variable
  double end_exercise;   // of ln S_T's with it
};

struct ContractLaw {
  CommonTerms common;          // side is the contract's own
  ArithmeticTerms arithmetic;  // level, constant, gamma scales
  LogTerms log;  // the control of an arithmetic payoff, or the geometric payoff itself
  ForwardTerms forward;
  VegaTerms vega;
  double discount;
  double log_variance;          // of ln G
  double log_theta_covariance;  // of ln G with its derivative to the time of today, of baskets
  double log_convexity;         // half of the sum of p_i var(ln S_i): what ln G loses by variance
  double terminal_level;        // mean of ln S_T
  double terminal_variance;
  double past_share;  // a_0 / S_0, what past fixings add to the average, in units of the spot
};

// Fills the schedule's log_weight, tail_weight, covariance and direction too.
//
// The control of an arithmetic average is the lognormal with weights p_i = w_i
// E[S_i] / E[A]: to first order in the Brownian path it is the average itself. With drift 0 it is
// the geometric average of Kemna and Vorst, J. Banking & Finance 14 (1990) 113-129; for seasoned
// average strikes it covers the past part as well.
ContractLaw make_law(Contract const& contract, Schedule& schedule);

// Outputs of the linear payoff, for put-call parity: what a call has over a put.
Outputs forward_outputs(ContractLaw const& law, Payoff payoff);

// The side, +1 or -1, to simulate, from which the other follows by parity: the one that is worth
// less, or the put, whose payoff is bounded, if the average's variance is so large that a sample of
// calls would miss most of their value.
double cheaper_side(ContractLaw const& law, Payoff payoff);

}  // namespace makespan::asian

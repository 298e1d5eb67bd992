// SPDX-License-Identifier: Apache-2.0
// What a sample brings to each moment: one of its terms, or the product of two.
//
// A CPU keeps all moments of a strand in registers and adds a sample's to them; a GPU has the terms
// of many samples lie side by side, and one thread for each moment and strand. Both add the same
// numbers in the same order.
#pragma once

#include "makespan/apps/asian/kernel/moment_job.hpp"

namespace makespan::asian {

// Terms of one sample. plain: `exercised_term`, then one for each output, less its centre.
// controlled: the four below, then for each output the payoff and its control, less their centres.
inline constexpr int exercised_term = 0;  // 1 if the sample has a payoff, else 0
inline constexpr int square_term = 1;     // mean square of the pair's two prices
inline constexpr int linear_term_1 = 2;
inline constexpr int linear_term_2 = 3;
inline constexpr int plain_terms_first = 1;
inline constexpr int controlled_terms_first = 4;
inline constexpr int controlled_terms_stride = 2;

constexpr int term_count(Estimator estimator, bool greeks) {
  int const outputs = greeks ? output_count : 1;
  return estimator == Estimator::plain ? plain_terms_first + outputs
                                       : controlled_terms_first + outputs * controlled_terms_stride;
}

// The terms of which a moment is the sum of products.
struct MomentFactors {
  static constexpr int none = -1;
  int left;
  int right;  // none: 1
};

// Of moments 0 .. moment_count(...) - 1, in the layout of moment_job.hpp.
constexpr MomentFactors moment_factors(Estimator estimator, int moment) {
  constexpr int none = MomentFactors::none;
  if (estimator == Estimator::plain) {
    if (moment < plain_first) return {exercised_term, none};
    int const term = plain_terms_first + (moment - plain_first) / plain_stride;
    return {term, (moment - plain_first) % plain_stride == 0 ? none : term};
  }
  if (moment < linear_first) return {moment, none};  // exercised and path_square
  if (moment < controlled_first) {
    int const at = moment - linear_first;
    if (at < 2) return {at == 0 ? linear_term_1 : linear_term_2, none};
    return {at == 4 ? linear_term_2 : linear_term_1, at == 2 ? linear_term_1 : linear_term_2};
  }
  int const output = (moment - controlled_first) / controlled_stride;
  int const x = controlled_terms_first + output * controlled_terms_stride;
  int const y = x + 1;
  switch ((moment - controlled_first) % controlled_stride) {
    case 0:
      return {x, none};
    case 1:
      return {x, x};
    case 2:
      return {y, none};
    case 3:
      return {y, y};
    case 4:
      return {x, y};
    case 5:
      return {x, linear_term_1};
    case 6:
      return {x, linear_term_2};
    case 7:
      return {y, linear_term_1};
    default:
      return {y, linear_term_2};
  }
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// Goal: each moment is the sum of the products that its place in the layout says. Method: the
// layout as moment_job.hpp writes it, in words.
#include "makespan/apps/asian/kernel/detail/moment_terms.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace makespan::asian {
namespace {

std::string numbered(std::string name, int number) {
  name += std::to_string(number);
  return name;
}

std::string term_name(Estimator estimator, int term) {
  if (term == exercised_term) return "exercised";
  if (estimator == Estimator::plain) return numbered("x", term - plain_terms_first);
  if (term == square_term) return "square";
  if (term == linear_term_1) return "l1";
  if (term == linear_term_2) return "l2";
  int const at = term - controlled_terms_first;
  return numbered(at % controlled_terms_stride == 0 ? "x" : "y", at / controlled_terms_stride);
}

std::vector<std::string> products(Estimator estimator, bool greeks) {
  std::vector<std::string> all;
  for (int moment = 0; moment < moment_count(estimator, greeks); ++moment) {
    MomentFactors const factors = moment_factors(estimator, moment);
    EXPECT_GE(factors.left, 0);
    EXPECT_LT(factors.left, term_count(estimator, greeks));
    EXPECT_LT(factors.right, term_count(estimator, greeks));
    std::string product = term_name(estimator, factors.left);
    if (factors.right != MomentFactors::none) {
      product += ' ';
      product += term_name(estimator, factors.right);
    }
    all.push_back(product);
  }
  return all;
}

TEST(MomentTerms, of_a_plain_estimator_are_payoffs_and_their_squares) {
  EXPECT_EQ(products(Estimator::plain, false),
            (std::vector<std::string>{"exercised", "x0", "x0 x0"}));
  auto const with_greeks = products(Estimator::plain, true);
  EXPECT_EQ(with_greeks.size(), 1U + 2 * output_count);
  EXPECT_EQ(with_greeks[13], "x6");
  EXPECT_EQ(with_greeks[14], "x6 x6");
}

TEST(MomentTerms, of_a_controlled_estimator_are_what_a_regression_on_three_controls_needs) {
  EXPECT_EQ(products(Estimator::controlled, false),
            (std::vector<std::string>{"exercised", "square", "l1", "l2", "l1 l1", "l1 l2", "l2 l2",
                                      "x0", "x0 x0", "y0", "y0 y0", "x0 y0", "x0 l1", "x0 l2",
                                      "y0 l1", "y0 l2"}));
  auto const with_greeks = products(Estimator::controlled, true);
  EXPECT_EQ(with_greeks.size(), 7U + 9 * output_count);
  EXPECT_EQ(with_greeks[61], "x6");
  EXPECT_EQ(with_greeks[69], "y6 l2");
}

}  // namespace
}  // namespace makespan::asian

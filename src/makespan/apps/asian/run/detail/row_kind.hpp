// SPDX-License-Identifier: Apache-2.0
// How a row of a book is priced: by the row and the settings alone, so that its price does not
// depend on what else is in the book.
#pragma once

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/estimate/estimator_settings.hpp"

namespace makespan::asian {

enum class RowKind : std::uint8_t {
  closed_form,  // estimate/exact_price.hpp
  recursion,    // recursion/solver.hpp: one solve for all rows of the same law
  simulated
};

// Methods exact and automatic solve what has no closed form; automatic simulates rows that say how
// many paths they want, those that move too far for the recursion's nodes, and those for which
// simulating is predicted to take much less time.
[[nodiscard]] RowKind row_kind(Contract const& contract, EstimatorSettings const& settings);

// What a solve costs, in path-steps: the seconds of a solve of so many steps over those that a
// thread takes for a path-step (measured, docs/explanation/exact.md).
[[nodiscard]] double solve_work(std::int64_t steps, bool greeks);

// The bound that a row of the recursion is to have, as a share of the mean of the average: 1e-8, or
// less if the row asks for a standard error below that.
[[nodiscard]] double recursion_tolerance(Contract const& contract);

}  // namespace makespan::asian

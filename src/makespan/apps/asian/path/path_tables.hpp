// SPDX-License-Identifier: Apache-2.0
// A contract's schedule as the tables that path kernels read.
#pragma once

#include <vector>

#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/kernel/path_job.hpp"

namespace makespan::asian {

enum class Precision : std::uint8_t { fp32, fp64 };

// Storage behind PathTables, kept from option to option.
struct PathTableStore {
  std::vector<StepF32> steps_f32;
  std::vector<GreekStepF32> greeks_f32;
  std::vector<StepF64> steps_f64;
  std::vector<double> exponent;  // work space
};

// Fills `store` and returns the view of it.
PathTables make_tables(Contract const& contract, Schedule const& schedule, Precision precision,
                       ExpAll exp_all, PathTableStore& store);

// What a kernel's growth_up has to be multiplied by to be S_T, in units of the spot.
double terminal_scale(Contract const& contract, Precision precision);

// The cheapest growth that changes the end of a path by less than growth_error_max of itself, root
// mean square, and nothing on average. Single-precision rounding alone changes it by about as much.
inline constexpr double growth_error_max = 3e-7;
Growth growth_for(double volatility, Schedule const& schedule);

}  // namespace makespan::asian

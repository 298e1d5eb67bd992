// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/estimator_settings.hpp"

#include <array>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

constexpr std::array<MethodEntry, 6> method_table{{
    {Method::automatic, "auto",
     "exact where that is the cheaper way to the accuracy asked for, else mc"},
    {Method::exact, "exact",
     "no noise: closed forms, else a backward recursion that serves all rows of the same law; the "
     "error has a bound"},
    {Method::mc, "mc",
     "antithetic Monte Carlo with three fitted controls whose means are known in closed form"},
    {Method::mc_plain, "mc_plain", "plain Monte Carlo: the mean of the discounted payoffs"},
    {Method::rqmc, "rqmc",
     "scrambled Sobol points through a Brownian bridge, with the controls of mc; error from "
     "replicates"},
    {Method::rqmc_smooth, "rqmc_smooth",
     "rqmc after integrating along one direction, which leaves no kink; for arithmetic averages of "
     "known volatilities, others as rqmc"},
}};

}  // namespace

std::span<MethodEntry const> methods() {
  return method_table;
}

Method method_named(std::string_view name) {
  for (MethodEntry const& entry : method_table) {
    if (entry.name == name) return entry.method;
  }
  throw InputError("unknown method '" + std::string(name) + "'",
                   "the methods are auto, exact, mc, mc_plain, rqmc and rqmc_smooth",
                   "use one of these");
}

void check(EstimatorSettings const& settings) {
  bool const is_replicated =
      is_low_discrepancy(settings.method) || settings.method == Method::automatic;
  if (is_replicated && (settings.replicates < 16 || settings.replicates > 4096)) {
    throw InputError("replicates = " + std::to_string(settings.replicates) + " is out of range",
                     "the error is the spread of the replicates, which fewer than 16 do not show",
                     "use 16 to 4096");
  }
  if (settings.philox_rounds != 7 && settings.philox_rounds != 10) {
    throw InputError(
        "philox_rounds = " + std::to_string(settings.philox_rounds) + " is not available",
        "the kernels are built for 10 rounds (recommended) and 7 (faster)", "use 10 or 7");
  }
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// How options are to be priced: what decides the bits of a price, besides the option.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace makespan::asian {

enum class Method : std::uint8_t { automatic, exact, mc, mc_plain, rqmc, rqmc_smooth };

// Whether paths come from replicates of a low-discrepancy set.
[[nodiscard]] constexpr bool is_low_discrepancy(Method method) {
  return method == Method::rqmc || method == Method::rqmc_smooth;
}

struct MethodEntry {
  Method method;
  std::string_view name;
  std::string_view summary;
};

// All methods, the default first.
std::span<MethodEntry const> methods();
// Throws InputError naming the ones there are.
Method method_named(std::string_view name);

// automatic: single, unless the target error or the variance is out of its reach
// (option_worker.hpp). Whatever is asked for, paths are double where the volatility is one by time,
// random or local, of baskets, and of what rqmc_smooth takes for a basket of one.
enum class PrecisionChoice : std::uint8_t { automatic, fp32, fp64 };

struct EstimatorSettings {
  Method method = Method::automatic;
  bool greeks = false;
  int replicates = 32;  // of low-discrepancy sets, at least 16
  PrecisionChoice precision = PrecisionChoice::automatic;
  int philox_rounds = 10;  // or 7
};

// Throws InputError if a value is out of range.
void check(EstimatorSettings const& settings);

}  // namespace makespan::asian

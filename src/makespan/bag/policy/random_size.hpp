// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chunks of random size, uniform between N / (100 P) and N / (2 P) items.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"
#include "makespan/base/random_draws.hpp"

namespace makespan::bag {

// What a technique must beat to be worth its name. Sizes are a hash of seed and step, so that a
// loop repeats, whichever workers claim. Source: F. M. Ciorba, C. Iwainsky and P. Buder, IWOMP
// 2018, https://doi.org/10.1007/978-3-319-98521-3_2. Tested by
// tests/bag/policy/random_size_test.cpp.
class RandomSizePolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "random";
  static constexpr std::string_view summary = "a random size, the same for the same seed and claim";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit RandomSizePolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;

 private:
  explicit RandomSizePolicy(CheckedOptions const& options);

  RandomDraws draws_;
  std::int64_t items_min_;  // 0: from the loop, as is items_max_
  std::int64_t items_max_;
};

static_assert(RegisteredPolicy<RandomSizePolicy>);

}  // namespace makespan::bag

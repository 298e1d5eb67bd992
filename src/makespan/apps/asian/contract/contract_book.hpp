// SPDX-License-Identifier: Apache-2.0
// A book of options as columns, and each row as a Contract.
#pragma once

#include <cstdint>
#include <span>

#include "makespan/apps/asian/contract/contract.hpp"

namespace makespan::asian {

// Columns of shape (rows), all defaults resolved (python/makespan/book). `times_offset` has rows +
// 1 entries; row i's explicit fixing times are times[times_offset[i]] .. times[times_offset[i + 1]
// - 1], none for a uniform grid. Not owned.
struct ContractBook {
  std::span<std::uint64_t const> option_key;
  std::span<std::uint64_t const> seed;
  std::span<std::int8_t const> option_type;   // +1 call, -1 put
  std::span<std::int8_t const> average_type;  // 0 arithmetic, 1 geometric
  std::span<std::int8_t const> averaging;     // 0 price, 1 strike
  std::span<double const> spot;
  std::span<double const> strike;
  std::span<double const> strike_multiplier;
  std::span<double const> rate;
  std::span<double const> drift;
  std::span<std::uint8_t const> drift_given;
  std::span<double const> volatility;
  std::span<double const> expiry;
  std::span<std::int64_t const> fixings;
  std::span<double const> first_fixing;
  std::span<double const> last_fixing;
  std::span<std::int64_t const> times_offset;
  std::span<double const> times;
  std::span<std::int64_t const> past_count;
  std::span<double const> past_sum;
  std::span<double const> past_log_sum;
  std::span<double const> notional;
  std::span<std::int64_t const> paths;
  std::span<double const> std_error;
  std::span<std::int64_t const> max_paths;

  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(option_key.size()); }
};

// Throws InputError, naming column and row, if columns differ in length or a value is one that no
// kernel could run on. It is a second fence: messages for people who write books come from
// python/makespan/book.
void check(ContractBook const& book);

// Row `row` of a checked book; the times are a view into it.
Contract contract_at(ContractBook const& book, std::int64_t row);

}  // namespace makespan::asian

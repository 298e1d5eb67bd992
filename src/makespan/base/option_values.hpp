// SPDX-License-Identifier: Apache-2.0
#pragma once

// The numbers that a user may set on something that has a name (a chunk policy, a balancer), by
// name, and the check that they make sense.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace makespan {

// Option values as a user gives them; those left out take their default.
using OptionValues = std::map<std::string, double, std::less<>>;

enum class OptionKind { real, whole };

// One option. Command line, file format and documentation are fed from here.
struct OptionHelp {
  std::string_view name;  // its unit is part of it, if it has one
  OptionKind kind;
  double default_value;
  double smallest;  // inclusive, as is `largest`
  double largest;
  std::string_view help;
};

// The options of one of them, known to be good. Tested by tests/base/option_values_test.cpp.
class CheckedOptions {
 public:
  // Keeps references to all three. Throws InputError, which names `owner`, when an option given is
  // none of `help`, is out of its range, or is no whole number where one is due.
  CheckedOptions(std::string_view owner, std::span<OptionHelp const> help,
                 OptionValues const& given);

  // The value given for an option of `help`, or its default.
  [[nodiscard]] double real(std::string_view name) const;
  [[nodiscard]] std::int64_t whole(std::string_view name) const;

 private:
  std::span<OptionHelp const> help_;
  OptionValues const& given_;
};

// For one without options. Throws InputError if any is given.
void expect_no_options(std::string_view owner, OptionValues const& given);

}  // namespace makespan

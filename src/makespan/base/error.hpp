// SPDX-License-Identifier: Apache-2.0
#pragma once

// The exceptions that users meet. Mistakes in the program itself are contracts; see contracts.hpp.

#include <stdexcept>
#include <string>
#include <string_view>

namespace makespan {

// Something given from outside (input, option, file, environment) that cannot be worked with. Its
// message has a grammar: the problem, why it is one in parentheses, and what would be right. Thrown
// at the edge, where input is validated, with nothing half done. Python sees a ValueError.
//
//   throw InputError("volatility = -0.2", "a volatility is at least 0", "give it per root-year, 0.2
//   for 20 %");
//   // what(): "volatility = -0.2 (a volatility is at least 0): give it per root-year, 0.2 for 20
//   %"
class InputError : public std::runtime_error {
 public:
  InputError(std::string_view problem, std::string_view why, std::string_view suggestion);
  // The whole sentence: of one that was thrown on another image.
  explicit InputError(std::string const& sentence) : std::runtime_error(sentence) {}
};

// A feature that this build was configured without, or that this machine lacks.
class NotConfigured : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws NotConfigured naming `feature`, e.g. "CUDA".
[[noreturn]] void not_configured(std::string_view feature);

}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/error.hpp"

namespace makespan {
namespace {

std::string sentence(std::string_view problem, std::string_view why, std::string_view suggestion) {
  std::string text{problem};
  text += " (";
  text += why;
  text += "): ";
  text += suggestion;
  return text;
}

}  // namespace

InputError::InputError(std::string_view problem, std::string_view why, std::string_view suggestion)
    : std::runtime_error(sentence(problem, why, suggestion)) {
}

void not_configured(std::string_view feature) {
  throw NotConfigured(std::string(feature) + " is not in this build of makespan");
}

}  // namespace makespan

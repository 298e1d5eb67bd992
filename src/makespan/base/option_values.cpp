// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/option_values.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/unknown_name.hpp"

namespace makespan {

namespace {

// Shortest text that a person would write: 0.1, not 0.100000.
std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string assignment(std::string_view owner, std::string_view option, double value) {
  return std::string(owner) + " option " + std::string(option) + " = " + text_of(value);
}

InputError unknown_option(std::string_view owner, std::string_view name,
                          std::span<OptionHelp const> help) {
  if (help.empty()) {
    return {"option '" + std::string(name) + "'", "'" + std::string(owner) + "' has none",
            "leave it out"};
  }
  std::vector<std::string_view> names;
  for (OptionHelp const& option : help) names.push_back(option.name);
  return unknown_name(std::string(owner) + " option", name, names);
}

void check_value(std::string_view owner, OptionHelp const& option, double value) {
  std::string const fitting =
      "give " + text_of(option.default_value) + ", the default, or another one in that range";
  // Negated, so that a NaN fails too.
  if (!(value >= option.smallest && value <= option.largest)) {
    throw InputError(assignment(owner, option.name, value),
                     "outside " + text_of(option.smallest) + " .. " + text_of(option.largest),
                     fitting);
  }
  if (option.kind == OptionKind::whole && value != std::floor(value)) {
    throw InputError(assignment(owner, option.name, value), "it counts something",
                     "give a whole number, such as " + text_of(std::round(value)));
  }
}

}  // namespace

CheckedOptions::CheckedOptions(std::string_view owner, std::span<OptionHelp const> help,
                               OptionValues const& given)
    : help_(help), given_(given) {
  for (auto const& [name, value] : given) {
    auto const option = std::ranges::find(help, std::string_view(name), &OptionHelp::name);
    if (option == help.end()) throw unknown_option(owner, name, help);
    check_value(owner, *option, value);
  }
}

double CheckedOptions::real(std::string_view name) const {
  if (auto const found = given_.find(name); found != given_.end()) return found->second;
  auto const option = std::ranges::find(help_, name, &OptionHelp::name);
  MAKESPAN_EXPECT(option != help_.end());
  return option->default_value;
}

std::int64_t CheckedOptions::whole(std::string_view name) const {
  return checked_cast<std::int64_t>(real(name));
}

void expect_no_options(std::string_view owner, OptionValues const& given) {
  CheckedOptions const checked(owner, {}, given);
}

}  // namespace makespan

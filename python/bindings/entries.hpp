// SPDX-License-Identifier: Apache-2.0
#pragma once

// Registries as Python sees them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include <span>

#include "makespan/base/option_values.hpp"

namespace bindings {

inline nanobind::list plain(std::span<makespan::OptionHelp const> options) {
  namespace nb = nanobind;
  nb::list all;
  for (makespan::OptionHelp const& option : options) {
    nb::dict one;
    one["name"] = nb::cast(option.name);
    one["default"] = nb::cast(option.default_value);
    one["smallest"] = nb::cast(option.smallest);
    one["largest"] = nb::cast(option.largest);
    one["help"] = nb::cast(option.help);
    all.append(one);
  }
  return all;
}

// Name and summary of each, its options, if such entries have any, and whether it is built, if
// some are not.
template <class Entries>
nanobind::list named(Entries const& entries) {
  namespace nb = nanobind;
  nb::list all;
  for (auto const& entry : entries) {
    nb::dict one;
    one["name"] = nb::cast(entry.name);
    one["summary"] = nb::cast(entry.summary);
    if constexpr (requires { entry.options; }) one["options"] = plain(entry.options);
    if constexpr (requires { entry.is_built; }) one["is_built"] = entry.is_built;
    all.append(one);
  }
  return all;
}

}  // namespace bindings

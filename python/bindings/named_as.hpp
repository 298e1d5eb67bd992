// SPDX-License-Identifier: Apache-2.0
// What a word of Python stands for, of those that are known.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/unknown_name.hpp"

namespace bindings {

template <class Value>
struct Name {
  std::string_view name;
  Value value;
};

// Throws InputError that names all of them.
template <class Value, std::size_t count>
Value named_as(std::string_view kind, std::string const& name,
               std::array<Name<Value>, count> const& known) {
  std::vector<std::string_view> names;
  for (auto const& entry : known) {
    if (entry.name == name) return entry.value;
    names.push_back(entry.name);
  }
  throw makespan::unknown_name(kind, name, names);
}

}  // namespace bindings

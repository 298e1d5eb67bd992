// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds what users name: a policy, a mode, a dispatcher.

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/base/unknown_name.hpp"

namespace makespan {

// The entry of that name, which each has as its member `name`. Throws InputError, which names the
// nearest; `kind` says what it is.
template <class Entry>
[[nodiscard]] Entry const& entry_named(std::string_view kind, std::span<Entry const> entries,
                                       std::string_view name) {
  auto const found = std::ranges::find(entries, name, &Entry::name);
  if (found != entries.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (Entry const& entry : entries) names.push_back(entry.name);
  throw unknown_name(kind, name, names);
}

}  // namespace makespan

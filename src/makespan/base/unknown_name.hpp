// SPDX-License-Identifier: Apache-2.0
#pragma once

// The error for a name that is not one of a list, with the nearest that is.

#include <span>
#include <string_view>

#include "makespan/base/error.hpp"

namespace makespan {

// For example: "chunk policy 'guidd' is unknown (known: equal_time, guided, self): did you mean
// 'guided'?" Nearest by count of letters inserted, removed or changed; the first of equals. `names`
// must not be empty. Returned, not thrown, so that the throw is seen where it happens.
[[nodiscard]] InputError unknown_name(std::string_view kind, std::string_view given,
                                      std::span<std::string_view const> names);

}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/machine_use.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace makespan::graph {

std::string_view name_of(MachineFacts::Source source) {
  static constexpr std::array<std::string_view, 5> names{"measured", "kept", "file", "nearest",
                                                         "assumed"};
  return names[static_cast<std::size_t>(source)];
}

}  // namespace makespan::graph

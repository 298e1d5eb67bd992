// SPDX-License-Identifier: Apache-2.0
// Which of a room's kernel tables to use: one for each instruction set, all with a name `isa`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::simd {

// Tables that can run on this machine, fastest first; that of one lane is always the last. A room
// has two functions: `vector_tables` gives those of the vector instruction sets that were compiled
// and that this processor has, fastest first (vector_tables-inl.hpp), `one_lane_table` the other.
// Tested by tests/simd/kernel_choice_test.cpp.
template <auto& vector_tables, auto& one_lane_table>
[[nodiscard]] auto tables_of() {
  using Table = std::remove_reference_t<decltype(one_lane_table())>;
  static std::vector<Table*> const tables = [] {
    std::vector<Table*> found;
    for (Table& table : vector_tables()) found.push_back(&table);
    found.push_back(&one_lane_table());
    return found;
  }();
  return std::span<Table* const>(tables);
}

// The table of that name, "auto" for the first. Throws InputError naming the ones there are.
template <class Kernels>
Kernels const& table_named(std::span<Kernels const* const> tables, std::string_view isa) {
  if (isa == "auto") return *tables.front();
  std::string names;
  for (Kernels const* const table : tables) {
    if (table->isa == isa) return *table;
    names += names.empty() ? "" : ", ";
    names += table->isa;
  }
  throw InputError("isa '" + std::string(isa) + "' is not available",
                   "this machine and this build have " + names, "use one of these, or 'auto'");
}

}  // namespace makespan::simd

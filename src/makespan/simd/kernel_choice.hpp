// SPDX-License-Identifier: Apache-2.0
// Which of a room's kernel tables to use: one for each instruction set, all with a name `isa`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::simd {

// Tables that can run on this machine, fastest first; that of one lane is always the last.
// Tested by tests/simd/kernel_choice_test.cpp.
template <class Kernels>
std::vector<Kernels const*> tables_of(std::span<Kernels const> vector_tables,
                                      Kernels const& one_lane) {
  std::vector<Kernels const*> tables;
  tables.reserve(vector_tables.size() + 1);
  for (Kernels const& table : vector_tables) tables.push_back(&table);
  tables.push_back(&one_lane);
  return tables;
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

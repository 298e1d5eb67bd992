// SPDX-License-Identifier: Apache-2.0
// Which of a room's kernel tables to use: there is one for each instruction set.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::simd {

// What a room's table of kernels, a structure of functions with a name `isa`, derives from: the
// choice between the tables of all instruction sets. The structure has two static functions more,
// `vector_tables()` for those that were compiled and that this processor has, fastest first
// (vector_tables-inl.hpp), and `one_lane_table()`; both refer to what stays. Tested by
// tests/simd/kernel_choice_test.cpp.
template <class Kernels>
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): tables are aggregates, bases and all
struct KernelChoice {
  // Tables that can run on this machine, fastest first; that of one lane is always the last.
  [[nodiscard]] static std::span<Kernels const* const> available() {
    static_assert(std::is_lvalue_reference_v<decltype(Kernels::vector_tables())>);
    static std::vector<Kernels const*> const tables = [] {
      std::vector<Kernels const*> found;
      for (Kernels const& table : Kernels::vector_tables()) found.push_back(&table);
      found.push_back(&Kernels::one_lane_table());
      return found;
    }();
    return tables;
  }

  // The table of that name, "auto" for the fastest. Throws InputError naming the ones there are.
  [[nodiscard]] static Kernels const& named(std::string_view isa) {
    if (isa == "auto") return *available().front();
    std::string names;
    for (Kernels const* const table : available()) {
      if (table->isa == isa) return *table;
      names += names.empty() ? "" : ", ";
      names += table->isa;
    }
    throw InputError("isa '" + std::string(isa) + "' is not available",
                     "this machine and this build have " + names, "use one of these, or 'auto'");
  }
};

}  // namespace makespan::simd

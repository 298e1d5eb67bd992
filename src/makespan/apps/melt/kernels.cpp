// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/kernels.hpp"

#include <string>
#include <vector>

#include "makespan/apps/melt/kernel_tables.hpp"
#include "makespan/base/error.hpp"

namespace makespan::melt {

std::span<Kernels const* const> available_kernels() {
  static std::vector<Kernels const*> const tables = [] {
    std::vector<Kernels const*> found;
    for (Kernels const& kernels : vector_kernels()) found.push_back(&kernels);
    found.push_back(&one_lane_kernels());
    return found;
  }();
  return tables;
}

Kernels const& kernels_named(std::string_view isa) {
  if (isa == "auto") return *available_kernels().front();
  std::string names;
  for (Kernels const* kernels : available_kernels()) {
    if (kernels->isa == isa) return *kernels;
    names += names.empty() ? "" : ", ";
    names += kernels->isa;
  }
  throw InputError("isa '" + std::string(isa) + "' is not available",
                   "this machine and this build have " + names, "use one of these, or 'auto'");
}

}  // namespace makespan::melt

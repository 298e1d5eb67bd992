// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/cost_matrix.hpp"

namespace makespan::machine {

bool has_unit(CostMatrix const& matrix) {
  return matrix.name.starts_with(measured_prefix) && matrix.kind != CostKind::other;
}

std::string_view name_of(CostKind kind) {
  switch (kind) {
    case CostKind::latency:
      return "latency";
    case CostKind::bandwidth:
      return "bandwidth";
    case CostKind::other:
      return "other";
  }
  return "";
}

}  // namespace makespan::machine

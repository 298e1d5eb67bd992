// SPDX-License-Identifier: Apache-2.0
#pragma once

// hwloc's side of a Machine. Seen only by sources that are built with hwloc.

#include <hwloc.h>

#include <string_view>
#include <vector>

#include "makespan/machine/cost_matrix.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::machine {

struct Machine::Handle {
  Handle();
  Handle(Handle const&) = delete;
  Handle& operator=(Handle const&) = delete;
  ~Handle();

  hwloc_topology_t topology{};
  std::vector<hwloc_obj_t> objects{};  // by place
};

// Throws InputError that says what hwloc refused, by errno.
[[noreturn]] void refuse_hwloc(std::string_view what, std::string_view suggestion);

// The places of a loaded topology; fills handle.objects.
[[nodiscard]] std::vector<TopologyObject> places_in(Machine::Handle& handle);

// The matrices that hwloc holds, as far as all of their places are known.
[[nodiscard]] std::vector<CostMatrix> matrices_in(Machine::Handle const& handle);

// Hands one over, instead of one of the same name. Throws InputError if hwloc refuses it.
void hand_over(Machine::Handle& handle, CostMatrix const& matrix);

}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/object_host.hpp"

#include <memory>

namespace makespan::graph {

ObjectHost::ObjectHost(WorldPlan plan) : plan_(std::move(plan)) {
  plan_.places = std::make_shared<Places const>(places_of(plan_.layout));
}

}  // namespace makespan::graph

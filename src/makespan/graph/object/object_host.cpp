// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/object_host.hpp"

#include <memory>
#include <utility>

#include "makespan/graph/object/detail/world_plan.hpp"

namespace makespan::graph {

ObjectHost::ObjectHost(WorldPlan plan) : plan_(std::make_unique<WorldPlan>(std::move(plan))) {
  plan_->places = std::make_shared<Places const>(places_of(plan_->layout));
}

ObjectHost::~ObjectHost() = default;

ObjectHost::CollectionPlace ObjectHost::add_collection(CollectionInfo info) {
  int const first = plan_->add(std::move(info));
  return {.id = static_cast<int>(plan_->collections.size()) - 1, .first = first};
}

Places ObjectHost::known_places() const {
  return *plan_->places;
}

}  // namespace makespan::graph

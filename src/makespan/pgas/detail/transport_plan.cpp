// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/detail/transport_plan.hpp"

#include <algorithm>
#include <array>

#include "makespan/base/error.hpp"

namespace makespan::pgas {

namespace {

struct NamedPlan {
  std::string_view name;
  TransportPlan plan;
};

// "shm+rma" is not among them: words would be CPU-atomic on the node and MPI-atomic off it, and
// updates would be lost.
constexpr std::array plans{
    NamedPlan{"shm", {true, Network::none}},  NamedPlan{"am", {false, Network::am}},
    NamedPlan{"rma", {false, Network::rma}},  NamedPlan{"ucx", {false, Network::ucx}},
    NamedPlan{"shm+am", {true, Network::am}}, NamedPlan{"shm+ucx", {true, Network::ucx}},
};

[[noreturn]] void refuse(std::string_view choice, std::string_view why, std::string_view right) {
  throw InputError("transport " + std::string(choice), why, right);
}

}  // namespace

std::string name_of(TransportPlan const& plan) {
  auto const* const found = std::ranges::find(plans, plan, &NamedPlan::plan);
  return found == plans.end() ? "?" : std::string(found->name);
}

bool asks_for_ucx(std::string_view choice, TransportFacts const& facts) {
  if (facts.images == 1) return false;
  return choice.ends_with("ucx") || (choice == "auto" && facts.nodes > 1);
}

TransportPlan plan_transport(std::string_view choice, TransportFacts const& facts) {
  auto const* const named = std::ranges::find(plans, choice, &NamedPlan::name);
  // Also in a job of one image, which needs none: a wrong name is told where it is first tried.
  if (named == plans.end() && choice != "auto") {
    refuse(choice, "there is none of this name",
           "it is one of auto, shm, am, rma, ucx, shm+am, shm+ucx");
  }
  if (facts.images == 1 || (choice == "auto" && facts.nodes == 1)) return {true, Network::none};
  if (choice == "auto") return {true, facts.has_ucx ? Network::ucx : Network::am};
  TransportPlan plan = named->plan;
  if (plan.network == Network::none && facts.nodes > 1) {
    refuse(choice, "the images run on " + std::to_string(facts.nodes) + " nodes",
           "shm+ucx or shm+am reaches other nodes");
  }
  if (plan.network == Network::ucx && !facts.has_ucx) {
    refuse(choice, "this build has no UCX, or UCX does not reach all images here",
           "use am in its place, or set UCX_TLS and UCX_NET_DEVICES for this network");
  }
  if (plan.network != Network::none && plan.network != Network::ucx && !facts.has_mpi) {
    refuse(choice, "this build has no MPI", "build with -DMAKESPAN_WITH_MPI=ON");
  }
  return plan;
}

}  // namespace makespan::pgas

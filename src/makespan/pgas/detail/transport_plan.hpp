// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which transports a job uses. Pure: names and facts in, a plan out.

#include <string>
#include <string_view>

namespace makespan::pgas {

enum class Network : unsigned char { none, am, rma, ucx };

struct TransportPlan {
  bool maps_node{false};  // images of one node reach each other's memory directly, and by rings
  Network network{Network::none};  // for the other pairs

  friend bool operator==(TransportPlan const&, TransportPlan const&) = default;
};

// What is there to choose from.
struct TransportFacts {
  int images{1};
  int nodes{1};
  bool has_mpi{false};
  bool has_ucx{false};  // built in, and the probe found that it works between all images
};

// "shm", "am", "shm+ucx", …
[[nodiscard]] std::string name_of(TransportPlan const& plan);

// Whether the plan for `choice` needs to know if UCX works: so that it is not probed in vain.
[[nodiscard]] bool asks_for_ucx(std::string_view choice, TransportFacts const& facts);

// The plan for `choice`, a name or "auto". A job of one image has no other image to reach: its plan
// is always "shm". Throws InputError on a name that is none, or that this build or job cannot have.
[[nodiscard]] TransportPlan plan_transport(std::string_view choice, TransportFacts const& facts);

}  // namespace makespan::pgas

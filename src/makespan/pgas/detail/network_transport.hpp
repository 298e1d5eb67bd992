// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one place that knows which transports this build has.

#include <memory>
#include <string_view>

#include "makespan/pgas/detail/transport_plan.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/options.hpp"
#include "makespan/pgas/transport/transport.hpp"

namespace makespan::pgas {

// The plan for `choice` in this job. Collective: finds out whether UCX works, if the choice depends
// on it.
[[nodiscard]] TransportPlan plan_transport_all(std::string_view choice, Job& job);

// Collective. For a plan of plan_transport_all() with a network. Where its own_heap() is not empty,
// that is the memory that images show to each other.
[[nodiscard]] std::unique_ptr<Transport> make_network_transport_all(TransportPlan const& plan,
                                                                    Job& job,
                                                                    RuntimeOptions const& options);

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one place that knows which transports this build has.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/options.hpp"
#include "makespan/pgas/transport/transport.hpp"
#include "makespan/pgas/transport_plan.hpp"

namespace makespan::pgas {

// The plan for `choice` in this job. Collective: finds out whether UCX works, if the choice depends on it.
[[nodiscard]] TransportPlan plan_transport_all(std::string_view choice, Job& job);

// Collective. `network` is one that plan_transport_all() gave, not none. `heap` is what this image shows
// to others; the transport rma brings its own.
[[nodiscard]] std::unique_ptr<Transport> make_network_transport_all(Network network, Job& job,
                                                                    std::span<std::byte> heap,
                                                                    RuntimeOptions const& options);

}  // namespace makespan::pgas

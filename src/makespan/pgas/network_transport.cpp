// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/network_transport.hpp"

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::pgas {

namespace {

#ifdef MAKESPAN_HAVE_MPI
constexpr bool has_mpi = true;
#else
constexpr bool has_mpi = false;
#endif

}  // namespace

TransportPlan plan_transport_all(std::string_view choice, Job& job) {
  TransportFacts facts{.images = job.images(), .nodes = job.nodes(), .has_mpi = has_mpi, .has_ucx = false};
  return plan_transport(choice, facts);
}

std::unique_ptr<Transport> make_network_transport_all(Network, Job&, std::span<std::byte>, RuntimeOptions const&) {
  not_configured("transport");
}

}  // namespace makespan::pgas

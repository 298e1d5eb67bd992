// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/network_transport.hpp"

#include "makespan/base/error.hpp"

#ifdef MAKESPAN_HAVE_MPI
#include "makespan/pgas/job/mpi_job.hpp"
#include "makespan/pgas/transport/am/am_transport.hpp"
#endif

namespace makespan::pgas {

namespace {

#ifdef MAKESPAN_HAVE_MPI

constexpr bool has_mpi = true;

// A job of several images is one of MPI.
std::unique_ptr<Transport> make_am_all(Job& job, RuntimeOptions const& options) {
  return std::make_unique<AmTransport>(
      dynamic_cast<MpiJob&>(job), AmOptions{.message_bytes_max = options.message_bytes_max});
}

#else

constexpr bool has_mpi = false;

std::unique_ptr<Transport> make_am_all(Job&, RuntimeOptions const&) {
  not_configured("MPI");
}

#endif

}  // namespace

TransportPlan plan_transport_all(std::string_view choice, Job& job) {
  TransportFacts facts{
      .images = job.images(), .nodes = job.nodes(), .has_mpi = has_mpi, .has_ucx = false};
  return plan_transport(choice, facts);
}

std::unique_ptr<Transport> make_network_transport_all(Network network, Job& job,
                                                      std::span<std::byte> heap,
                                                      RuntimeOptions const& options) {
  static_cast<void>(heap);
  switch (network) {
    case Network::am: return make_am_all(job, options);
    case Network::rma:
    case Network::ucx:
    case Network::none: break;
  }
  not_configured("this transport");
}

}  // namespace makespan::pgas

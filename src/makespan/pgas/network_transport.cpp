// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/network_transport.hpp"

#include "makespan/base/error.hpp"

#ifdef MAKESPAN_HAVE_MPI
#include "makespan/pgas/job/mpi_job.hpp"
#include "makespan/pgas/transport/am/am_transport.hpp"
#include "makespan/pgas/transport/rma/rma_transport.hpp"
#endif

#ifdef MAKESPAN_HAVE_UCX
#include "makespan/pgas/transport/ucx/ucx_probe.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#endif

namespace makespan::pgas {

namespace {

#ifdef MAKESPAN_HAVE_MPI

constexpr bool has_mpi = true;

// A job of several images is one of MPI.
std::unique_ptr<Transport> make_am_all(Job& job, RuntimeOptions const& options) {
  return std::make_unique<AmTransport>(dynamic_cast<MpiJob&>(job),
                                       AmOptions{.message_bytes_max = options.message_bytes_max});
}

std::unique_ptr<Transport> make_rma_all(Job& job, RuntimeOptions const& options) {
  return std::make_unique<RmaTransport>(
      dynamic_cast<MpiJob&>(job), options.heap_bytes,
      RmaOptions{.messages = {.message_bytes_max = options.message_bytes_max}});
}

#else

constexpr bool has_mpi = false;

std::unique_ptr<Transport> make_rma_all(Job&, RuntimeOptions const&) {
  not_configured("MPI");
}

std::unique_ptr<Transport> make_am_all(Job&, RuntimeOptions const&) {
  not_configured("MPI");
}

#endif

#ifdef MAKESPAN_HAVE_UCX

bool ucx_works_all(Job& job) {
  return ucx_probe_all(job);
}

std::unique_ptr<Transport> make_ucx_all(Job& job, RuntimeOptions const& options,
                                        std::int64_t heap_bytes) {
  UcxWakeup const wakeup =
      options.progress == ProgressMode::event ? UcxWakeup::events : UcxWakeup::none;
  return std::make_unique<UcxTransport>(job,
                                        UcxOptions{.message_bytes_max = options.message_bytes_max,
                                                   .wakeup = wakeup,
                                                   .heap_bytes = heap_bytes});
}

#else

bool ucx_works_all(Job&) {
  return false;
}

std::unique_ptr<Transport> make_ucx_all(Job&, RuntimeOptions const&, std::int64_t) {
  not_configured("UCX");
}

#endif

}  // namespace

TransportPlan plan_transport_all(std::string_view choice, Job& job) {
  TransportFacts facts{
      .images = job.images(), .nodes = job.nodes(), .has_mpi = has_mpi, .has_ucx = false};
  if (asks_for_ucx(choice, facts)) facts.has_ucx = ucx_works_all(job);
  return plan_transport(choice, facts);
}

std::unique_ptr<Transport> make_network_transport_all(TransportPlan const& plan, Job& job,
                                                      RuntimeOptions const& options) {
  // With the node's heaps mapped, they are the job's memory, and the network has none of its own.
  std::int64_t const own_heap_bytes = plan.maps_node ? 0 : options.heap_bytes;
  switch (plan.network) {
    case Network::am:
      return make_am_all(job, options);
    case Network::ucx:
      return make_ucx_all(job, options, own_heap_bytes);
    case Network::rma:
      return make_rma_all(job, options);
    case Network::none:
      break;
  }
  not_configured("this transport");
}

}  // namespace makespan::pgas

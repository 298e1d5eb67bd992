// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/detail/network_transport.hpp"

#include "makespan/base/error.hpp"

#include "makespan/pgas/job/mpi_provider.hpp"
#ifdef MAKESPAN_HAVE_UCX
#include "makespan/pgas/transport/ucx/ucx_probe.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#endif

namespace makespan::pgas {

namespace {

// A job of several images is one of MPI.
MpiBackend& mpi() {
  MpiBackend* const used = mpi_in_use();
  if (used == nullptr) not_configured("MPI");
  return *used;
}

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
                                                   .heap_bytes = heap_bytes,
                                                   .rma = options.ucx_rma,
                                                   .aggregates = options.aggregates});
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
  TransportFacts facts{.images = job.images(),
                       .nodes = job.nodes(),
                       .has_mpi = mpi_in_use() != nullptr,
                       .has_ucx = false};
  if (asks_for_ucx(choice, facts)) facts.has_ucx = ucx_works_all(job);
  return plan_transport(choice, facts);
}

std::unique_ptr<Transport> make_network_transport_all(TransportPlan const& plan, Job& job,
                                                      RuntimeOptions const& options) {
  // With the node's heaps mapped, they are the job's memory, and the network has none of its own.
  std::int64_t const own_heap_bytes = plan.maps_node ? 0 : options.heap_bytes;
  switch (plan.network) {
    case Network::am:
      return mpi().make_am_all(job, options.message_bytes_max);
    case Network::ucx:
      return make_ucx_all(job, options, own_heap_bytes);
    case Network::rma:
      return mpi().make_rma_all(job, options.heap_bytes, options.message_bytes_max);
    case Network::none:
      break;
  }
  not_configured("this transport");
}

}  // namespace makespan::pgas

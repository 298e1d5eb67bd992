// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "makespan/pgas/mpi/mpi_error.hpp"
#include "makespan/pgas/transport/am/mpi_am_context.hpp"

namespace makespan::pgas {

void report_unreachable(Job& job, ImageId peer, int code, std::string_view call) {
  ImageId const self = job.image();
  if (peer == self) check_mpi(code, call, self, peer);
  try {
    check_mpi(code, call, self, peer);
  } catch (std::exception const& error) {
    job.report_loss(peer, error.what());
  }
}

}  // namespace makespan::pgas

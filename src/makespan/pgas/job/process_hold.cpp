// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/process_hold.hpp"

#include <cstdlib>

#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/job/mpi_provider.hpp"

namespace makespan::pgas {

ProcessHold::ProcessHold(JobOptions const& options) {
  Launch const launch = detect_launch([](char const* name) { return std::getenv(name); });
  if (!launch.is_launched()) return;
  if (MpiBackend* const mpi = mpi_for(launch)) hold_ = mpi->hold(launch, options);
}

void ProcessHold::finish_all() {
  if (!hold_) return;
  hold_->finish_all();
  hold_.reset();
}

ProcessHold::~ProcessHold() = default;

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/process_hold.hpp"

#include <cstdlib>

#include "makespan/pgas/job/launch.hpp"
#ifdef MAKESPAN_HAVE_MPI
#include "makespan/pgas/job/mpi_library.hpp"
#include "makespan/pgas/job/mpi_process.hpp"
#endif

namespace makespan::pgas {

#ifdef MAKESPAN_HAVE_MPI

struct ProcessHold::Hold {
  explicit Hold(Launch const& launch)
      : process{launch},
        is_on_one_node{launch.size.has_value() && launch.node_size == launch.size} {}
  MpiProcess process;
  bool is_on_one_node;
};

ProcessHold::ProcessHold() {
  Launch const launch = detect_launch([](char const* name) { return std::getenv(name); });
  if (launch.is_launched()) hold_ = std::make_unique<Hold>(launch);
}

void ProcessHold::finish_all() {
  if (!hold_) return;
  bool const can_finalize =
      !MpiProcess::was_left_running() &&
      (hold_->is_on_one_node || can_finalize_between_hosts(mpi_library_name()));
  hold_->process.finish_all(can_finalize);
  hold_.reset();
}

#else

struct ProcessHold::Hold {};

ProcessHold::ProcessHold() = default;

void ProcessHold::finish_all() {
}

#endif

ProcessHold::~ProcessHold() = default;

}  // namespace makespan::pgas

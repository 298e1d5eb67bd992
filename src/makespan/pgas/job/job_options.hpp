// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a job looks after its images.

#include "makespan/base/quantity.hpp"

namespace makespan::pgas {

enum class Watch {
  on,   // images send heartbeats; one that stays silent is lost
  off,  // no image is watched: for debuggers, which stop processes, and for tests
};

struct JobOptions {
  Watch watch{Watch::on};
  // How often an image says that it is alive.
  Seconds beat_period{0.25};
  // How long one may be silent. Five beats: a busy machine may well delay one or two. Together with
  // the time to tell all images it stays below 2 s.
  Seconds silence_limit{1.25};
  // How long the end of a job may take once all images have come to it.
  Seconds finish_limit{10.0};
  // How long the last meeting of the images, and then MPI_Finalize, may take after that.
  Seconds finalize_limit{60.0};
};

}  // namespace makespan::pgas

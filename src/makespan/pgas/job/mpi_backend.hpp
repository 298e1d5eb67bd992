// SPDX-License-Identifier: Apache-2.0
#pragma once

// MPI as the runtime sees it: what makes jobs of several images, and their transports. Called when
// a job opens and ends, never in between: jobs, links and memories have interfaces of their own.
//
// No type of MPI is seen here, so that code which uses an MPI need not be compiled for that one.

#include <cstdint>
#include <memory>
#include <string>

#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/job/job_options.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/transport/transport.hpp"

namespace makespan::pgas {

// MPI that is kept running between jobs; see process_hold.hpp.
class MpiHold {
 public:
  MpiHold() = default;
  MpiHold(MpiHold const&) = delete;
  MpiHold& operator=(MpiHold const&) = delete;
  virtual ~MpiHold() = default;

  // Collective: as ProcessHold::finish_all().
  virtual void finish_all() = 0;
};

// One per process, and never destroyed. Jobs that it is given are its own.
class MpiBackend {
 public:
  MpiBackend() = default;
  MpiBackend(MpiBackend const&) = delete;
  MpiBackend& operator=(MpiBackend const&) = delete;
  virtual ~MpiBackend() = default;

  // "MPICH 4.0.2", "Open MPI 5.0.11". Callable before MPI has begun.
  [[nodiscard]] virtual std::string library_name() const = 0;

  // Begun and not ended, by any caller.
  [[nodiscard]] virtual bool is_running() const = 0;

  // Collective; throws as open_job_all().
  [[nodiscard]] virtual std::unique_ptr<Job> open_job_all(Launch const& launch,
                                                          JobOptions const& options) = 0;
  [[nodiscard]] virtual std::unique_ptr<MpiHold> hold(Launch const& launch,
                                                      JobOptions const& options) = 0;

  // Collective. The job outlives the transport. Throw InputError on invalid sizes, and
  // where this MPI has no working windows (rma).
  [[nodiscard]] virtual std::unique_ptr<Transport> make_am_all(Job& job,
                                                               std::int64_t message_bytes_max) = 0;
  [[nodiscard]] virtual std::unique_ptr<Transport> make_rma_all(Job& job, std::int64_t heap_bytes,
                                                                std::int64_t message_bytes_max) = 0;

  // Ends all processes of the job, this one too. Returns where MPI is not running, or the others
  // have given this process up.
  virtual void abort_job() noexcept = 0;

  // Whether the job has ended and MPI has not, since it cannot: exit_without_finalize() then ends
  // the process.
  [[nodiscard]] virtual bool was_left_running() const = 0;

  // See loss_in_earlier_job().
  [[nodiscard]] virtual std::string loss() const = 0;
};

}  // namespace makespan::pgas

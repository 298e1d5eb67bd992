// SPDX-License-Identifier: Apache-2.0
#pragma once

// MPI in this process: begun, and ended, at most once. If MPI was begun by another part of the
// program, not by makespan, makespan leaves it running. Of several jobs that are open at a time,
// the last one ends it. Tested by tests/pgas/mpi/mpi_process_test.cpp.

#include <string>

#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace makespan::pgas {

class MpiProcess {
 public:
  // Starts MPI, unless it is running. Main thread. Throws InputError where MPI has ended already,
  // or cannot be called from several threads at once, or is another one than the launcher's;
  // ImageFailed where a job before has lost an image (note_loss()).
  explicit MpiProcess(Launch const& launch);
  MpiProcess(MpiProcess const&) = delete;
  MpiProcess& operator=(MpiProcess const&) = delete;
  ~MpiProcess();

  // Begun and not ended.
  [[nodiscard]] static bool is_running();

  // Collective: blocks until all images have come to it, however late they are; at once where MPI
  // is another program's, or is wanted yet. Main thread.
  void await_others_all();
  // Collective: ends MPI, if it was begun here, or leaves it running if that would not come back.
  // Main thread. If it does not come back within `limit`, this process ends (finalize_watch.hpp).
  void finish_all(bool can_finalize, Seconds limit);

  // Tells that MPI cannot be ended, since images are missing or would be waited for without end:
  // run_job() then ends the process without MPI_Finalize. A program that exits by itself with
  // status 0 tells the launcher at its end that all is well, unless it has ended MPI. Tested by
  // tests/pgas/mpi/left_running_test.cpp.
  void leave_running();
  [[nodiscard]] static bool was_left_running();

  // Tells that a job has lost an image. MPI's world has it as a member for good, so that what
  // begins another job, which is collective over that, would wait for it without end.
  static void note_loss(ImageId image, std::string const& why);
  // What keeps this process from another job, as its constructor would say it; empty if nothing.
  [[nodiscard]] static std::string loss();

  // Tells that the other images have given this one up, and may well go on without it: run_job()
  // then ends this process, and not the job.
  void note_given_up();
  [[nodiscard]] static bool was_given_up();

 private:
  enum class Owner { us, others };
  Owner owner_{Owner::others};
};

}  // namespace makespan::pgas

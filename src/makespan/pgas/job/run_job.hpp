// SPDX-License-Identifier: Apache-2.0
#pragma once

// What main() of a program with several images does.

#include <functional>
#include <string>

namespace makespan::pgas {

// Runs `body`, which opens the job and finishes it, and returns what main() is to return.
//
//   int main() { return makespan::pgas::run_job([] { … return EXIT_SUCCESS; }); }
//
// An exception that leaves `body` is printed once, "image 2 on host b: …", to stderr, and ends the
// whole job: the other images may wait for this one in a collective, and would for ever. Only an
// image that the others have given up ends alone. Where the job has outlived a loss, or its MPI
// cannot be ended (MPICH before 4.2 on several hosts), the process ends here with what `body`
// returned, without destructors of what is static: MPI_Finalize, and mpiexec with it, would wait
// for the dead.
//
// Called once, from main(). The one place of this library that prints and ends processes.
[[nodiscard]] int run_job(std::function<int()> const& body);

// The parts of run_job() for a program that does not have its own main() (a Python session).
//
// After a failure: ends the job's other processes, and this one, unless they have given it up, or
// no launcher has started it.
void end_job();
// Where the job has outlived a loss, or its MPI cannot be ended: ends the process, and does not
// return.
void exit_without_finalize(int status);
// The launcher takes a process that says so for one that ended well, without MPI_Finalize
// (can_finalize_between_hosts()). Blocks for its answer, 2 s at most; MPI must not be called any
// more. For ends that exit_without_finalize() does not make (MpiProcess::leave_running()).
void tell_launcher_of_end();
// In any case: flushes what C's streams hold, and runs no destructors.
[[noreturn]] void exit_without_finalize_now(int status);
// For a wait that has no other end: says why, as run_job() does, and ends this process alone with
// EXIT_FAILURE, without destructors. From any thread.
[[noreturn]] void end_process(std::string const& why);

}  // namespace makespan::pgas

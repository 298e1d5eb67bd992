// SPDX-License-Identifier: Apache-2.0
#pragma once

// What main() of a program with several images does.

#include <functional>

namespace makespan::pgas {

// Runs `body`, which opens the job and finishes it, and returns what main() is to return.
//
//   int main() { return makespan::pgas::run_job([] { … return EXIT_SUCCESS; }); }
//
// An exception that leaves `body` is printed once, "image 2 on host b: …", to stderr, and ends the
// whole job: the other images may wait for this one in a collective, and would for ever. Only an
// image that the others have given up ends alone. Where the job has outlived a loss, the process
// ends here with what `body` returned, without destructors of what is static: MPI_Finalize, and
// mpiexec with it, would wait for the dead.
//
// Called once, from main(). The one place of this library that prints and ends processes.
[[nodiscard]] int run_job(std::function<int()> const& body);

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// What run_job() is given: run_job_program WAY, where image 1 (or the only one) does WAY while the
// others wait for it in a collective.
#include "makespan/pgas/job/run_job.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/open_job.hpp"

namespace {

using namespace makespan;
using namespace makespan::pgas;

int run(std::string const& way) {
  // Before MPI begins, which the others then wait for.
  char const* const rank = std::getenv("PMI_RANK") != nullptr ? std::getenv("PMI_RANK")
                                                              : std::getenv("OMPI_COMM_WORLD_RANK");
  if (way == "throws_first" && (rank == nullptr || std::string(rank) == "1")) {
    throw std::runtime_error("too early");
  }
  auto const job = open_job_all();
  if (job->image().value() == job->images() - 1) {
    if (way == "throws") throw std::runtime_error("out of luck");
    if (way == "throws_odd") throw 17;
    if (way == "refuses") throw InputError("heap of 0 bytes", "it must hold something", "ask");
  }
  static_cast<void>(job->exchange_all({}));
  std::printf("image %d of %d has finished\n", static_cast<int>(job->image().value()),
              job->images());
  job->finish_all();
  return way == "returns" ? 3 : EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  return run_job([&] { return run(argc > 1 ? argv[1] : ""); });
}

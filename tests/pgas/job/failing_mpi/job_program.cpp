// SPDX-License-Identifier: Apache-2.0
// Everything that a job does, once, for check_failing_mpi.cmake to run with one MPI call failing.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace {

using namespace makespan;
using namespace makespan::pgas;

// As a waiter does: until it is done or an image is lost.
void wait(Job const& job, Collectives::Operation const& operation) {
  while (!operation->test()) {
    for (int image = 0; image < job.images() && job.lost_images() > 0; ++image) {
      std::string const why = job.loss_of(ImageId{image});
      if (!why.empty()) throw ImageFailed(ImageId{image}, why, "a collective");
    }
    std::this_thread::yield();
  }
}

void expect(bool condition, char const* what) {
  if (!condition) throw std::runtime_error(std::string("wrong: ") + what);
}

void use_collectives(Job const& job, Collectives& team) {
  auto const size = static_cast<std::int64_t>(team.members().size());
  std::array<std::int64_t, 1> in{1};
  std::array<std::int64_t, 1> out{0};
  std::vector<std::byte> all(sizeof(in) * static_cast<std::size_t>(size));
  auto const in_bytes = std::as_bytes(std::span(in));
  auto const out_bytes = std::as_writable_bytes(std::span(out));
  auto const sum = ReduceOp::sum;
  auto const type = ElementType::int64;

  wait(job, team.barrier());
  wait(job, team.broadcast(std::as_writable_bytes(std::span(in)), 0));
  wait(job, team.reduce(type, sum, in_bytes, out_bytes, 0));
  wait(job, team.all_reduce(type, sum, in_bytes, out_bytes));
  expect(out[0] == size, "all_reduce");
  wait(job, team.inclusive_scan(type, sum, in_bytes, out_bytes));
  expect(out[0] == team.rank() + 1, "inclusive_scan");
  wait(job, team.gather(in_bytes, all, 0));
  wait(job, team.all_gather(in_bytes, all));
}

int run() {
  auto const job = open_job_all();
  expect(std::ssize(job->exchange_all({})) == job->images(), "exchange_all");
  auto const memory = job->allocate_node_memory_all(1 << 16);
  {
    auto const team = job->world_collectives_all();
    use_collectives(*job, *team);
    auto const half = team->split_all(team->rank() % 2, 0);
    use_collectives(*job, *half);
    auto const node = team->split_by_node_all();
    use_collectives(*job, *node);
  }
  memory->close_all();
  job->finish_all();
  return EXIT_SUCCESS;
}

}  // namespace

int main() {
  return run_job(run);
}

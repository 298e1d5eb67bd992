// SPDX-License-Identifier: Apache-2.0
// Images that share out tasks by one counter: mpiexec -n 3 shared_counter
//
// The dispatcher of one-sided load balancing: an idle image takes the next task by one
// fetch-and-add, and there is no master process. fetch_add gives the old value, so each task goes
// to one image.
//
// What to notice: image 0 owns the counter and works like the others. On a node no image needs its
// help; between nodes a helper answers for it while it computes: MAKESPAN_PROGRESS=event.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <makespan/pgas.hpp>

namespace {

constexpr std::int64_t tasks = 1000;

// Some tasks are much longer than others.
std::int64_t work(std::int64_t task) {
  std::int64_t const length = task % 100 == 0 ? 20'000 : 200;
  std::int64_t sum = 0;
  for (std::int64_t step = 0; step < length; ++step) sum += (task * step) % 7;
  return sum;
}

}  // namespace

int main() {
  using namespace makespan::pgas;
  using makespan::ImageId;
  return run_job([] {
    Runtime runtime;
    auto const next_task = runtime.allocate_all<std::int64_t>(1, "next_task");
    Endpoint& here = runtime.endpoint(0);
    std::int64_t sum = 0;
    std::int64_t done = 0;
    for (;;) {
      std::int64_t const task = fetch_add(here, next_task.at(ImageId{0}), 1);
      if (task >= tasks) break;
      sum += work(task);
      ++done;
    }
    auto const all = runtime.team().all_reduce_all(ReduceOp::sum, done);
    auto const total = runtime.team().all_reduce_all(ReduceOp::sum, sum);
    if (runtime.image().value() == 0) {
      std::printf("%lld tasks done, sum %lld\n", static_cast<long long>(all),
                  static_cast<long long>(total));
    }
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}

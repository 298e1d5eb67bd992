// SPDX-License-Identifier: Apache-2.0
// Remote calls that idle threads take from busy ones: mpiexec -n 2 stolen_calls
//
// Each image has two threads. Image 0 sends all its calls to thread 0 of the last image; there
// thread 1, which was sent none, steals its share. Every call is run once, by one of the two
// threads.
//
// What to notice: with MAKESPAN_STEALING=off the same program gives the same sum, later: thread 0
// does everything. A function that is sent is a type, here a lambda without captures; it may ask
// for the endpoint of the thread that runs it.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <makespan/pgas.hpp>

namespace {

using namespace makespan::pgas;
using makespan::ImageId;

constexpr std::int64_t calls = 200;

std::int64_t sum_of_answers(Endpoint& here, ImageId worker) {
  std::vector<Future<std::int64_t>> answers;
  for (std::int64_t call = 0; call < calls; ++call) {
    answers.push_back(here.rpc(
        EndpointAddress{worker, 0},
        [](std::int64_t number) {
          std::int64_t sum = 0;
          for (std::int64_t step = 0; step <= number; ++step) sum += step;
          return sum;
        },
        call));
  }
  std::int64_t sum = 0;
  for (auto const& answer : answers) sum += answer.get();
  return sum;
}

}  // namespace

int main() {
  return run_job([] {
    RuntimeOptions options;
    options.threads = 2;
    Runtime runtime(options);
    auto const is_over = runtime.allocate_all<std::uint64_t>(1, "is_over");
    auto const mine = is_over.at(runtime.image());
    // Waiting is helping: this thread runs what thread 0 was sent and has not begun.
    std::jthread second([&] { runtime.endpoint(1).wait_until_word(mine, Comparison::equal, 1); });
    Endpoint& here = runtime.endpoint(0);
    if (runtime.image().value() == 0) {
      std::printf("sum %lld\n",
                  static_cast<long long>(sum_of_answers(here, ImageId{runtime.images() - 1})));
    }
    runtime.team().barrier_all();
    store(here, mine, 1);
    second.join();
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}

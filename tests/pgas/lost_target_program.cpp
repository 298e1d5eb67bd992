// SPDX-License-Identifier: Apache-2.0
// A job of two images that loses image 1: lost_target_program TRANSPORT. When image 0 has heard of
// it, what it begins towards image 1 must end without a wait; it prints how.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace {

using namespace makespan;
using namespace makespan::pgas;
using Clock = std::chrono::steady_clock;

constexpr ImageId victim{1};

template <class Condition>
bool comes_true(Endpoint& here, Condition condition) {
  auto const end = Clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (Clock::now() > end) return false;
    here.progress();
  }
  return true;
}

// Without get(), which would end by the loss itself.
template <class T>
void tell(Endpoint& here, char const* what, Future<T> const& future) {
  if (!comes_true(here, [&] { return future.is_ready(); })) {
    std::printf("image 0: %s is still under way\n", what);
    return;
  }
  try {
    static_cast<void>(future.get());
    // Into memory that is mapped, which is still there.
    std::printf("image 0: %s has ended\n", what);
  } catch (ImageFailed const&) {
    std::printf("image 0: %s has ended in a loss\n", what);
  }
}

int run(std::string const& transport) {
  RuntimeOptions options;
  options.transport = transport;
  options.heap_bytes = 1 << 20;
  Runtime runtime(options);
  Endpoint& here = runtime.endpoint(0);
  auto const words = runtime.allocate_all<std::uint64_t>(1, "words");
  if (runtime.image() == victim) {
    // MPICH's launcher breaks down if it still has something to tell the dead one from MPI_Init.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::raise(SIGKILL);
  }
  if (!comes_true(here, [&] { return !runtime.is_alive(victim); })) return EXIT_FAILURE;
  runtime.accept_loss(victim);
  here.progress();  // which notices it

  std::uint64_t const value = 1;
  tell(here, "the call", here.rpc(victim, [] {}));
  tell(here, "the put", here.put_async(words.at(victim), std::span(&value, 1)));
  runtime.finish_all();
  std::printf("image 0: the job has ended\n");
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  return run_job([&] { return run(argc > 1 ? argv[1] : "auto"); });
}

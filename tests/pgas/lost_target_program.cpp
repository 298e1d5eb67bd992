// SPDX-License-Identifier: Apache-2.0
// A job of three images that loses image 1: lost_target_program TRANSPORT. When image 0 has heard
// of it, what it begins towards image 1 must end without a wait, and what it begins towards image 2
// goes on; it prints how.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace {

using namespace makespan;
using namespace makespan::pgas;
using Clock = std::chrono::steady_clock;

constexpr ImageId victim{1};
constexpr ImageId bystander{2};

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

bool is_flushed(Endpoint& here, ImageId image) {
  return here.fabric().channel_of(0).with_memory(
      [image](RemoteMemory& memory) { return memory.is_flushed(image); });
}

// Of an addition to either of the others.
void tell_flush(Endpoint& here, char const* when, SymmetricArray<std::uint64_t> const& words) {
  add(here, words.at(victim), std::uint64_t{1});
  add(here, words.at(bystander), std::uint64_t{1});
  std::string how = "has ended well";
  try {
    here.flush_all();
  } catch (ImageFailed const& failure) {
    how = "has ended in the loss of image " + std::to_string(failure.image().value());
  }
  std::printf("image 0: flush_all %s %s; image 2 is %s\n", when, how.c_str(),
              is_flushed(here, bystander) ? "flushed" : "not flushed");
}

// Answers until image 0 has no more to ask.
void stand_by(Runtime& runtime, SymmetricArray<std::uint64_t> const& words) {
  Endpoint& here = runtime.endpoint(0);
  runtime.accept_loss(victim);
  here.wait_until_word(words.at(bystander, 1), Comparison::at_least, 1);
}

int run(std::string const& transport) {
  RuntimeOptions options;
  options.transport = transport;
  options.heap_bytes = 1 << 20;
  Runtime runtime(options);
  Endpoint& here = runtime.endpoint(0);
  auto const words = runtime.allocate_all<std::uint64_t>(2, "words");
  if (runtime.image() == victim) {
    // MPICH's launcher breaks down if it still has something to tell the dead one from MPI_Init.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::raise(SIGKILL);
  }
  if (runtime.image() == bystander) stand_by(runtime, words);
  if (!comes_true(here, [&] { return !runtime.is_alive(victim); })) return EXIT_FAILURE;
  if (runtime.image() == bystander) {
    runtime.finish_all();
    return EXIT_SUCCESS;
  }
  here.progress();  // which notices it
  tell_flush(here, "before it was accepted", words);
  runtime.accept_loss(victim);
  tell_flush(here, "after it was accepted", words);

  std::uint64_t const value = 1;
  tell(here, "the call", here.rpc(victim, [] {}));
  tell(here, "the put", here.put_async(words.at(victim), std::span(&value, 1)));
  add(here, words.at(bystander, 1), std::uint64_t{1});
  // No flush, which would end in a loss where image 2 ends before its acknowledgement has left.
  static_cast<void>(comes_true(here, [&] { return is_flushed(here, bystander); }));
  runtime.finish_all();
  std::printf("image 0: the job has ended\n");
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  return run_job([&] { return run(argc > 1 ? argv[1] : "auto"); });
}

// SPDX-License-Identifier: Apache-2.0
// A job of two images, of which image 1 is stopped until image 0 has given it up: given_up_program
// TRANSPORT. Image 0 lives, and answers no more; what image 1 waits for, when it goes on, must end
// by its own loss. It prints how.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <thread>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace {

using namespace makespan;
using namespace makespan::pgas;
using Clock = std::chrono::steady_clock;

constexpr ImageId survivor{0};
constexpr ImageId victim{1};

template <class Condition>
bool comes_true(Condition condition, std::chrono::seconds limit = std::chrono::seconds(8)) {
  auto const end = Clock::now() + limit;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

template <class Wait>
void tell(char const* what, Wait const& wait) {
  try {
    wait();
    std::printf("image 1: %s has ended well\n", what);
  } catch (ImageFailed const& failure) {
    std::printf("image 1: %s has ended in the loss of image %d\n", what,
                static_cast<int>(failure.image().value()));
  } catch (std::exception const& error) {
    std::printf("image 1: %s has not ended: %s\n", what, error.what());
  }
}

// What is reached without the other's processor may end well, or go on: no wait ends it here. If it
// fails, then by this image's own loss.
void tell_put(Endpoint& here, GlobalPtr<std::uint64_t> to) {
  static constexpr std::uint64_t value = 1;
  bool names_another = false;
  try {
    Future<void> const put = here.put_async(to, std::span(&value, 1));
    auto const is_over = [&] {
      here.progress();
      return put.is_ready();
    };
    if (comes_true(is_over, std::chrono::seconds(1))) put.get();
  } catch (ImageFailed const& failure) {
    names_another = failure.image() != victim;
  }
  std::printf("image 1: a put has named %s\n",
              names_another ? "an image that is well" : "no other image");
}

void be_woken(Runtime& runtime, GlobalPtr<std::uint64_t> there) {
  Endpoint& here = runtime.endpoint(0);
  // Others allow one that they have never heard of its whole start (HeartbeatTimes::first_limit).
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::raise(SIGSTOP);
  // It does not know yet.
  tell("a call", [&] { here.rpc(survivor, [] {}).get(); });
  tell("a future", [&] {
    Future<void> const answer = here.rpc(survivor, [] {});
    // Without a wait, which would end by the loss itself.
    static_cast<void>(comes_true([&] {
      here.progress();
      return answer.is_ready();
    }));
    if (!answer.is_ready()) throw WaitTimeout("it is still under way");
    answer.get();
  });
  tell_put(here, there);
}

int run(std::string const& transport) {
  RuntimeOptions options;
  options.transport = transport;
  options.heap_bytes = 1 << 20;
  options.wait_limit = Seconds{8.0};
  Runtime runtime(options);
  auto const words = runtime.allocate_all<std::uint64_t>(1, "words");
  auto const process = static_cast<std::int64_t>(::getpid());
  auto const processes = runtime.team().all_gather_all(std::span<std::int64_t const>(&process, 1));
  auto const victims_process = static_cast<pid_t>(processes[1]);
  if (runtime.image() == victim) {
    be_woken(runtime, words.at(survivor));
  } else {
    if (!comes_true([&] { return !runtime.is_alive(victim); })) return EXIT_FAILURE;
    ::kill(victims_process, SIGCONT);
    // Stays in the ring until the other has been told, and has ended.
    static_cast<void>(comes_true([&] { return ::kill(victims_process, 0) != 0; }));
  }
  int const image = static_cast<int>(runtime.image().value());
  runtime.finish_all();
  std::printf("image %d: the job has ended\n", image);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  return run_job([&] { return run(argc > 1 ? argv[1] : "auto"); });
}

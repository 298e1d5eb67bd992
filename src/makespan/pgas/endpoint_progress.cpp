// SPDX-License-Identifier: Apache-2.0
// Waiting and progress: what a thread does when it has nothing to do.
#include <chrono>
#include <string>
#include <thread>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/detail/learned.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/progress/short_sleep.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::pgas {

namespace {

using Clock = std::chrono::steady_clock;

// Calls that wait run others, which may wait: so deep at most, then they only drive progress.
constexpr int depth_max = 16;
// Continuations that wait run others likewise. One may wait for another, which such a wait has to
// run: so this is many more, and within the stack all the same.
constexpr int continuations_deep_max = 1000;

// Up to so many calls run between two looks at the network, if they are short.
constexpr int calls_a_round_max = 64;

std::string text_of(Clock::duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

// Counts a level of calls while it lives.
class Deeper {
 public:
  explicit Deeper(int& depth) : depth_{depth} { ++depth_; }
  Deeper(Deeper const&) = delete;
  Deeper& operator=(Deeper const&) = delete;
  ~Deeper() { --depth_; }

 private:
  int& depth_;
};

void check_alive(Job const& job, ImageId image, Awaited const& what) {
  std::string const why = job.loss_of(image);
  if (!why.empty()) throw ImageFailed(image, why, what.call);
}

}  // namespace

int Endpoint::progress() {
  expect_open("progress");
  // A helper that failed drives progress no more; the thread that relies on it has to hear of it.
  fabric_.rethrow_helper_error();
  int happened = channel_.poll();
  happened += run_continuations();
  return happened;
}

int Endpoint::help() {
  int const happened = progress();
  // A call that polls comes here again, as one that waits does.
  if (depth_ >= depth_max) return happened;
  return happened + run_calls(1, nullptr);
}

void Endpoint::wait_round(WaitState& state, Awaited const& what) {
  int happened = progress();
  // Before it is asked whether the wait is over: what has ended by the loss of this image has not
  // been carried out.
  if (fabric_.job().lost_images() != 0) check_alive(fabric_.job(), address_.image, what);
  // At once: another look at the network first would cost a call over TCP a system call.
  if (depth_ < depth_max) {
    happened += run_calls(calls_a_round_max, &state);
    if (state.is_over()) return;
  }
  bool const is_for_others = happened == 0;
  // A thread that found nothing for itself drives the channels of threads that compute
  // (docs/decisions/0118).
  if (is_for_others) happened = fabric_.look_in(address_.thread);
  if (fabric_.job().lost_images() != 0) throw_if_lost(what);
  if (happened == 0) {
    give_way(state, what);
  } else if (is_for_others) {
    // Not what this thread waits for: on a core that it shares with a computation it sleeps on.
    state.rounds_idle = IdleCore::rounds_spinning + 1;
    state.begin = Clock::now() - IdleCore::spinning;
  } else {
    state.rounds_idle = 0;
  }
}

void Endpoint::enter_wait() {
  expect_open("a wait");
  ++waits_;
  channel_.enter_wait();
}

void Endpoint::leave_wait() noexcept {
  --waits_;
  channel_.exit_wait();
}

void Endpoint::give_way(WaitState& state, Awaited const& what) {
  if (++state.rounds_idle <= IdleCore::rounds_spinning) {
    pause_core();
    return;
  }
  auto const now = Clock::now();
  // From the first round that looks at the clock: those before took a few microseconds together.
  if (state.rounds_idle == IdleCore::rounds_spinning + 1) state.begin = now;
  auto const idle = now - state.begin;
  if (what.limit == WaitLimit::option &&
      std::chrono::duration<double>(idle).count() > fabric_.options().wait_limit.value()) {
    throw_timeout(what, text_of(idle));
  }
  switch (learned_->core.choose(now, idle)) {
    case Rest::spin:
      pause_core();
      break;
    case Rest::yield:
      std::this_thread::yield();
      learned_->core.tell_yield(now, Clock::now());
      break;
    case Rest::sleep:
      short_sleep(IdleCore::time_to_sleep(idle));
      break;
  }
}

void Endpoint::throw_if_lost(Awaited const& what) const {
  auto const check = [&](ImageId image) { check_alive(fabric_.job(), image, what); };
  if (what.image != ImageId{}) {
    check(what.image);
  } else if (!what.members.empty()) {
    for (ImageId const member : what.members) check(member);
  } else {
    // Any image may be the one that it waits for, but those whose loss the program has accepted.
    for (std::int64_t image = 0; image < images_; ++image) {
      if (!fabric_.is_accepted(ImageId{image})) check(ImageId{image});
    }
  }
  // An image that was stopped for a while is lost to the others, and waits for them in vain: they
  // are alive, and answer it no more.
  check(address_.image);
}

void Endpoint::throw_timeout(Awaited const& what, std::string const& time) const {
  std::string const who = what.image == ImageId{}
                              ? std::string("no image has answered")
                              : "image " + std::to_string(what.image.value()) + " has not answered";
  throw WaitTimeout("image " + std::to_string(address_.image.value()) + ", " +
                    std::string(what.call) + ": " + who + " for " + time +
                    " (the images are alive; one that computes does not drive progress by itself): "
                    "call progress() there, use a progress helper (MAKESPAN_PROGRESS=event), or "
                    "raise MAKESPAN_WAIT_LIMIT_S");
}

void Endpoint::defer(std::function<bool()> is_ready, std::function<void()> run) {
  deferred_.push_back({std::move(is_ready), std::move(run)});
}

int Endpoint::run_continuations() {
  if (continuations_deep_ >= continuations_deep_max) return 0;
  Deeper const here{continuations_deep_};
  int ran = 0;
  // Those that a continuation adds come last, and are looked at in the next round.
  for (std::size_t left = deferred_.size(); left > 0 && !deferred_.empty(); --left) {
    // Out of the queue while it runs: it may wait, and come here again.
    Deferred next = std::move(deferred_.front());
    deferred_.pop_front();
    if (next.is_ready()) {
      fabric_.note_run();
      next.run();
      ++ran;
    } else {
      deferred_.push_back(std::move(next));
    }
  }
  return ran;
}

}  // namespace makespan::pgas

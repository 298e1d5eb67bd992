// SPDX-License-Identifier: Apache-2.0
// Waiting and progress: what a thread does when it has nothing to do.
#include <algorithm>
#include <ctime>
#include <string>
#include <thread>

#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/errors.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::pgas {

namespace {

using Clock = std::chrono::steady_clock;

// Calls that wait run others, which may wait: so deep at most, then they only drive progress.
constexpr int depth_max = 16;

// Idle rounds that spin before a thread gives way. A round with nothing to do takes 20 to 100 ns,
// and an answer from another core comes within 1 µs.
constexpr std::int64_t rounds_spinning = 32;

// After so long without anything, a thread sleeps between rounds: whoever is that late is
// computing, and may need this core. It sleeps for a hundredth of the time that it has waited, so
// that what comes late comes at most that much later.
constexpr std::chrono::milliseconds idle_before_sleep{20};
constexpr std::chrono::microseconds shortest_sleep{50};
constexpr std::chrono::microseconds longest_sleep{1000};

// A thread that yields its core to one that waits too gets it back within microseconds; to one that
// computes, after milliseconds, and each yield puts it further behind (Linux 6.6 and later take its
// request for time as used up). One that sleeps gets the core when it wakes. So a yield that took
// long is the last for a while: until then a thread spins for as long as an answer takes over TCP,
// and sleeps.
constexpr std::chrono::microseconds long_yield{20};
constexpr std::chrono::seconds without_yields{1};
constexpr std::chrono::microseconds spin_without_yields{50};

Clock::duration time_to_sleep(Clock::duration idle) {
  return std::clamp<Clock::duration>(idle / 100, shortest_sleep, longest_sleep);
}

std::string text_of(Clock::duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

int Endpoint::progress() {
  expect_open("progress");
  fabric_.rethrow_helper_error();
  int happened = channel_.poll();
  happened += run_continuations();
  return happened;
}

int Endpoint::help() {
  int const happened = progress();
  return happened + (run_one_call() ? 1 : 0);
}

void Endpoint::wait_round(WaitState& state, Awaited const& what) {
  int happened = progress();
  // At once: another look at the network first would cost a call over TCP a system call.
  if (depth_ < depth_max && run_one_call()) ++happened;
  if (happened == 0) happened = fabric_.look_in(place_.thread);
  if (fabric_.job().lost_images() != 0) throw_if_lost(what);
  if (happened != 0) {
    state.rounds_idle = 0;
    return;
  }
  give_way(state, what);
}

void Endpoint::enter_wait() {
  expect_open("a wait");
  ++waits_;
  channel_.attend();
}

void Endpoint::leave_wait() noexcept {
  --waits_;
  channel_.leave();
}

void Endpoint::give_way(WaitState& state, Awaited const& what) {
  if (++state.rounds_idle <= rounds_spinning) {
    pause_core();
    return;
  }
  auto const now = Clock::now();
  if (state.rounds_idle == rounds_spinning + 1) state.begin = now;
  auto const idle = now - state.begin;
  if (std::chrono::duration<double>(idle).count() > fabric_.options().wait_limit.value()) {
    throw_timeout(what, text_of(idle));
  }
  bool const may_yield = now >= yields_from_;
  if (idle < (may_yield ? idle_before_sleep : spin_without_yields)) {
    if (may_yield) yield_core(now);
  } else {
    std::this_thread::sleep_for(time_to_sleep(idle));
  }
}

void Endpoint::yield_core(Clock::time_point now) {
  std::this_thread::yield();
  auto const back = Clock::now();
  if (back - now > long_yield) yields_from_ = back + without_yields;
}

void Endpoint::throw_if_lost(Awaited const& what) const {
  auto const check = [&](ImageId image) {
    std::string const why = fabric_.job().loss_of(image);
    if (!why.empty()) throw ImageFailed(image, why, what.call);
  };
  if (what.image != ImageId{}) {
    check(what.image);
  } else if (!what.members.empty()) {
    for (ImageId const member : what.members) check(member);
  } else {
    for (std::int64_t image = 0; image < images_; ++image) {
      if (!fabric_.is_accepted(ImageId{image})) check(ImageId{image});
    }
  }
}

void Endpoint::throw_timeout(Awaited const& what, std::string const& time) const {
  std::string const who = what.image == ImageId{}
                              ? std::string("nobody has answered")
                              : "image " + std::to_string(what.image.value()) + " has not answered";
  throw WaitTimeout("image " + std::to_string(place_.image.value()) + ", " +
                    std::string(what.call) + ": " + who + " for " + time +
                    " (the images are alive; one that computes does not drive progress by itself): "
                    "call progress() there, use a progress helper (MAKESPAN_PROGRESS=event), or "
                    "raise MAKESPAN_WAIT_LIMIT_S");
}

void Endpoint::defer(std::function<bool()> is_ready, std::function<void()> run) {
  deferred_.push_back({std::move(is_ready), std::move(run)});
}

int Endpoint::run_continuations() {
  int ran = 0;
  // Those that a continuation adds come last, and are looked at in the next round.
  for (std::size_t left = deferred_.size(); left > 0 && !deferred_.empty(); --left) {
    Deferred next = std::move(deferred_.front());
    deferred_.pop_front();
    if (next.is_ready()) {
      next.run();
      ++ran;
    } else {
      deferred_.push_back(std::move(next));
    }
  }
  return ran;
}

}  // namespace makespan::pgas

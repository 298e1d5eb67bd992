// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/heartbeat_monitor.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "makespan/pgas/job/detail/loss_text.hpp"
#include "makespan/pgas/job/heartbeat_transport.hpp"

namespace makespan::pgas {

namespace {

// Looks per period: what it costs is a probe each, what it buys is that news spread within a fifth
// of a period.
constexpr double looks_per_period = 5.0;

// At the end, each image waits until the others have left.
constexpr std::chrono::milliseconds look_at_end{1};

// So that a flood of messages cannot keep it from beating.
constexpr int messages_per_look_max = 1000;

}  // namespace

HeartbeatMonitor::HeartbeatMonitor(HeartbeatRing ring, HeartbeatTimes const& times,
                                   HeartbeatTransport& transport, LossBoard& losses,
                                   std::span<std::string const> hosts)
    : ring_{std::move(ring)},
      times_{times},
      transport_{transport},
      losses_{losses},
      hosts_{hosts},
      thread_{[this](std::stop_token const& stop) { run(stop); }} {
}

Seconds HeartbeatMonitor::now() {
  return Seconds{
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count()};
}

void HeartbeatMonitor::suspect(ImageId image) {
  std::scoped_lock const lock(mutex_);
  suspects_.push_back(image);
  wakes_.notify_one();
}

void HeartbeatMonitor::leave() {
  std::scoped_lock const lock(mutex_);
  leaves_ = true;
  wakes_.notify_one();
}

void HeartbeatMonitor::run(std::stop_token const& stop) noexcept {
  try {
    while (!stop.stop_requested()) {
      run_round();
      nap(stop);
    }
  } catch (std::exception const& error) {
    keep_failure();
    losses_.note(ring_.self(), std::string("its monitor failed: ") + error.what());
  } catch (...) {
    keep_failure();
    losses_.note(ring_.self(), "its monitor failed");
  }
}

void HeartbeatMonitor::keep_failure() {
  // Others are to give this image up: it cannot tell any more which of them are lost.
  transport_.fall_silent();
  std::scoped_lock const lock(mutex_);
  failure_ = std::current_exception();
}

bool HeartbeatMonitor::has_failed() {
  std::scoped_lock const lock(mutex_);
  return failure_ != nullptr;
}

void HeartbeatMonitor::rethrow_failure() {
  std::scoped_lock const lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void HeartbeatMonitor::nap(std::stop_token const& stop) {
  std::unique_lock lock(mutex_);
  if (leaves_) {
    wakes_.wait_for(lock, stop, look_at_end, [] { return false; });
  } else {
    std::chrono::duration<double> const look(times_.period.value() / looks_per_period);
    wakes_.wait_for(lock, stop, look, [this] { return leaves_ || !suspects_.empty(); });
  }
}

void HeartbeatMonitor::run_round() {
  // Before time is looked at: what has come already is no silence.
  for (int message = 0; message < messages_per_look_max; ++message) {
    auto const event = transport_.receive();
    if (!event) break;
    step(*event);
  }
  // Under the lock for a moment only: threads that drive progress call suspect().
  std::vector<ImageId> suspects;
  bool leaves = false;
  {
    std::scoped_lock const lock(mutex_);
    suspects.swap(suspects_);
    leaves = leaves_;
  }
  for (ImageId const image : suspects) {
    step(HeartbeatSuspect{.image = image, .cause = LossCause::unreachable});
  }
  if (leaves) step(HeartbeatLeave{});
  step(HeartbeatTick{});
  if (ring_.has_left()) has_left_ = true;
}

void HeartbeatMonitor::step(HeartbeatEvent const& event) {
  HeartbeatActions const actions = ring_.step(event, now());
  for (HeartbeatLoss const& loss : actions.losses) {
    losses_.note(loss.image, "on host " + hosts_[static_cast<std::size_t>(loss.image.value())] +
                                 ", " + loss_text(loss, ring_.self(), times_.silence_limit));
    if (loss.image == ring_.self()) transport_.fall_silent();
  }
  for (HeartbeatSend const& send : actions.sends) transport_.send(send);
}

}  // namespace makespan::pgas

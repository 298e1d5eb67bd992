// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/progress/detail/sleeper.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <cstdint>
#include <utility>

namespace makespan::pgas {

namespace {

// Zero disarms the timer.
void set_timer(Descriptor const& timer, std::chrono::nanoseconds after) noexcept {
  itimerspec time{};
  time.it_value.tv_nsec = static_cast<long>(after.count());
  // Cannot fail, with a descriptor and a time that are right.
  ::timerfd_settime(timer.get(), 0, &time, nullptr);
}

}  // namespace

Sleeper::Sleeper()
    : epoll_{check_os(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")},
      alarm_{check_os(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")},
      timer_{check_os(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK),
                      "timerfd_create")} {
  watch(alarm_.get());
  watch(timer_.get());
}

WaitListener& Sleeper::add(std::vector<int> descriptors) {
  for (int const descriptor : descriptors) watch(descriptor);
  return channels_.emplace_back(*this, std::move(descriptors));
}

void Sleeper::watch(int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  check_os(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

void Sleeper::sleep() {
  fall_asleep();
  epoll_event event{};
  // One event is enough: the helper looks at all channels when it wakes.
  int const events = ::epoll_wait(epoll_.get(), &event, 1, static_cast<int>(longest_time.count()));
  is_asleep_.store(false, std::memory_order_relaxed);
  if (events < 0 && errno != EINTR) check_os(events, "epoll_wait");
}

void Sleeper::fall_asleep() {
  std::scoped_lock const lock(mutex_);
  for (ChannelWatch& channel : channels_) {
    if (std::exchange(channel.is_muted_, false)) set_watched(channel, true);
  }
  if (std::exchange(is_timer_set_, false)) set_timer(timer_, std::chrono::nanoseconds{0});
  // With the lock held: mute() comes before all of this, and does nothing, or after it, and
  // stands until the next sleep.
  is_asleep_.store(true, std::memory_order_relaxed);
}

void Sleeper::wake() {
  std::uint64_t const one = 1;
  // Fails only when it has been rung already.
  [[maybe_unused]] auto const written = ::write(alarm_.get(), &one, sizeof one);
}

// Cannot fail: the descriptors are watched. If it did, the channel would stay muted.
void Sleeper::set_watched(ChannelWatch const& channel, bool is_watched) const {
  epoll_event event{};
  event.events = is_watched ? EPOLLIN : 0U;
  for (int const descriptor : channel.descriptors_) {
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event);
  }
}

void Sleeper::mute(ChannelWatch& channel) {
  std::scoped_lock const lock(mutex_);
  // It has woken, and will look before it sleeps again.
  if (!is_asleep_.load(std::memory_order_relaxed)) return;
  if (std::exchange(channel.is_muted_, true)) return;
  set_watched(channel, false);
  if (!std::exchange(is_timer_set_, true)) set_timer(timer_, muted_time);
}

Sleeper::ChannelWatch::ChannelWatch(Sleeper& sleeper, std::vector<int> descriptors)
    : sleeper_{sleeper}, descriptors_{std::move(descriptors)} {
}

void Sleeper::ChannelWatch::on_wait() noexcept {
  // That it falls asleep at this very moment costs no more than a wake-up.
  if (sleeper_.is_asleep_.load(std::memory_order_relaxed)) sleeper_.mute(*this);
}

}  // namespace makespan::pgas

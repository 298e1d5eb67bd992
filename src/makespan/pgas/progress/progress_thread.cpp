// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/progress/progress_thread.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <system_error>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

constexpr std::chrono::microseconds nap_time{50};
// Between two looks at channels that are all attended: then the threads do the work.
constexpr std::chrono::microseconds attended_nap_time{100};
// The longest sleep, so that a channel that was not armed in time is not forgotten.
constexpr int event_wait_ms = 100;

int check_os(int result, char const* call) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), call);
  return result;
}

// A file descriptor of its own.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_{descriptor} {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() { ::close(descriptor_); }

  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

// Sleeps until a channel has something, or wake() is called.
class ProgressThread::Sleeper {
 public:
  explicit Sleeper(std::vector<Channel*> const& channels)
      : epoll_{check_os(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")},
        alarm_{check_os(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")} {
    add(alarm_.get());
    for (Channel const* const channel : channels) {
      for (int const descriptor : channel->event_descriptors()) add(descriptor);
    }
  }

  void sleep() {
    epoll_event event{};
    int const events = epoll_wait(epoll_.get(), &event, 1, event_wait_ms);
    if (events < 0 && errno != EINTR) check_os(events, "epoll_wait");
  }

  void wake() {
    std::uint64_t const one = 1;
    // Fails only when it has been rung already.
    [[maybe_unused]] auto const written = ::write(alarm_.get(), &one, sizeof one);
  }

 private:
  void add(int descriptor) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    check_os(epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
  }

  Descriptor epoll_;
  Descriptor alarm_;
};

ProgressThread::ProgressThread(ProgressMode mode, std::vector<Channel*> channels)
    : channels_{std::move(channels)}, mode_{mode} {
  MAKESPAN_EXPECT(mode != ProgressMode::manual);
  bool const have_events =
      std::ranges::all_of(channels_, [](Channel const* channel) { return channel->has_events(); });
  if (!have_events) mode_ = ProgressMode::nap;
  if (mode_ == ProgressMode::event) sleeper_ = std::make_unique<Sleeper>(channels_);
  thread_ = std::thread([this] { run(); });
}

ProgressThread::~ProgressThread() {
  ends_.store(true, std::memory_order_release);
  if (sleeper_) sleeper_->wake();
  thread_.join();
}

std::exception_ptr ProgressThread::take_error() {
  if (!has_error_.load(std::memory_order_acquire)) return nullptr;
  std::scoped_lock const lock(mutex_);
  has_error_.store(false, std::memory_order_relaxed);
  return std::exchange(error_, nullptr);
}

void ProgressThread::run() noexcept {
  // Naps as long as they say: by default the kernel may add 50 µs.
  prctl(PR_SET_TIMERSLACK, 1000);
  try {
    while (!ends_.load(std::memory_order_acquire)) {
      if (poll_all() > 0) continue;
      if (mode_ == ProgressMode::event && arm_all()) {
        sleeper_->sleep();
      } else if (mode_ == ProgressMode::nap || poll_all() == 0) {
        nap();
      }
    }
  } catch (...) {
    std::scoped_lock const lock(mutex_);
    error_ = std::current_exception();
    has_error_.store(true, std::memory_order_release);
  }
}

int ProgressThread::poll_all() {
  int happened = 0;
  for (Channel* const channel : channels_) {
    if (!channel->is_attended()) happened += channel->try_poll();
  }
  return happened;
}

// False: not all of them sleep, so this thread must not either.
bool ProgressThread::arm_all() {
  return std::ranges::all_of(
      channels_, [](Channel* channel) { return !channel->is_attended() && channel->arm(); });
}

void ProgressThread::nap() const {
  bool const all_attended =
      std::ranges::all_of(channels_, [](Channel const* channel) { return channel->is_attended(); });
  std::this_thread::sleep_for(all_attended ? attended_nap_time : nap_time);
}

}  // namespace makespan::pgas

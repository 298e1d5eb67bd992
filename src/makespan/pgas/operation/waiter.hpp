// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a thread waits for something that others bring about: it drives progress, runs tasks, gives
// way to other threads, and notices when what it waits for can no longer come.

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

// How long a wait may see nothing happen.
enum class WaitLimit {
  option,  // RuntimeOptions::wait_limit
  // As long as those are alive that are waited for: for orders, which come when an image has
  // something to do, and that may write a file or wait for a user before.
  none
};

// What is waited for, as the error will name it.
struct Awaited {
  std::string_view call;  // "get", "barrier", …
  // The images whose loss ends the wait: this image, or one of these members of a team; with
  // neither, any loss that the program has not accepted (Runtime::accept_loss).
  ImageId image{};
  std::span<ImageId const> members{};
  WaitLimit limit{WaitLimit::option};
};

// One wait, from its beginning.
class WaitState {
 public:
  // `done` outlives it, and is not called again once it was true: it may have taken what it waited
  // for.
  template <class Done>
  explicit WaitState(Done& done)
      : done_{[](void const* context) {
          return static_cast<bool>((*static_cast<Done*>(const_cast<void*>(context)))());
        }},
        context_{std::addressof(done)} {}

  // Whether what is waited for is there.
  [[nodiscard]] bool is_over() {
    is_over_ = is_over_ || done_(context_);
    return is_over_;
  }

  std::int64_t rounds_idle{0};
  std::chrono::steady_clock::time_point begin{};  // set in the first idle round

 private:
  bool (*done_)(void const* context);
  void const* context_;
  bool is_over_{false};
};

class Waiter {
 public:
  // Does one round of other things, which may end early where the wait is over. Throws ImageFailed
  // or WaitTimeout.
  virtual void wait_round(WaitState& state, Awaited const& what) = 0;

  // Around the rounds of one wait.
  virtual void enter_wait() {}
  virtual void leave_wait() noexcept {}

  // Blocks until `done()` is true. What is usually there at once is fastest where `done` holds
  // copies: then nothing of it need be in memory until a wait begins (a put of 8 bytes 17 ns, not
  // 20).
  template <class Done>
  void wait_until(Done&& done, Awaited const& what) {
    if (done()) return;
    wait_in_rounds(std::decay_t<Done>(done), what);
  }

 protected:
  ~Waiter() = default;

 private:
  template <class Done>
  [[gnu::noinline]] void wait_in_rounds(Done done, Awaited what) {
    Scope const scope(*this);
    WaitState state(done);
    do {
      wait_round(state, what);
    } while (!state.is_over());
  }

  class Scope {
   public:
    explicit Scope(Waiter& waiter) : waiter_{waiter} { waiter_.enter_wait(); }
    Scope(Scope const&) = delete;
    Scope& operator=(Scope const&) = delete;
    ~Scope() { waiter_.leave_wait(); }

   private:
    Waiter& waiter_;
  };
};

}  // namespace makespan::pgas

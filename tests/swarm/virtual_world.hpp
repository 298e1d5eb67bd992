// SPDX-License-Identifier: Apache-2.0
#pragma once

// A world of images on one thread: fibers that run on images, events in virtual time, and what goes
// wrong. Whatever happens at the same time happens in an order that is drawn.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/bag/team_clock.hpp"
#include "makespan/graph/object/thread/fiber.hpp"
#include "swarm/draws.hpp"

namespace makespan::swarm {

using graph::Fiber;
using graph::Unwound;

// What must hold in every world does not in this one.
class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An image is not there any more from `at` on, or is only taken to be lost: it goes on.
struct Loss {
  int image{};
  Nanoseconds at{};
  bool is_false{};
};

// An image does nothing in between.
struct Pause {
  int image{};
  Nanoseconds from{};
  Nanoseconds until{};
};

struct Weather {
  Nanoseconds latency{microsecond};  // between images, of most messages
  double stray{0.0};                 // how many take up to twenty times as long
  Nanoseconds notice{millisecond};   // until a loss is known, at most
  std::vector<Loss> losses{};
  std::vector<Pause> pauses{};
};

// Lines that tell what happened. Null: untold.
using Story = std::function<void(std::string const&)>;

class VirtualWorld {
 public:
  using FiberId = std::size_t;

  VirtualWorld(int images, Weather weather, std::uint64_t seed, Story story);
  ~VirtualWorld();
  VirtualWorld(VirtualWorld const&) = delete;
  VirtualWorld& operator=(VirtualWorld const&) = delete;

  [[nodiscard]] Nanoseconds now() const { return now_; }
  [[nodiscard]] Nanoseconds const* clock() const { return &now_; }
  [[nodiscard]] int images() const { return static_cast<int>(lost_.size()); }
  [[nodiscard]] Draws& draws() { return draws_; }
  [[nodiscard]] std::int64_t events() const { return taken_; }

  // --- what runs

  FiberId spawn(int image, std::string name, std::function<void()> body);
  // Of the fiber that runs.
  void sleep(Nanoseconds time);
  // Until it is woken, or at most so long.
  void wait();
  void wait_at_most(Nanoseconds time);
  void wake(FiberId fiber);
  [[nodiscard]] FiberId self() const { return self_; }

  // Calls `what` at that time, outside of fibers. With an image: not while that one pauses, nor
  // when it is lost.
  void at(Nanoseconds time, std::function<void()> what);
  void at_image(int image, Nanoseconds time, std::function<void()> what);

  // --- between images

  // How long a message is under way.
  [[nodiscard]] Nanoseconds flight(int from, int to);
  // What a fiber of `from` gets when it asks the memory of `to`, or a function there, and waits.
  // Throws ImageFailed once `from` knows that `to` is lost. A function must not suspend.
  enum class Reach : std::uint8_t { memory, function };
  void ask(int from, int to, Reach reach, std::function<void()> const& what);
  // Until the fiber that runs is woken, or its image knows that `to` is lost.
  void await(int to);

  [[nodiscard]] bool is_lost(int image) const { return lost_[index(image)]; }
  [[nodiscard]] bool knows_loss(int from, int of) const { return known_[index(from)][index(of)]; }
  // Called when `from` has come to know that `of` is lost.
  void on_notice(std::function<void(int from, int of)> call) { noticed_ = std::move(call); }

  // Throws ImageFailed into what waits, where it is not lost for that fiber already.
  void expect_alive(int from, int to) const;

  // --- the end

  // Until nothing is left to happen. Throws Broken after `latest`, after too many events, and what
  // a fiber or a call threw.
  void run(Nanoseconds latest);
  // What has begun and not ended, of images that are there.
  [[nodiscard]] std::vector<std::string> unfinished() const;
  // Fibers end, in the midst of what they do. Before what they use goes.
  void unwind();

  // Something does not hold: the run ends here, wherever this was said.
  void report(std::string const& broken) {
    if (broken_.empty()) broken_ = broken;
  }
  void tell(std::string const& what) const;
  [[nodiscard]] bool is_told() const { return static_cast<bool>(story_); }

 private:
  static constexpr FiberId none = ~FiberId{0};

  struct Event {
    Nanoseconds time;
    std::uint64_t draw;  // the order of events of the same time
    std::uint64_t number;
    int image;           // -1: of none
    FiberId fiber;       // none: `call`
    std::uint64_t wait;  // which of the fiber's waits it ends
    std::size_t call;
  };
  struct Later {
    bool operator()(Event const& a, Event const& b) const {
      if (a.time != b.time) return a.time > b.time;
      return a.draw != b.draw ? a.draw > b.draw : a.number > b.number;
    }
  };
  struct Body {
    int image;
    std::string name;
    std::unique_ptr<Fiber> fiber;  // null: it has ended
    std::uint64_t waits{0};
    int asks{-1};  // the image that it waits for an answer of
  };

  [[nodiscard]] static std::size_t index(int image) { return static_cast<std::size_t>(image); }
  void push(Nanoseconds time, int image, FiberId fiber, std::size_t call);
  [[nodiscard]] std::size_t keep(std::function<void()> call);
  void take(Event const& event);
  void resume(FiberId fiber);
  [[nodiscard]] Nanoseconds paused_until(int image) const;
  void lose(Loss const& loss);
  void notice(int from, int of);

  std::vector<bool> lost_;                // by image: it is not there
  std::vector<std::vector<bool>> known_;  // by image, of image
  Weather weather_;
  Draws draws_;
  Story story_;
  Nanoseconds now_{second};
  FiberId self_{none};
  bool is_unwinding_{false};
  std::string broken_{};
  std::int64_t taken_{0};
  std::uint64_t numbers_{0};
  std::priority_queue<Event, std::vector<Event>, Later> queue_{};
  std::deque<Body> bodies_{};
  std::vector<std::function<void()>> calls_{};
  std::vector<std::size_t> free_calls_{};
  std::function<void(int, int)> noticed_{};
};

// The world's time, for what claims and waits.
class WorldClock final : public bag::TeamClock {
 public:
  // Swallows notifications where `is_swallowed` says so: a fault that is planted.
  explicit WorldClock(VirtualWorld& world, std::function<bool()> is_swallowed = {})
      : world_{world}, is_swallowed_{std::move(is_swallowed)} {}

  [[nodiscard]] Clock::time_point now() const override;
  void sleep(Clock::duration time) const override;
  [[nodiscard]] std::unique_ptr<bag::TeamCondition> make_condition() const override;

 private:
  VirtualWorld& world_;
  std::function<bool()> is_swallowed_;
};

}  // namespace makespan::swarm

// SPDX-License-Identifier: Apache-2.0
// Goal: a phase ends when all is done, never before, and always. Method: places of several images
// that send each other messages which breed others, with all that happens in random order.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "makespan/graph/object/detail/idle_places.hpp"
#include "makespan/graph/protocol/quiescence.hpp"

namespace makespan::graph {
namespace {

enum class Kind : std::uint8_t { message, rest, report, question, answer };
struct Event {
  Kind kind;
  int from;  // a place; of reports and answers, an image
  int to;
  ImageState state{};
  std::int64_t question{};
};

class TokenWorld {
 public:
  TokenWorld(int images, int threads, std::uint32_t seed)
      : random_(seed),
        threads_(threads),
        quiescence_(images),
        counts_(static_cast<std::size_t>(images * threads)),
        rests_(counts_.size()) {
    for (int image = 0; image < images; ++image) {
      idle_.push_back(std::make_unique<IdlePlaces>(threads));
    }
    for (int place = 0; place < images * threads; ++place) {
      for (int first = draw(3); first > 0; --first) send(place);
      rest_soon(place);
    }
  }

  // True as long as something happens.
  bool step() {
    if (events_.empty()) return false;
    auto const which = static_cast<std::size_t>(draw(static_cast<int>(events_.size())));
    Event const event = events_[which];
    events_[which] = events_.back();
    events_.pop_back();
    take(event);
    return true;
  }
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] int messages_under_way() const { return under_way_; }

 private:
  int draw(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
  MessageCounts& of(int place) { return counts_[static_cast<std::size_t>(place)]; }
  IdlePlaces& idle_of(int place) { return *idle_[static_cast<std::size_t>(place / threads_)]; }

  void send(int from) {
    if (budget_ == 0) return;
    --budget_;
    ++of(from).sent;
    ++under_way_;
    events_.push_back(
        {.kind = Kind::message, .from = from, .to = draw(static_cast<int>(counts_.size()))});
  }

  // A place is busy for a while after what it did.
  void rest_soon(int place) {
    if (rests_[static_cast<std::size_t>(place)]) return;
    rests_[static_cast<std::size_t>(place)] = true;
    events_.push_back({.kind = Kind::rest, .from = place, .to = place});
  }

  void rest(int place) {
    rests_[static_cast<std::size_t>(place)] = false;
    auto const state =
        idle_of(place).become_idle(place % threads_, {.state = {.counts = of(place)}});
    if (!state) return;
    events_.push_back({.kind = Kind::report, .from = place / threads_, .to = 0, .state = *state});
  }

  void take(Event const& event) {
    switch (event.kind) {
      case Kind::message:
        idle_of(event.to).become_busy(event.to % threads_);
        --under_way_;
        ++of(event.to).processed;
        for (int more = draw(3); more > 0; --more) send(event.to);
        rest_soon(event.to);
        break;
      case Kind::rest:
        rest(event.to);
        break;
      case Kind::report:
        hear(quiescence_.report(event.from, event.state));
        break;
      case Kind::question:
        events_.push_back({.kind = Kind::answer,
                           .from = event.to,
                           .to = 0,
                           .state = idle_[static_cast<std::size_t>(event.to)]->look(),
                           .question = event.question});
        break;
      case Kind::answer:
        hear(quiescence_.answer(event.from, event.question, event.state));
        break;
    }
  }

  void hear(Verdict const& verdict) {
    for (int to = 0; verdict.question && to < static_cast<int>(idle_.size()); ++to) {
      events_.push_back(
          {.kind = Kind::question, .from = 0, .to = to, .question = *verdict.question});
    }
    if (verdict.quiet != Quiet::yes) return;
    EXPECT_EQ(under_way_, 0) << "a message was under way";
    EXPECT_FALSE(is_over_) << "ended twice";
    is_over_ = true;
  }

  std::mt19937 random_;
  int threads_;
  Quiescence quiescence_;
  std::vector<std::unique_ptr<IdlePlaces>> idle_{};  // by image
  std::vector<MessageCounts> counts_;                // by place
  std::vector<bool> rests_;                          // by place: that event is under way
  std::vector<Event> events_{};
  int budget_{200};
  int under_way_{0};
  bool is_over_{false};
};

struct Shape {
  int images;
  int threads;
};

class RandomEvents : public testing::TestWithParam<Shape> {};

TEST_P(RandomEvents, end_a_phase_when_all_is_done) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    TokenWorld world(GetParam().images, GetParam().threads, seed);
    while (world.step()) continue;
    ASSERT_EQ(world.messages_under_way(), 0);
    ASSERT_TRUE(world.is_over());
  }
}

INSTANTIATE_TEST_SUITE_P(Quiescence, RandomEvents,
                         testing::Values(Shape{1, 1}, Shape{1, 2}, Shape{1, 5}, Shape{2, 1},
                                         Shape{3, 1}, Shape{5, 1}, Shape{2, 2}, Shape{3, 4}));

}  // namespace
}  // namespace makespan::graph

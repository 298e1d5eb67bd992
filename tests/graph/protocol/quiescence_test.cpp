// SPDX-License-Identifier: Apache-2.0
// Goal: a phase ends when all is done, never before, and always. Method: single rules; then places
// that send each other messages which breed others, with envelopes in random order.
#include "makespan/graph/protocol/quiescence.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace makespan::graph {
namespace {

TEST(Quiescence, One_place_that_is_idle_is_asked_once) {
  Quiescence quiescence(1);

  auto const question = quiescence.report(0, {.sent = 3, .processed = 3});
  ASSERT_TRUE(question);
  EXPECT_EQ(quiescence.answer(0, *question, {.sent = 3, .processed = 3}).quiet, Quiet::yes);
}

TEST(Quiescence, A_message_under_way_is_no_end) {
  Quiescence quiescence(2);

  EXPECT_FALSE(quiescence.report(0, {.sent = 1}));
  EXPECT_FALSE(quiescence.report(1, {}));
  EXPECT_TRUE(quiescence.report(1, {.processed = 1}));
}

TEST(Quiescence, A_place_that_has_worked_since_its_report_spoils_the_answers) {
  Quiescence quiescence(2);
  static_cast<void>(quiescence.report(0, {.sent = 1, .processed = 1}));
  auto const question = quiescence.report(1, {.sent = 1, .processed = 1});

  EXPECT_EQ(quiescence.answer(0, *question, {.sent = 1, .processed = 2}).quiet, Quiet::no);
  Verdict const last = quiescence.answer(1, *question, {.sent = 2, .processed = 1});
  EXPECT_EQ(last.quiet, Quiet::no);
  EXPECT_FALSE(last.question) << "both were busy and will report";
  static_cast<void>(quiescence.report(0, {.sent = 1, .processed = 2}));
  EXPECT_TRUE(quiescence.report(1, {.sent = 2, .processed = 1}));
}

TEST(Quiescence, A_report_that_came_before_its_spoilt_answer_is_not_forgotten) {
  Quiescence quiescence(2);
  static_cast<void>(quiescence.report(0, {.sent = 1, .processed = 0}));
  auto const first = quiescence.report(1, {.sent = 0, .processed = 1});
  ASSERT_TRUE(first);
  // 1 sends to 0, which answers first; both have reported again before they answer.
  static_cast<void>(quiescence.report(0, {.sent = 1, .processed = 1}));
  static_cast<void>(quiescence.report(1, {.sent = 1, .processed = 1}));
  EXPECT_EQ(quiescence.answer(0, *first, {.sent = 1, .processed = 1}).quiet, Quiet::no);

  Verdict const last = quiescence.answer(1, *first, {.sent = 1, .processed = 1});

  ASSERT_TRUE(last.question) << "no place will report any more: ask again at once";
  static_cast<void>(quiescence.answer(0, *last.question, {.sent = 1, .processed = 1}));
  EXPECT_EQ(quiescence.answer(1, *last.question, {.sent = 1, .processed = 1}).quiet, Quiet::yes);
}

TEST(Quiescence, Only_messages_that_no_place_can_take_are_left) {
  Quiescence quiescence(1);
  MessageCounts const counts{.sent = 2, .processed = 1, .kept = 1};

  auto const question = quiescence.report(0, counts);

  ASSERT_TRUE(question);
  EXPECT_EQ(quiescence.answer(0, *question, counts).quiet, Quiet::starved);
}

TEST(Quiescence, The_lost_are_not_waited_for) {
  Quiescence quiescence(3);
  quiescence.leave_out(1);
  static_cast<void>(quiescence.report(0, {}));

  auto const question = quiescence.report(2, {});

  ASSERT_TRUE(question);
  static_cast<void>(quiescence.answer(0, *question, {}));
  EXPECT_EQ(quiescence.answer(2, *question, {}).quiet, Quiet::yes);
}

// --- places that breed messages

enum class Kind : std::uint8_t { message, report, question, answer };
struct Envelope {
  Kind kind;
  int from;
  int to;
  MessageCounts counts{};
  std::int64_t question{};
};

class TokenWorld {
 public:
  TokenWorld(int places, std::uint32_t seed)
      : random_(seed), quiescence_(places), counts_(static_cast<std::size_t>(places)) {
    for (int place = 0; place < places; ++place) {
      for (int first = draw(3); first > 0; --first) send(place);
      post({.kind = Kind::report, .from = place, .to = 0, .counts = of(place)});
    }
  }

  // True at the end.
  bool step() {
    if (envelopes_.empty()) return false;
    auto const which = static_cast<std::size_t>(draw(static_cast<int>(envelopes_.size())));
    Envelope const envelope = envelopes_[which];
    envelopes_[which] = envelopes_.back();
    envelopes_.pop_back();
    take(envelope);
    return true;
  }
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] int messages_under_way() const { return under_way_; }

 private:
  int draw(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
  MessageCounts& of(int place) { return counts_[static_cast<std::size_t>(place)]; }
  void post(Envelope const& envelope) { envelopes_.push_back(envelope); }

  void send(int from) {
    if (budget_ == 0) return;
    --budget_;
    ++of(from).sent;
    ++under_way_;
    post({.kind = Kind::message, .from = from, .to = draw(static_cast<int>(counts_.size()))});
  }

  void take(Envelope const& envelope) {
    switch (envelope.kind) {
      case Kind::message:
        --under_way_;
        ++of(envelope.to).processed;
        for (int more = draw(3); more > 0; --more) send(envelope.to);
        post({.kind = Kind::report, .from = envelope.to, .to = 0, .counts = of(envelope.to)});
        break;
      case Kind::report:
        ask(quiescence_.report(envelope.from, envelope.counts));
        break;
      case Kind::question:
        post({.kind = Kind::answer,
              .from = envelope.to,
              .to = 0,
              .counts = of(envelope.to),
              .question = envelope.question});
        break;
      case Kind::answer: {
        Verdict const verdict =
            quiescence_.answer(envelope.from, envelope.question, envelope.counts);
        ask(verdict.question);
        if (verdict.quiet == Quiet::yes) {
          EXPECT_EQ(under_way_, 0) << "a message was under way";
          EXPECT_FALSE(is_over_) << "ended twice";
          is_over_ = true;
        }
        break;
      }
    }
  }
  void ask(std::optional<std::int64_t> question) {
    if (!question) return;
    for (int to = 0; to < static_cast<int>(counts_.size()); ++to) {
      post({.kind = Kind::question, .from = 0, .to = to, .question = *question});
    }
  }

  std::mt19937 random_;
  Quiescence quiescence_;
  std::vector<MessageCounts> counts_;
  std::vector<Envelope> envelopes_;
  int budget_{200};
  int under_way_{0};
  bool is_over_{false};
};

class RandomEnvelopes : public testing::TestWithParam<int> {};

TEST_P(RandomEnvelopes, end_a_phase_when_all_is_done) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    TokenWorld world(GetParam(), seed);
    while (world.step()) continue;
    ASSERT_EQ(world.messages_under_way(), 0);
    ASSERT_TRUE(world.is_over());
  }
}

INSTANTIATE_TEST_SUITE_P(Quiescence, RandomEnvelopes, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: short puts and answers that go to another node together arrive once and in order with all
// else, no later than the sender's next progress, and are forgotten with a lost image. Method: each
// image sends to the next; where UCX has only TCP, all of them are aggregated.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ucx_link_fixture.hpp"

namespace makespan::pgas {
namespace {

// Notes puts by their offset and other messages by their operand, and what replies' tokens say.
class NotingSink final : public MessageSink {
 public:
  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    if (header.kind == WireKind::reply) {
      tokens.insert(header.token.slot);
      EXPECT_EQ(header.token.turn, header.token.slot + 1);
      EXPECT_EQ(header.token.channel, 5);
      return;
    }
    std::uint64_t const number = header.kind == WireKind::put ? header.offset : header.operand;
    numbers.push_back(number);
    for (std::byte const each : payload) wrong += each == content(number) ? 0 : 1;
  }
  static std::byte content(std::uint64_t number) { return static_cast<std::byte>(number * 7); }

  std::vector<std::uint64_t> numbers;
  std::set<std::uint32_t> tokens;
  int wrong{0};
};

class UcxAggregateTest : public UcxLinkTest {
 protected:
  void SetUp() override {
    if (job->images() == 1) skip("no other image");
  }
  void expect_tcp() {
    char const* const transports = std::getenv("UCX_TLS");
    if (transports == nullptr || std::string(transports) != "tcp,self") skip("not over TCP alone");
  }
  void TearDown() override {
    if (!transport) open_all();
    UcxLinkTest::TearDown();
  }

  [[nodiscard]] ImageId next() const { return ImageId{(here() + 1) % job->images()}; }
  void send(WireHeader const& head, std::uint64_t number, std::size_t bytes) {
    std::vector<std::byte> const payload(bytes, NotingSink::content(number));
    ASSERT_TRUE(eventually([&] { return link->send(next(), head, payload) == SendOutcome::sent; },
                           [&] { link->poll(noting); }));
  }
  void put(std::uint64_t number, std::size_t bytes = 8) {
    send({.kind = WireKind::put, .source = here(), .offset = number}, number, bytes);
  }
  void call(std::uint64_t number) {
    send({.kind = WireKind::rpc, .source = here(), .operand = number}, number, 16);
  }
  void expect_numbers(std::size_t count) {
    EXPECT_TRUE(
        eventually([&] { return noting.numbers.size() >= count; }, [&] { link->poll(noting); }));
    EXPECT_EQ(noting.numbers.size(), count);
    for (std::size_t at = 0; at < noting.numbers.size(); ++at) {
      ASSERT_EQ(noting.numbers[at], at);
    }
    EXPECT_EQ(noting.wrong, 0);
  }
  // Opens connections, and what is sent over them later needs nothing else.
  void connect_all() {
    call(0);
    expect_numbers(1);
    drain_all(std::span(&link, 1), noting);
    noting = {};
    meet_all();
  }
  // Whether anything comes within 20 ms.
  bool something_comes() {
    auto const end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    while (noting.numbers.empty() && std::chrono::steady_clock::now() < end) link->poll(noting);
    return !noting.numbers.empty();
  }

  NotingSink noting;

 private:
  static void skip(char const* why) { GTEST_SKIP() << why; }
};

TEST_F(UcxAggregateTest, Puts_and_all_else_arrive_in_order) {
  if (IsSkipped()) return;
  for (LinkThreading const threading : {LinkThreading::serialized, LinkThreading::concurrent}) {
    open_all({}, threading);
    noting = {};
    constexpr std::uint64_t messages = 5000;
    for (std::uint64_t number = 0; number < messages; ++number) {
      if (number % 97 == 0) {
        put(number, 3000);
      } else if (number % 41 == 0) {
        call(number);
      } else {
        put(number, number % 257);
      }
    }
    expect_numbers(messages);
    drain_all(std::span(&link, 1), noting);
    link.reset();
    transport->close_all();
  }
  open_all();
}

// Of three threads, who also drive progress for each other.
TEST_F(UcxAggregateTest, Messages_of_each_thread_of_a_concurrent_link_arrive_in_order) {
  if (IsSkipped()) return;
  open_all({}, LinkThreading::concurrent);
  constexpr std::uint64_t threads = 3;
  constexpr std::uint64_t messages = 3000;
  constexpr std::uint64_t stride = 1'000'000;
  auto const send_all = [&](std::uint64_t thread) {
    for (std::uint64_t number = 0; number < messages; ++number) {
      std::uint64_t const name = thread * stride + number;
      if (number % 11 == 0) {
        call(name);
      } else {
        put(name, number % 83 == 0 ? 5000 : 8);
      }
      if (number % 7 == 0) link->poll(noting);
    }
  };
  {
    std::vector<std::jthread> senders;
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
      senders.emplace_back([&, thread] { send_all(thread); });
    }
  }
  EXPECT_TRUE(eventually([&] { return noting.numbers.size() >= threads * messages; },
                         [&] { link->poll(noting); }));
  EXPECT_EQ(noting.wrong, 0);
  std::map<std::uint64_t, std::uint64_t> next_of;  // by thread
  for (std::uint64_t const name : noting.numbers) {
    ASSERT_EQ(name % stride, next_of[name / stride]++) << "of thread " << name / stride;
  }
  drain_all(std::span(&link, 1), noting);
}

// Notes nothing, and throws, once.
class ThrowingSink final : public MessageSink {
 public:
  ThrowingSink(NotingSink& noting, std::uint64_t number) : noting_{noting}, number_{number} {}
  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    if (header.kind == WireKind::put && header.offset == number_) {
      throw std::runtime_error("refused");
    }
    noting_.deliver(header, payload);
  }

 private:
  NotingSink& noting_;
  std::uint64_t number_;
};

TEST_F(UcxAggregateTest, Messages_after_one_that_is_refused_are_delivered) {
  expect_tcp();
  if (IsSkipped()) return;
  open_all();
  connect_all();
  ThrowingSink throwing(noting, 3);
  for (std::uint64_t number = 0; number < 8; ++number) put(number);
  int refused = 0;
  EXPECT_TRUE(eventually([&] { return noting.numbers.size() >= 7; },
                         [&] {
                           try {
                             link->poll(throwing);
                           } catch (std::runtime_error const&) {
                             ++refused;
                           }
                         }));
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(noting.numbers, (std::vector<std::uint64_t>{0, 1, 2, 4, 5, 6, 7}));
  drain_all(std::span(&link, 1), noting);
}

TEST_F(UcxAggregateTest, Only_the_sender_s_progress_sends_them) {
  expect_tcp();
  if (IsSkipped()) return;
  open_all();
  connect_all();
  // Image 1 receives from image 0, which does not drive progress meanwhile.
  if (here() == 0) put(0);
  if (here() == 1) {
    EXPECT_FALSE(something_comes());
  }
  meet_all();
  if (here() == 0) link->poll(noting);
  if (here() == 1) expect_numbers(1);
  drain_all(std::span(&link, 1), noting);
}

TEST_F(UcxAggregateTest, Without_aggregation_a_put_goes_at_once) {
  if (IsSkipped()) return;
  open_all({.aggregates = false});
  connect_all();
  if (here() == 0) put(0);
  if (here() == 1) expect_numbers(1);
  meet_all();
  drain_all(std::span(&link, 1), noting);
}

TEST_F(UcxAggregateTest, Puts_of_a_thread_that_never_drives_progress_go_in_time) {
  expect_tcp();
  if (IsSkipped()) return;
  open_all();
  connect_all();
  if (here() == 0) {
    put(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    put(1);
  }
  if (here() == 1) expect_numbers(2);
  meet_all();
  drain_all(std::span(&link, 1), noting);
}

TEST_F(UcxAggregateTest, Answers_arrive_with_their_tokens) {
  if (IsSkipped()) return;
  open_all();
  constexpr std::uint32_t answers = 1000;
  for (std::uint32_t slot = 0; slot < answers; ++slot) {
    send({.kind = WireKind::reply,
          .source = here(),
          .token = {.slot = slot, .turn = slot + 1, .channel = 5}},
         slot, 8);
  }
  EXPECT_TRUE(
      eventually([&] { return noting.tokens.size() == answers; }, [&] { link->poll(noting); }));
  drain_all(std::span(&link, 1), noting);
}

TEST_F(UcxAggregateTest, Aggregate_to_an_image_that_is_lost_is_forgotten) {
  expect_tcp();
  if (IsSkipped()) return;
  open_all();
  connect_all();
  put(0);
  link->abandon(next());
  EXPECT_TRUE(eventually([&] { return link->is_drained(); }, [&] { link->poll(noting); }));
  meet_all();
}

}  // namespace
}  // namespace makespan::pgas

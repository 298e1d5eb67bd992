// SPDX-License-Identifier: Apache-2.0
// Goal: messages arrive once, whole and in order, whatever their lengths; a full window says so,
// and nothing hangs that was given up. Method: every image sends known bytes to others and compares
// what comes; no test depends on how many images there are.
#include <gtest/gtest.h>

#include <memory>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/am/am_transport.hpp"
#include "makespan/pgas/transport/am/detail/am_frame.hpp"
#include "transport_test.hpp"
#include "unreceived_sends.hpp"

namespace makespan::pgas {
namespace {

class AmLinkTest : public TransportTest, public testing::WithParamInterface<LinkThreading> {
 protected:
  void open_all(AmOptions const& options = {}) {
    transport = std::make_unique<AmTransport>(job, options);
    link = transport->open_link_all(0, GetParam());
  }

  // Everything that was sent has been received.
  void close_all() {
    EXPECT_TRUE(wait_until([&] { return link->is_drained(); }, [&] { link->poll(inbox); }));
    meet_all();
    link.reset();
    transport->close_all();
  }

  // As where images are missing.
  void close_alone() {
    link.reset();
    transport.reset();
    meet_all();  // the tests go on together
  }

  [[nodiscard]] WireHeader header(std::uint64_t operand) const {
    return {.kind = WireKind::put,
            .source = static_cast<std::int32_t>(self().value()),
            .operand = operand};
  }

  void send(ImageId to, std::uint64_t operand, std::span<std::byte const> payload = {}) {
    ASSERT_TRUE(send_waiting(*link, inbox, to, header(operand), payload));
  }

  void expect_messages(std::size_t count) {
    EXPECT_TRUE(
        wait_until([&] { return inbox.messages.size() >= count; }, [&] { link->poll(inbox); }));
    // One more would be one too many.
    for (int round = 0; round < 100; ++round) link->poll(inbox);
    EXPECT_EQ(inbox.messages.size(), count);
  }

  void expect_in_order() const {
    for (int source = 0; source < images(); ++source) {
      std::uint64_t expected = 0;
      for (Received const& message : inbox.from(ImageId{source})) {
        ASSERT_EQ(message.header.operand, expected++) << "from image " << source;
      }
    }
  }

  std::unique_ptr<AmTransport> transport;
  std::unique_ptr<Link> link;
  Inbox inbox;
};

INSTANTIATE_TEST_SUITE_P(Threading, AmLinkTest,
                         testing::Values(LinkThreading::serialized, LinkThreading::concurrent),
                         [](auto const& chosen) {
                           return chosen.param == LinkThreading::serialized ? "serialized"
                                                                            : "concurrent";
                         });

TEST_P(AmLinkTest, Link_delivers_in_order_to_every_image) {
  constexpr std::uint64_t messages = 200;
  open_all();

  for (std::uint64_t message = 0; message < messages; ++message) {
    for (int to = 0; to < images(); ++to) send(ImageId{to}, message);
  }

  expect_messages(messages * static_cast<std::size_t>(images()));
  expect_in_order();
  close_all();
}

TEST_P(AmLinkTest, Link_keeps_header_and_payload_of_any_length) {
  AmOptions const options{.message_bytes_max = 1 << 20};
  std::vector<std::size_t> const lengths{0,
                                         1,
                                         7,
                                         8,
                                         4096,
                                         am_short_payload_bytes - 1,
                                         am_short_payload_bytes,
                                         am_short_payload_bytes + 1,
                                         65536,
                                         (1 << 20) - 1,
                                         1 << 20};
  open_all(options);
  EXPECT_EQ(link->payload_bytes_max(), 1 << 20);

  for (std::size_t const length : lengths) {
    WireHeader sent = header(length);
    sent.token = {.slot = 7, .turn = 9, .channel = 3};
    sent.compare = ~std::uint64_t{0};
    ASSERT_TRUE(send_waiting(*link, inbox, next(), sent,
                             pattern(length, length + static_cast<std::uint64_t>(self().value()))));
  }

  expect_messages(lengths.size());
  for (std::size_t at = 0; at < std::min(lengths.size(), inbox.messages.size()); ++at) {
    Received const& message = inbox.messages[at];
    EXPECT_EQ(message.header.source, previous().value());
    EXPECT_EQ(message.header.operand, lengths[at]);
    EXPECT_EQ(message.header.token.slot, 7U);
    EXPECT_EQ(message.header.token.turn, 9U);
    EXPECT_EQ(message.header.token.channel, 3U);
    EXPECT_EQ(message.header.compare, ~std::uint64_t{0});
    EXPECT_TRUE(message.payload ==
                pattern(lengths[at], lengths[at] + static_cast<std::uint64_t>(previous().value())))
        << lengths[at];
  }
  close_all();
}

TEST_P(AmLinkTest, Link_keeps_order_of_long_and_short_messages) {
  constexpr std::uint64_t messages = 120;
  auto const length_of = [](std::uint64_t message) {
    return message % 3 == 0 ? std::size_t{60000} + message : std::size_t{message % 50};
  };
  open_all();

  for (std::uint64_t message = 0; message < messages; ++message) {
    for (int to = 0; to < images(); ++to) {
      send(ImageId{to}, message, pattern(length_of(message), message));
    }
  }

  expect_messages(messages * static_cast<std::size_t>(images()));
  expect_in_order();
  for (Received const& message : inbox.messages) {
    std::uint64_t const number = message.header.operand;
    EXPECT_TRUE(message.payload == pattern(length_of(number), number)) << number;
  }
  close_all();
}

TEST_P(AmLinkTest, Link_serves_many_senders_at_once) {
  constexpr std::uint64_t messages = 300;
  open_all({.send_window = 4});

  for (std::uint64_t message = 0; message < messages; ++message) {
    send(ImageId{0}, message, pattern(message * 31 % 9000, message));
  }

  expect_messages(self() == ImageId{0} ? messages * static_cast<std::size_t>(images()) : 0);
  expect_in_order();
  close_all();
}

// The receiver does not poll, so messages that MPI does not take at once stay in the window.
TEST_P(AmLinkTest, Link_is_busy_when_the_window_is_full) {
  constexpr std::size_t bytes = 1 << 20;
  open_all({.message_bytes_max = bytes, .send_window = 2});
  auto const payload = pattern(bytes, 1);

  std::size_t sent = 0;
  while (sent < 100 && link->send(next(), header(sent), payload) == SendOutcome::sent) ++sent;

  EXPECT_GE(sent, 1U);
  EXPECT_LE(sent, 2U);
  EXPECT_FALSE(link->is_drained());
  meet_all();
  expect_messages(sent);
  close_all();
}

// A window is shared: a receiver that does not receive cannot hold all of it.
TEST_P(AmLinkTest, Link_has_room_for_others_while_one_does_not_receive) {
  constexpr std::size_t bytes = 1 << 20;
  open_all({.message_bytes_max = bytes, .send_window = 8});
  auto const payload = pattern(bytes, 1);

  std::size_t sent = 0;
  while (sent < 100 && link->send(next(), header(sent), payload) == SendOutcome::sent) ++sent;
  bool const is_taken = images() < 2 || link->send(self(), header(0), {}) == SendOutcome::sent;

  EXPECT_LT(sent, 8U);
  EXPECT_TRUE(is_taken);
  meet_all();
  expect_messages(sent + (images() < 2 ? 0 : 1));
  close_all();
}

// Answers as messages arrive, from within deliver().
class Echo final : public MessageSink {
 public:
  Echo(Link& link, std::int32_t self) : link_{link}, self_{self} {}

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    if (header.kind == WireKind::reply) {
      ++answers;
      return;
    }
    WireHeader answer = header;
    answer.kind = WireKind::reply;
    answer.source = self_;
    // There is room: no image has more questions under way than the window has slots.
    EXPECT_EQ(link_.send(ImageId{header.source}, answer, payload), SendOutcome::sent);
  }

  int answers{0};

 private:
  Link& link_;
  std::int32_t self_;
};

TEST_P(AmLinkTest, Sink_may_send_while_it_takes_a_message) {
  open_all({.send_window = 256});
  Echo echo(*link, static_cast<std::int32_t>(self().value()));

  for (int to = 0; to < images(); ++to) {
    ASSERT_EQ(link->send(ImageId{to}, header(1), pattern(20, 1)), SendOutcome::sent);
  }

  EXPECT_TRUE(wait_until([&] { return echo.answers == images(); }, [&] { link->poll(echo); }));
  // The others may still ask.
  auto const world = job.world_collectives_all();
  auto const barrier = world->barrier();
  EXPECT_TRUE(wait_until([&] { return barrier->test(); }, [&] { link->poll(echo); }));
  EXPECT_EQ(echo.answers, images());
  close_all();
}

TEST_P(AmLinkTest, Links_of_other_channels_are_apart) {
  open_all();
  auto const other = transport->open_link_all(1, GetParam());
  Inbox others;

  ASSERT_TRUE(send_waiting(*other, others, next(), header(42), {}));
  send(next(), 0);

  expect_messages(1);
  EXPECT_TRUE(wait_until([&] { return !others.messages.empty(); }, [&] { other->poll(others); }));
  ASSERT_EQ(others.messages.size(), 1U);
  EXPECT_EQ(others.messages[0].header.operand, 42U);
  EXPECT_EQ(inbox.messages[0].header.operand, 0U);
  close_all();
}

// What was on its way to an image that is given up does not keep the link from closing. The next
// image polls no more, as if it had died.
TEST_P(AmLinkTest, Link_forgets_what_was_sent_to_an_abandoned_image) {
  constexpr std::size_t bytes = 1 << 20;
  open_all({.message_bytes_max = bytes, .send_window = 4, .close_limit = Seconds{0.2}});
  auto const payload = pattern(bytes, 1);
  for (int message = 0; message < 10; ++message) {
    static_cast<void>(link->send(next(), header(0), payload));
  }
  EXPECT_FALSE(link->is_drained());

  link->abandon(next());

  EXPECT_TRUE(link->is_drained());
  for (int message = 0; message < 10; ++message) {
    EXPECT_EQ(link->send(next(), header(0), payload), SendOutcome::sent);
  }
  EXPECT_TRUE(link->is_drained());
  close_alone();
  has_unreceived_sends = true;
}

TEST_P(AmLinkTest, Link_delivers_nothing_of_an_abandoned_image) {
  open_all();
  link->abandon(previous());
  meet_all();

  ASSERT_TRUE(send_waiting(*link, inbox, next(), header(0), pattern(10, 1)));
  ASSERT_TRUE(send_waiting(*link, inbox, next(), header(1), pattern(60000, 1)));

  for (int round = 0; round < 2000; ++round) link->poll(inbox);
  EXPECT_TRUE(inbox.messages.empty());
  close_alone();
}

TEST_P(AmLinkTest, Link_asserts_on_bad_use) {
  open_all({.message_bytes_max = 100});

  EXPECT_THROW(static_cast<void>(link->send(ImageId{images()}, header(0), {})), ContractViolated);
  EXPECT_THROW(static_cast<void>(link->send(ImageId{}, header(0), {})), ContractViolated);
  EXPECT_THROW(static_cast<void>(link->send(self(), header(0), pattern(101, 1))), ContractViolated);
  close_all();
}

}  // namespace
}  // namespace makespan::pgas

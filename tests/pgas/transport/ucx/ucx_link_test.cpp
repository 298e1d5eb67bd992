// SPDX-License-Identifier: Apache-2.0
// Goal: a UCX link delivers what was sent, once, in order, whatever its size and sender.
// Method: every image sends to every image, itself too, messages whose content and number follow
// from the sender; the receiver checks both. Runs under several UCX_TLS: see CMakeLists.txt.
#include "makespan/pgas/transport/ucx/detail/ucx_link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <stdexcept>
#include <thread>

#include "makespan/base/contracts.hpp"
#include "ucx_link_fixture.hpp"

namespace makespan::pgas {
namespace {

TEST_F(UcxLinkTest, Link_delivers_every_size_in_order) {
  open_all({.message_bytes_max = 200'000});
  // Around the limits of what UCX sends in one piece, in several, and by rendezvous; and of ours.
  std::array<std::size_t, 16> const sizes{
      0, 1, 8, 30, 64, 100, 2047, 2048, 2049, 8100, 8192, 20'000, 32'768, 65'536, 65'537, 200'000};
  constexpr int rounds = 6;
  std::mt19937 random(static_cast<unsigned>(here()));
  std::uint64_t number = 0;
  for (int round = 0; round < rounds; ++round) {
    auto shuffled = sizes;
    std::ranges::shuffle(shuffled, random);
    for (std::size_t const bytes : shuffled) send_to_all(*link, sink, number++, bytes);
  }

  expect_messages(*link, sink, rounds * static_cast<int>(sizes.size()));
  drain_all();
}

// Long ones take several steps, in which short ones could overtake them.
TEST_F(UcxLinkTest, Link_keeps_short_messages_behind_long_ones) {
  open_all({.message_bytes_max = 2 << 20});
  constexpr int rounds = 4;
  constexpr int short_ones = 40;
  std::uint64_t number = 0;
  for (int round = 0; round < rounds; ++round) {
    send_to_all(*link, sink, number++, 2 << 20);
    for (int each = 0; each < short_ones; ++each) send_to_all(*link, sink, number++, 8);
  }

  expect_messages(*link, sink, rounds * (1 + short_ones));
  drain_all();
}

TEST_F(UcxLinkTest, Link_sends_the_longest_message_there_is) {
  open_all({.message_bytes_max = ucx_payload_bytes_limit});
  auto const bytes = static_cast<std::size_t>(ucx_payload_bytes_limit);

  send_to_all(*link, sink, 0, bytes);

  expect_messages(*link, sink, 1);
  drain_all();
}

TEST_F(UcxLinkTest, Link_takes_messages_of_many_at_one_image) {
  open_all();
  constexpr int messages = 2000;
  for (int number = 0; number < messages; ++number) {
    ASSERT_TRUE(
        send_soon(*link, sink, ImageId{0}, header(static_cast<std::uint64_t>(number), 8), 8));
  }

  int const expected = here() == 0 ? messages * job->images() : 0;
  EXPECT_TRUE(eventually([&] { return sink.count() >= expected; }, [&] { link->poll(sink); }));
  EXPECT_EQ(sink.count(), expected);
  EXPECT_EQ(sink.out_of_order(), 0);
  drain_all();
}

// No image polls: at some point there is no room, and what had room before arrives later.
TEST_F(UcxLinkTest, Link_says_busy_instead_of_keeping_without_limit) {
  open_all();
  ImageId const next{(here() + 1) % job->images()};
  for (std::size_t const bytes : {std::size_t{8}, std::size_t{60'000}}) {
    constexpr int more_than_there_is_room_for = 200'000;
    int sent = 0;
    for (; sent < more_than_there_is_room_for; ++sent) {
      auto const payload = payload_of(header(static_cast<std::uint64_t>(sent), bytes), bytes);
      if (link->send(next, header(static_cast<std::uint64_t>(sent), bytes), payload) ==
          SendOutcome::busy) {
        break;
      }
    }
    EXPECT_LT(sent, more_than_there_is_room_for);
    auto const counts = job->exchange_all(std::as_bytes(std::span(&sent, 1)));
    int expected = 0;
    auto const previous = static_cast<std::size_t>((here() + job->images() - 1) % job->images());
    std::memcpy(&expected, counts[previous].data(), sizeof expected);

    CheckingSink received;
    EXPECT_TRUE(
        eventually([&] { return received.count() >= expected; }, [&] { link->poll(received); }));
    EXPECT_EQ(received.count(), expected);
    EXPECT_EQ(received.out_of_order(), 0);
    EXPECT_EQ(received.wrong(), 0);
    drain_all(std::span(&link, 1), received);
  }
}

// Answers are sent from inside deliver(), some of them long.
TEST_F(UcxLinkTest, Link_can_send_while_it_delivers) {
  open_all();
  constexpr int requests = 300;
  int answers = 0;
  std::vector<std::uint64_t> answered(static_cast<std::size_t>(job->images()));
  std::vector<std::pair<ImageId, WireHeader>> kept;
  auto const answer = [&](ImageId to, WireHeader const& reply) {
    return link->send(to, reply, payload_of(reply, reply.compare)) == SendOutcome::sent;
  };
  sink.set_answer([&](WireHeader const& request, std::span<std::byte const>) {
    if (request.kind == WireKind::call_reply) {
      ++answers;
      return;
    }
    std::uint64_t& number = answered[static_cast<std::size_t>(request.source)];
    WireHeader reply = header(number, number % 10 == 0 ? 30'000 : 16, 1);
    reply.kind = WireKind::call_reply;
    ++number;
    // What came before has the first turn.
    if (!kept.empty() || !answer(ImageId{request.source}, reply)) {
      kept.emplace_back(ImageId{request.source}, reply);
    }
  });
  for (int number = 0; number < requests; ++number) {
    send_to_all(*link, sink, static_cast<std::uint64_t>(number), 8);
  }

  EXPECT_TRUE(eventually(
      [&] {
        return answers == requests * job->images() && sink.count() == 2 * answers && kept.empty();
      },
      [&] {
        while (!kept.empty() && answer(kept.front().first, kept.front().second)) {
          kept.erase(kept.begin());
        }
        link->poll(sink);
      }));
  EXPECT_EQ(sink.out_of_order(), 0);
  EXPECT_EQ(sink.wrong(), 0);
  drain_all();
}

TEST_F(UcxLinkTest, Links_of_several_threads_work_at_once) {
  constexpr int threads = 3;
  constexpr int messages = 400;
  open_all();
  std::vector<std::unique_ptr<Link>> links;
  for (int thread = 0; thread < threads; ++thread) {
    links.push_back(transport->open_link_all(1 + thread, LinkThreading::serialized));
  }
  std::vector<CheckingSink> sinks(threads);
  std::atomic<int> ready{0};
  std::vector<std::jthread> team;

  for (int thread = 0; thread < threads; ++thread) {
    team.emplace_back([&, thread] {
      auto const at = static_cast<std::size_t>(thread);
      for (int number = 0; number < messages; ++number) {
        send_to_all(*links[at], sinks[at], static_cast<std::uint64_t>(number),
                    number % 50 == 0 ? 40'000 : 24, thread);
      }
      expect_messages(*links[at], sinks[at], messages);
      // Others may wait for what is still on its way out of here.
      ready.fetch_add(1);
      EXPECT_TRUE(
          eventually([&] { return ready.load() == threads; }, [&] { links[at]->poll(sinks[at]); }));
    });
  }
  team.clear();

  CheckingSink nothing;
  drain_all(links, nothing);
  EXPECT_EQ(nothing.count(), 0);
}

// One link for all threads: each sends, each polls; messages of one thread stay in order.
TEST_F(UcxLinkTest, Link_that_is_concurrent_serves_several_threads) {
  constexpr int threads = 3;
  constexpr int messages = 400;
  open_all({}, LinkThreading::concurrent);
  // Only one thread at a time delivers, but the sink is looked at by all.
  std::atomic<int> count{0};
  sink.set_answer([&](auto const&, auto) { count.fetch_add(1); });
  std::vector<std::jthread> team;
  int const expected = threads * messages * job->images();

  for (int thread = 0; thread < threads; ++thread) {
    team.emplace_back([&, thread] {
      for (int number = 0; number < messages; ++number) {
        send_to_all(*link, sink, static_cast<std::uint64_t>(number), number % 50 == 0 ? 40'000 : 24,
                    thread);
      }
      EXPECT_TRUE(eventually([&] { return count.load() >= expected; },
                             [&] {
                               if (link->poll(sink) == 0) std::this_thread::yield();
                             }));
    });
  }
  team.clear();

  EXPECT_EQ(sink.count(), expected);
  EXPECT_EQ(sink.out_of_order(), 0);
  EXPECT_EQ(sink.wrong(), 0);
  drain_all();
}

// The messages before and after the bad one are delivered, each once.
TEST_F(UcxLinkTest, Link_passes_on_what_its_sink_throws) {
  open_all();
  constexpr int messages = 10;
  int thrown = 0;
  sink.set_answer([](WireHeader const& message, auto) {
    if (message.operand == 4) throw std::runtime_error("the fifth");
  });
  auto const poll = [&] {
    try {
      link->poll(sink);
    } catch (std::runtime_error const& error) {
      EXPECT_STREQ(error.what(), "the fifth");
      ++thrown;
    }
  };
  int const expected = messages * job->images();
  for (int number = 0; number < messages; ++number) {
    for (int image = 0; image < job->images(); ++image) {
      auto const message = header(static_cast<std::uint64_t>(number), 30'000);
      auto const payload = payload_of(message, 30'000);
      ASSERT_TRUE(eventually(
          [&] { return link->send(ImageId{image}, message, payload) == SendOutcome::sent; }, poll));
    }
  }

  EXPECT_TRUE(eventually([&] { return sink.count() >= expected; }, poll));
  EXPECT_EQ(sink.count(), expected);
  EXPECT_EQ(sink.out_of_order(), 0);
  EXPECT_EQ(thrown, job->images());
  drain_all();
}

TEST_F(UcxLinkTest, Link_refuses_what_is_too_long_or_goes_nowhere) {
  open_all({.message_bytes_max = 100});
  std::vector<std::byte> const payload(101);

  EXPECT_EQ(link->payload_bytes_max(), 100);
  EXPECT_THROW(static_cast<void>(link->send(ImageId{0}, header(0, 101), payload)),
               ContractViolated);
  EXPECT_THROW(static_cast<void>(link->send(ImageId{job->images()}, header(0, 0), {})),
               ContractViolated);
  EXPECT_THROW(static_cast<void>(link->send(ImageId{}, header(0, 0), {})), ContractViolated);
}

// No image takes the end of another's link for the loss of that image.
TEST_F(UcxLinkTest, Links_can_be_closed_and_opened_again) {
  for (int round = 0; round < 3; ++round) {
    open_all();
    CheckingSink received;
    send_to_all(*link, received, 0, 1000);
    expect_messages(*link, received, 1);
    drain_all();
    link.reset();
    transport->close_all();
    EXPECT_EQ(job->lost_images(), 0);
  }
  open_all();
}

}  // namespace
}  // namespace makespan::pgas

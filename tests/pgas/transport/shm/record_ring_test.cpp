// SPDX-License-Identifier: Apache-2.0
// Goal: what goes in comes out, once, whole and in order, wherever in the ring it lies; a record
// that was not published is never seen. Method: one thread at every position, then two threads,
// also under the thread sanitizer.
#include "makespan/pgas/transport/shm/record_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

// A ring with both of its ends.
class Ring {
 public:
  explicit Ring(std::int64_t ring_bytes)
      : lines_(static_cast<std::size_t>(RecordRing::memory_bytes(ring_bytes)) / sizeof(Line)),
        producer(std::as_writable_bytes(std::span(lines_))),
        consumer(std::as_writable_bytes(std::span(lines_))) {}

 private:
  struct alignas(RecordRing::alignment) Line {
    std::array<std::byte, RecordRing::alignment> bytes{};
  };
  std::vector<Line> lines_;

 public:
  RingProducer producer;
  RingConsumer consumer;
};

// A payload of which every byte tells which message it belongs to.
std::vector<std::byte> payload_of(std::uint64_t message, std::size_t bytes) {
  std::vector<std::byte> payload(bytes);
  for (std::size_t at = 0; at < bytes; ++at) {
    payload[at] = static_cast<std::byte>(message * 31 + at * 7 + 1);
  }
  return payload;
}

bool push(RingProducer& producer, std::uint64_t message, std::size_t bytes) {
  WireHeader const header{.kind = WireKind::put, .offset = message, .compare = ~message};
  if (!producer.stage(header, payload_of(message, bytes))) return false;
  producer.publish(PublishOrder::plain);
  return true;
}

// Takes out the next record, which must be this one.
void expect_next(RingConsumer& consumer, std::uint64_t message, std::size_t bytes) {
  auto const record = consumer.front();
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->header.kind, WireKind::put);
  EXPECT_EQ(record->header.offset, message);
  EXPECT_EQ(record->header.compare, ~message);
  EXPECT_TRUE(std::ranges::equal(record->payload, payload_of(message, bytes)));
  consumer.pop();
}

TEST(RecordRing, is_empty_at_first) {
  Ring ring(1024);

  EXPECT_FALSE(ring.consumer.front().has_value());
}

TEST(RecordRing, hands_over_messages_of_every_size_in_order) {
  Ring ring(4096);
  auto const longest = static_cast<std::size_t>(RecordRing::payload_bytes_max(4096));
  for (std::size_t bytes = 0; bytes <= longest; ++bytes) {
    ASSERT_TRUE(push(ring.producer, bytes, bytes));
    expect_next(ring.consumer, bytes, bytes);
    ring.consumer.release_room();
  }
}

TEST(RecordRing, hands_over_the_longest_message_from_every_position) {
  constexpr std::int64_t ring_bytes = 2048;
  auto const longest = static_cast<std::size_t>(RecordRing::payload_bytes_max(ring_bytes));
  for (std::size_t lines = 0; lines < ring_bytes / 64; ++lines) {
    Ring ring(ring_bytes);
    for (std::size_t line = 0; line < lines; ++line) {
      ASSERT_TRUE(push(ring.producer, line, 0));
      expect_next(ring.consumer, line, 0);
      ring.consumer.release_room();
    }
    for (std::uint64_t message = 0; message < 5; ++message) {
      ASSERT_TRUE(push(ring.producer, message, longest)) << "at line " << lines;
      expect_next(ring.consumer, message, longest);
      ring.consumer.release_room();
    }
    EXPECT_FALSE(ring.consumer.front().has_value());
  }
}

TEST(RecordRing, says_when_it_is_full_and_has_room_again) {
  Ring ring(1024);
  std::uint64_t pushed = 0;
  while (push(ring.producer, pushed, 64)) ++pushed;

  // 16 lines, of which one stays free; two for each record.
  EXPECT_EQ(pushed, 7U);
  expect_next(ring.consumer, 0, 64);
  ring.consumer.release_room();
  EXPECT_TRUE(push(ring.producer, 7, 64));
  EXPECT_FALSE(push(ring.producer, 8, 64));
  for (std::uint64_t message = 1; message <= 7; ++message) expect_next(ring.consumer, message, 64);
  EXPECT_FALSE(ring.consumer.front().has_value());
}

TEST(RecordRing, gives_room_back_without_being_told_when_much_was_taken) {
  Ring ring(1024);
  for (std::uint64_t message = 0; message < 100; ++message) {
    ASSERT_TRUE(push(ring.producer, message, 64));
    expect_next(ring.consumer, message, 64);
  }
}

TEST(RecordRing, is_not_fooled_by_old_payload) {
  Ring ring(1024);
  // Payload that looks like commit words, everywhere.
  std::vector<std::uint64_t> const words(40, 5);
  for (int round = 0; round < 100; ++round) {
    ASSERT_TRUE(ring.producer.stage({}, std::as_bytes(std::span(words))));
    ring.producer.publish(PublishOrder::before_loads);
    auto const record = ring.consumer.front();
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->payload.size(), 40 * sizeof(std::uint64_t));
    ring.consumer.pop();
    ring.consumer.release_room();
    ASSERT_FALSE(ring.consumer.front().has_value()) << "round " << round;
    if (round % 3 == 0) {
      ASSERT_TRUE(push(ring.producer, 1, 0));
      expect_next(ring.consumer, 1, 0);
    }
  }
}

TEST(RecordRing, does_not_show_what_was_not_published) {
  Ring ring(1024);
  // At every position, so that one is at the end, where the rest is skipped first.
  for (std::uint64_t message = 0; message < 40; ++message) {
    ASSERT_TRUE(ring.producer.stage({.offset = 99}, payload_of(99, 200)));
    EXPECT_FALSE(ring.consumer.front().has_value());

    ASSERT_TRUE(push(ring.producer, message, 100));
    expect_next(ring.consumer, message, 100);
    EXPECT_FALSE(ring.consumer.front().has_value());
    ring.consumer.release_room();
  }
}

TEST(RecordRing, publishes_what_was_staged_and_nothing_else) {
  Ring ring(1024);

  EXPECT_THROW(ring.producer.publish(PublishOrder::plain), ContractViolated);
  EXPECT_TRUE(push(ring.producer, 1, 1));
  EXPECT_THROW(ring.producer.publish(PublishOrder::plain), ContractViolated);
}

TEST(RecordRing, is_as_long_as_its_messages_want_and_no_longer) {
  for (std::int64_t payload = 0; payload < 3000; payload += 7) {
    std::int64_t const bytes = RecordRing::bytes_for(payload, 1);

    EXPECT_EQ(bytes % RecordRing::alignment, 0);
    EXPECT_GE(RecordRing::payload_bytes_max(bytes), payload);
    if (bytes > 256) {
      EXPECT_LT(RecordRing::payload_bytes_max(bytes - RecordRing::alignment), payload);
    }
  }
}

TEST(RecordRing, takes_as_many_messages_as_it_was_made_for_from_every_position) {
  constexpr std::size_t payload = 100;
  std::int64_t const ring_bytes = RecordRing::bytes_for(payload, 3);
  Ring ring(ring_bytes);
  for (std::uint64_t round = 0; round < 50; ++round) {
    for (std::uint64_t message = 0; message < 3; ++message) {
      ASSERT_TRUE(push(ring.producer, message, payload)) << "round " << round;
    }
    for (std::uint64_t message = 0; message < 3; ++message) {
      expect_next(ring.consumer, message, payload);
    }
    ASSERT_TRUE(push(ring.producer, round, 0));  // and the next round begins a line later
    expect_next(ring.consumer, round, 0);
    ring.consumer.release_room();
  }
}

class EverySeed : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(RecordRing, EverySeed, testing::Range(0U, 10U));

TEST_P(EverySeed, does_what_a_queue_does) {
  Ring ring(2048);
  std::mt19937 random(GetParam());
  std::deque<std::pair<std::uint64_t, std::size_t>> model;
  std::uint64_t next = 0;
  for (int step = 0; step < 5000; ++step) {
    if (random() % 2 == 0) {
      std::size_t const bytes = random() % 900;
      if (push(ring.producer, next, bytes)) model.emplace_back(next++, bytes);
    } else if (model.empty()) {
      ASSERT_FALSE(ring.consumer.front().has_value());
      ring.consumer.release_room();
      ASSERT_TRUE(push(ring.producer, next, 900));  // an empty ring has room
      expect_next(ring.consumer, next++, 900);
    } else {
      expect_next(ring.consumer, model.front().first, model.front().second);
      model.pop_front();
    }
  }
}

TEST(RecordRing, keeps_two_threads_apart) {
  constexpr std::uint64_t messages = 10'000;
  Ring ring(4096);
  auto const size_of = [](std::uint64_t message) {
    return static_cast<std::size_t>(message * 2654435761U % 1500);
  };
  std::jthread const producer([&] {
    for (std::uint64_t message = 0; message < messages; ++message) {
      while (!push(ring.producer, message, size_of(message))) std::this_thread::yield();
    }
  });

  for (std::uint64_t message = 0; message < messages; ++message) {
    while (!ring.consumer.front()) {
      ring.consumer.release_room();
      std::this_thread::yield();
    }
    expect_next(ring.consumer, message, size_of(message));
  }
  EXPECT_FALSE(ring.consumer.front().has_value());
}

}  // namespace
}  // namespace makespan::pgas

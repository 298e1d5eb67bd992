// SPDX-License-Identifier: Apache-2.0
// Goal: what goes in comes out, once, whole and in order, wherever in the ring it lies; a record
// that was not published is never seen. Method: one thread at every position, then two threads,
// also under the thread sanitizer.
#include "makespan/pgas/transport/shm/detail/record_ring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {
namespace {

// A ring with both of its ends.
class Ring {
 public:
  explicit Ring(std::int64_t slots)
      : lines_(static_cast<std::size_t>(RecordRing::memory_bytes(slots)) / sizeof(Line)),
        producer(writable_memory()),
        consumer(writable_memory()) {}

  [[nodiscard]] std::span<std::byte> writable_memory() {
    return std::as_writable_bytes(std::span(lines_));
  }

  [[nodiscard]] std::span<std::byte const> memory() const {
    return std::as_bytes(std::span(lines_));
  }

  // Writes the lower half of a slot's commit word: the length, and whether it lies in the header.
  void overwrite_length(std::size_t slot, std::uint32_t length) {
    std::span<std::byte> const word = writable_memory().subspan(RecordRing::alignment + slot * 64);
    std::memcpy(word.data(), &length, sizeof length);  // of a machine with low bytes first
  }

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
  Ring ring(2);

  EXPECT_FALSE(ring.consumer.front().has_value());
}

TEST(RecordRing, hands_over_messages_of_every_size_in_order) {
  Ring ring(48);
  auto const longest = static_cast<std::size_t>(RecordRing::payload_bytes_max(48));
  EXPECT_GT(longest, 6000U);  // so that the longest are streamed
  for (std::size_t bytes = 0; bytes <= longest; bytes += bytes < 300 ? 1 : 37) {
    ASSERT_TRUE(push(ring.producer, bytes, bytes));
    expect_next(ring.consumer, bytes, bytes);
    ring.consumer.release_room();
  }
}

TEST(RecordRing, hands_over_the_longest_message_from_every_position) {
  constexpr std::int64_t slots = 6;
  auto const longest = static_cast<std::size_t>(RecordRing::payload_bytes_max(slots));
  for (std::size_t at = 0; at <= 2 * longest; at += 16) {
    Ring ring(slots);
    for (std::size_t part : {at / 2 / 16 * 16, at - at / 2 / 16 * 16}) {
      ASSERT_TRUE(push(ring.producer, part, part));
      expect_next(ring.consumer, part, part);
    }
    ring.consumer.release_room();
    for (std::uint64_t message = 0; message < 5; ++message) {
      ASSERT_TRUE(push(ring.producer, message, longest)) << "at " << at;
      expect_next(ring.consumer, message, longest);
      ring.consumer.release_room();
    }
    EXPECT_FALSE(ring.consumer.front().has_value());
  }
}

// Of a call or its answer, so short that it may lie in the header, or just too long for that.
TEST(RecordRing, hands_over_short_payloads_of_calls_in_their_headers) {
  constexpr std::int64_t slots = 2;
  Ring ring(slots);
  std::uint64_t message = 0;
  for (WireKind const kind : {WireKind::rpc, WireKind::call_reply, WireKind::refusal}) {
    for (std::size_t bytes = 0; bytes <= 32; ++bytes) {
      WireHeader const header{.kind = kind, .source = 3, .offset = message};
      std::vector<std::byte> const payload = payload_of(message, bytes);
      ASSERT_TRUE(ring.producer.stage(header, payload));
      ring.producer.publish(PublishOrder::plain);
      // A put between them needs its last fields, and the area where it was.
      ASSERT_TRUE(push(ring.producer, message, 17));

      auto const record = ring.consumer.front();
      ASSERT_TRUE(record.has_value());
      EXPECT_EQ(record->header.kind, kind);
      EXPECT_EQ(record->header.source, 3);
      EXPECT_EQ(record->header.offset, message);
      EXPECT_TRUE(std::ranges::equal(record->payload, payload)) << bytes << " bytes";
      bool const is_in_header =
          std::less<>{}(record->payload.data(), ring.memory().data() + 128 + slots * 64);
      EXPECT_EQ(is_in_header, bytes <= 24) << bytes << " bytes";
      ring.consumer.pop();
      expect_next(ring.consumer, message++, 17);
      ring.consumer.release_room();
    }
  }
}

class EverySize : public testing::TestWithParam<std::size_t> {};

// Nothing and short: slots end first; long: payloads do; 256 bytes: both together.
INSTANTIATE_TEST_SUITE_P(RecordRing, EverySize, testing::Values(0, 8, 256, 300, 1000));

TEST_P(EverySize, says_when_it_is_full_and_has_room_again) {
  constexpr std::uint64_t slots = 8;
  std::size_t const length = GetParam();
  std::uint64_t const held = std::min<std::uint64_t>(slots, length == 0 ? slots : 2048 / length);
  Ring ring(slots);
  std::uint64_t pushed = 0;
  while (push(ring.producer, pushed, length)) ++pushed;
  EXPECT_GE(pushed + (length > 256 ? 1 : 0), held);
  EXPECT_LE(pushed, held);

  expect_next(ring.consumer, 0, length);
  ring.consumer.release_room();
  EXPECT_TRUE(push(ring.producer, pushed, length));
  EXPECT_FALSE(push(ring.producer, pushed + 1, length));
  for (std::uint64_t message = 1; message <= pushed; ++message) {
    expect_next(ring.consumer, message, length);
  }
  EXPECT_FALSE(ring.consumer.front().has_value());
}

TEST_P(EverySize, gives_room_back_without_being_told_when_much_was_taken) {
  Ring ring(16);
  for (std::uint64_t message = 0; message < 500; ++message) {
    ASSERT_TRUE(push(ring.producer, message, GetParam()));
    expect_next(ring.consumer, message, GetParam());
  }
}

TEST(RecordRing, does_not_show_what_was_not_published) {
  Ring ring(4);
  // In every slot, and at places in the area that go round.
  for (std::uint64_t message = 0; message < 40; ++message) {
    ASSERT_TRUE(ring.producer.stage({.offset = 99}, payload_of(99, 200)));
    EXPECT_FALSE(ring.consumer.front().has_value());

    ASSERT_TRUE(push(ring.producer, message, 100));
    expect_next(ring.consumer, message, 100);
    EXPECT_FALSE(ring.consumer.front().has_value());
    ring.consumer.release_room();
  }
}

TEST(RecordRing, publishes_what_was_staged_and_takes_what_was_shown) {
  Ring ring(4);

  EXPECT_THROW(ring.producer.publish(PublishOrder::plain), ContractViolated);
  EXPECT_TRUE(push(ring.producer, 1, 1));
  EXPECT_THROW(ring.producer.publish(PublishOrder::plain), ContractViolated);
  EXPECT_THROW(ring.consumer.pop(), ContractViolated);
  expect_next(ring.consumer, 1, 1);
  EXPECT_THROW(ring.consumer.pop(), ContractViolated);
  EXPECT_THROW(static_cast<void>(ring.producer.stage({}, payload_of(0, 1000))), ContractViolated);
}

// The lengths that a commit word can tell: none leads out of the ring, now or with what follows.
TEST(RecordRing, ends_at_a_length_that_it_does_not_take) {
  constexpr std::int64_t slots = 4;
  for (std::uint32_t const length : {513U, 1024U, 4096U, 0x7ffffff0U, 0x7fffffffU}) {
    Ring ring(slots);
    for (std::uint64_t message = 0; message < 3; ++message) {
      ASSERT_TRUE(push(ring.producer, message, 100));
    }
    ring.overwrite_length(1, length);
    expect_next(ring.consumer, 0, 100);

    for (int again = 0; again < 3; ++again) {
      EXPECT_THROW(static_cast<void>(ring.consumer.front()), BadMessage) << length;
      EXPECT_THROW(ring.consumer.pop(), ContractViolated);
      ring.consumer.release_room();
    }
  }
}

// Ones that a ring takes, and that no message had.
TEST(RecordRing, stays_within_itself_whatever_length_it_takes) {
  Ring ring(4);
  for (std::size_t message = 0; message < 4; ++message) {
    ASSERT_TRUE(push(ring.producer, message, 16));
    ring.overwrite_length(message, message == 0 ? 16 : 512);
  }
  for (int message = 0; message < 4; ++message) {
    auto const record = ring.consumer.front();
    ASSERT_TRUE(record.has_value());
    std::span<std::byte const> const all = ring.memory();
    EXPECT_LE(&record->payload.back(), &all.back());
    ring.consumer.pop();
    ring.consumer.release_room();
  }
}

TEST(RecordRing, names_the_image_that_writes_what_cannot_be) {
  Ring ring(4);
  ASSERT_TRUE(push(ring.producer, 0, 100));
  ring.overwrite_length(0, 0x7fffffffU);
  RingConsumer consumer(ring.writable_memory(), ImageId{3});

  try {
    static_cast<void>(consumer.front());
    FAIL() << "it is too long";
  } catch (BadMessage const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a message from image 3 that cannot be (in shared "
                                                 "memory, of 2147483647 bytes"));
  }
}

TEST(RecordRing, is_as_long_as_its_messages_want_and_no_longer) {
  for (std::int64_t payload = 0; payload < 3000; payload += 7) {
    std::int64_t const slots = RecordRing::slots_for(payload, 1);

    EXPECT_EQ(slots % 2, 0);
    EXPECT_EQ(RecordRing::memory_bytes(slots) % RecordRing::alignment, 0);
    EXPECT_GE(RecordRing::payload_bytes_max(slots), payload);
    if (slots > 2) {
      EXPECT_LT(RecordRing::payload_bytes_max(slots - 2), payload);
    }
  }
}

TEST(RecordRing, takes_as_many_messages_as_it_was_made_for_from_every_position) {
  constexpr std::size_t payload = 500;
  Ring ring(RecordRing::slots_for(payload, 3));
  for (std::uint64_t round = 0; round < 200; ++round) {
    for (std::uint64_t message = 0; message < 3; ++message) {
      ASSERT_TRUE(push(ring.producer, message, payload)) << "round " << round;
    }
    for (std::uint64_t message = 0; message < 3; ++message) {
      expect_next(ring.consumer, message, payload);
    }
    ring.consumer.release_room();
    ASSERT_TRUE(push(ring.producer, round, 1));  // and the next round begins a step later
    expect_next(ring.consumer, round, 1);
    ring.consumer.release_room();
  }
}

class EverySeed : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(RecordRing, EverySeed, testing::Range(0U, 10U));

TEST_P(EverySeed, does_what_a_queue_does) {
  Ring ring(8);
  std::mt19937 random(GetParam());
  std::deque<std::pair<std::uint64_t, std::size_t>> model;
  std::uint64_t next = 0;
  for (int step = 0; step < 5000; ++step) {
    if (random() % 2 == 0) {
      std::size_t const bytes = random() % (random() % 2 == 0 ? 40 : 900);
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
  Ring ring(40);
  auto const size_of = [](std::uint64_t message) {
    return static_cast<std::size_t>(message * 2654435761U % (message % 8 == 0 ? 5000 : 500));
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

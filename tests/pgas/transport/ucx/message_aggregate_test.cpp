// SPDX-License-Identifier: Apache-2.0
// Goal: messages come out of an aggregate as they went in, and what is no aggregate is refused.
// Method: both ends in one buffer; every byte cut off or changed.
#include "makespan/pgas/transport/ucx/detail/message_aggregate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {
namespace {

constexpr std::int32_t sender_image = 3;

std::vector<std::byte> bytes_from(std::size_t first, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t at = 0; at < count; ++at) bytes[at] = static_cast<std::byte>(first + at);
  return bytes;
}

WireHeader put_to(std::uint64_t offset) {
  return {.kind = WireKind::put, .source = sender_image, .offset = offset};
}

WireHeader reply_to(WireToken const& token) {
  return {.kind = WireKind::reply, .source = sender_image, .token = token};
}

TEST(MessageAggregateTest, Messages_come_out_as_they_went_in) {
  std::vector<std::byte> room(4096);
  WireToken const token{.slot = 0x12345678, .turn = 0x9abcdef0, .channel = 77};
  std::size_t end = 0;
  end = add_to_aggregate(room, end, put_to(0xfedcba9876543210), bytes_from(1, 8)).value();
  end = add_to_aggregate(room, end, reply_to(token), bytes_from(9, 3)).value();
  end = add_to_aggregate(room, end, put_to(5), {}).value();
  end = add_to_aggregate(room, end, put_to(6), bytes_from(0, aggregated_bytes_max)).value();
  auto const aggregate = std::span<std::byte const>(room).first(end);

  auto const put = message_in_aggregate(aggregate, 0, sender_image);
  EXPECT_EQ(put.header.kind, WireKind::put);
  EXPECT_EQ(put.header.source, sender_image);
  EXPECT_EQ(put.header.offset, 0xfedcba9876543210);
  EXPECT_FALSE(put.header.token.is_tracked());
  EXPECT_TRUE(std::ranges::equal(put.payload, bytes_from(1, 8)));
  auto const reply = message_in_aggregate(aggregate, put.next, sender_image);
  EXPECT_EQ(reply.header.kind, WireKind::reply);
  EXPECT_EQ(reply.header.token.slot, token.slot);
  EXPECT_EQ(reply.header.token.turn, token.turn);
  EXPECT_EQ(reply.header.token.channel, token.channel);
  EXPECT_TRUE(std::ranges::equal(reply.payload, bytes_from(9, 3)));
  auto const empty = message_in_aggregate(aggregate, reply.next, sender_image);
  EXPECT_EQ(empty.header.offset, 5U);
  EXPECT_TRUE(empty.payload.empty());
  auto const last = message_in_aggregate(aggregate, empty.next, sender_image);
  EXPECT_TRUE(std::ranges::equal(last.payload, bytes_from(0, aggregated_bytes_max)));
  EXPECT_EQ(last.next, end);
}

TEST(MessageAggregateTest, Aggregate_takes_what_fits) {
  std::vector<std::byte> room(72);  // of three messages of 24 bytes
  std::optional<std::size_t> end = 0;
  for (int message = 0; message < 3; ++message) {
    end = add_to_aggregate(room, *end, put_to(0), bytes_from(0, 8));
    ASSERT_TRUE(end);
  }
  EXPECT_EQ(*end, room.size());
  EXPECT_FALSE(add_to_aggregate(room, *end, put_to(0), {}));
}

TEST(MessageAggregateTest, Only_what_no_thread_waits_for_is_aggregated) {
  WireToken const token{.slot = 1, .turn = 1, .channel = 0};
  EXPECT_TRUE(can_be_aggregated(put_to(0), aggregated_bytes_max));
  EXPECT_TRUE(can_be_aggregated(reply_to(token), 8));
  EXPECT_FALSE(can_be_aggregated(put_to(0), aggregated_bytes_max + 1));
  EXPECT_FALSE(can_be_aggregated({.kind = WireKind::put, .token = token}, 8));
  for (WireKind const kind : {WireKind::put_signal, WireKind::get, WireKind::atomic, WireKind::rpc,
                              WireKind::call_reply, WireKind::refusal, WireKind::ack}) {
    EXPECT_FALSE(can_be_aggregated({.kind = kind}, 8));
  }
}

TEST(MessageAggregateTest, What_is_cut_off_is_refused) {
  std::vector<std::byte> room(64);
  std::size_t const end = add_to_aggregate(room, 0, put_to(0), bytes_from(0, 20)).value();
  for (std::size_t bytes = 0; bytes < end; ++bytes) {
    EXPECT_THROW(static_cast<void>(message_in_aggregate(
                     std::span<std::byte const>(room).first(bytes), 0, sender_image)),
                 BadMessage)
        << bytes;
  }
  EXPECT_THROW(static_cast<void>(message_in_aggregate(room, room.size() + 1, sender_image)),
               BadMessage);
}

TEST(MessageAggregateTest, Kinds_and_lengths_that_are_not_aggregated_are_refused) {
  std::vector<std::byte> room(4096);
  std::size_t const end = add_to_aggregate(room, 0, put_to(0), bytes_from(0, 8)).value();
  auto const aggregate = std::span<std::byte const>(room).first(end);
  room[0] = static_cast<std::byte>(WireKind::rpc);
  EXPECT_THROW(static_cast<void>(message_in_aggregate(aggregate, 0, sender_image)), BadMessage);
  room[0] = std::byte{250};
  EXPECT_THROW(static_cast<void>(message_in_aggregate(aggregate, 0, sender_image)), BadMessage);
  room[0] = static_cast<std::byte>(WireKind::put);
  EXPECT_NO_THROW(static_cast<void>(message_in_aggregate(aggregate, 0, sender_image)));
  room[6] = std::byte{1};  // 65536 bytes more
  EXPECT_THROW(static_cast<void>(message_in_aggregate(room, 0, sender_image)), BadMessage);
}

}  // namespace
}  // namespace makespan::pgas

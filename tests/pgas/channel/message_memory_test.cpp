// SPDX-License-Identifier: Apache-2.0
// Goal: each operation becomes the message that it should; a busy link leaves nothing behind; flush
// counts requests that no thread waits for; lost images fail what waits for them. Method: the
// messages on a fake network are looked at, and answered by hand.
#include "makespan/pgas/channel/detail/message_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <new>

#include "fake_network.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "recorded_completion.hpp"

namespace makespan::pgas {
namespace {

constexpr ImageId memory_owner{0};
constexpr ImageId memory_target{1};

class MessageMemoryTest : public testing::Test {
 protected:
  // The next message to `memory_target`, which is received.
  fake::FakeMessage next() {
    fake::FakeMessage message;
    EXPECT_TRUE(network.receive(memory_owner, memory_target, message)) << "no message";
    return message;
  }

  fake::FakeNetwork network{2};
  fake::FakeLink link{network, memory_owner};
  PendingTable pending{3, 2};
  MessageMemory memory{memory_owner, 2, link, pending};
  fake::RecordedCompletion done;
  std::array<std::byte, 3> const data{std::byte{1}, std::byte{2}, std::byte{3}};
};

TEST_F(MessageMemoryTest, Put_sends_its_data) {
  ASSERT_EQ(memory.put(memory_target, 40, data, &done), StartOutcome::started);

  auto const message = next();
  EXPECT_EQ(message.header.kind, WireKind::put);
  EXPECT_EQ(message.header.source, 0);
  EXPECT_EQ(message.header.offset, 40U);
  EXPECT_EQ(message.header.token.channel, 3);
  EXPECT_TRUE(message.header.token.is_tracked());
  EXPECT_EQ(message.payload, std::vector<std::byte>(data.begin(), data.end()));
  EXPECT_EQ(done.calls(), 0);
  pending.complete(message.header.token, {});
  EXPECT_EQ(done.completed, 1);
}

TEST_F(MessageMemoryTest, Put_signal_says_what_and_where) {
  SignalRequest const signal{.op = AtomicOp::store, .offset = 96, .operand = 5};
  ASSERT_EQ(memory.put_signal(memory_target, 8, data, signal, &done), StartOutcome::started);

  auto const message = next();
  EXPECT_EQ(message.header.kind, WireKind::put_signal);
  EXPECT_EQ(message.header.op, AtomicOp::store);
  EXPECT_EQ(message.header.width, 8);
  EXPECT_EQ(message.header.offset, 8U);
  EXPECT_EQ(message.header.word_offset, 96U);
  EXPECT_EQ(message.header.operand, 5U);
  EXPECT_EQ(message.payload.size(), 3U);
}

TEST_F(MessageMemoryTest, Get_lands_where_it_was_wanted) {
  std::array<std::byte, 3> destination{};
  ASSERT_EQ(memory.get(memory_target, 16, destination, done), StartOutcome::started);

  auto const message = next();
  EXPECT_EQ(message.header.kind, WireKind::get);
  EXPECT_EQ(message.header.offset, 16U);
  EXPECT_EQ(message.header.operand, 3U);
  EXPECT_TRUE(message.payload.empty());
  pending.complete(message.header.token, data);
  EXPECT_EQ(destination, data);
  EXPECT_EQ(done.completed, 1);
}

TEST_F(MessageMemoryTest, Get_longer_than_a_message_is_a_mistake) {
  std::vector<std::byte> destination(fake::FakeNetwork::payload_bytes_max + 1);

  EXPECT_THROW(static_cast<void>(memory.get(memory_target, 0, destination, done)),
               ContractViolated);
  EXPECT_EQ(memory.operation_bytes_max(), fake::FakeNetwork::payload_bytes_max);
}

TEST_F(MessageMemoryTest, Atomic_sends_its_request) {
  AtomicRequest const request{
      .op = AtomicOp::compare_swap, .width = 4, .offset = 12, .operand = 7, .compare = 6};
  ASSERT_EQ(memory.atomic(memory_target, request, &done), StartOutcome::started);

  auto const message = next();
  EXPECT_EQ(message.header.kind, WireKind::atomic);
  EXPECT_EQ(message.header.op, AtomicOp::compare_swap);
  EXPECT_EQ(message.header.width, 4);
  EXPECT_EQ(message.header.offset, 12U);
  EXPECT_EQ(message.header.operand, 7U);
  EXPECT_EQ(message.header.compare, 6U);
}

TEST_F(MessageMemoryTest, Operation_without_a_wait_has_no_token) {
  ASSERT_EQ(memory.put(memory_target, 0, data, nullptr), StartOutcome::started);
  ASSERT_EQ(memory.atomic(memory_target, {.op = AtomicOp::add}, nullptr), StartOutcome::started);

  EXPECT_FALSE(next().header.token.is_tracked());
  EXPECT_FALSE(next().header.token.is_tracked());
  EXPECT_EQ(pending.waiting(), 0);
}

TEST_F(MessageMemoryTest, Flush_counts_requests_without_a_wait) {
  EXPECT_TRUE(memory.is_flushed(memory_target));

  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(memory.put(memory_target, 0, data, nullptr), StartOutcome::started);
  }
  EXPECT_FALSE(memory.is_flushed(memory_target));
  EXPECT_TRUE(memory.is_flushed(memory_owner));  // each image by itself
  memory.acknowledge(memory_target, 2);
  EXPECT_FALSE(memory.is_flushed(memory_target));
  memory.acknowledge(memory_target, 1);
  EXPECT_TRUE(memory.is_flushed(memory_target));
}

TEST_F(MessageMemoryTest, Flush_waits_for_operations_that_have_a_completion_too) {
  ASSERT_EQ(memory.put(memory_target, 0, data, &done), StartOutcome::started);
  EXPECT_FALSE(memory.is_flushed(memory_target));
  EXPECT_TRUE(memory.is_flushed(memory_owner));

  // The channel tells of the answer, even if no thread waits for it any more.
  memory.forget(done);
  EXPECT_FALSE(memory.is_flushed(memory_target));
  memory.acknowledge(memory_target, 1);

  EXPECT_TRUE(memory.is_flushed(memory_target));
  EXPECT_EQ(done.calls(), 0);
}

TEST_F(MessageMemoryTest, Flush_does_not_wait_for_remote_calls) {
  ASSERT_TRUE(pending.track(done, memory_target));  // as an endpoint tracks a call

  EXPECT_TRUE(memory.is_flushed(memory_target));
}

TEST_F(MessageMemoryTest, Busy_link_leaves_nothing_behind) {
  network.room = 0;
  std::array<std::byte, 3> destination{};

  EXPECT_EQ(memory.put(memory_target, 0, data, nullptr), StartOutcome::busy);
  EXPECT_EQ(memory.put(memory_target, 0, data, &done), StartOutcome::busy);
  EXPECT_EQ(memory.put_signal(memory_target, 0, data, {.op = AtomicOp::add}, &done),
            StartOutcome::busy);
  EXPECT_EQ(memory.get(memory_target, 0, destination, done), StartOutcome::busy);
  EXPECT_EQ(memory.atomic(memory_target, {.op = AtomicOp::add}, &done), StartOutcome::busy);

  EXPECT_TRUE(memory.is_flushed(memory_target));
  EXPECT_EQ(pending.waiting(), 0);
  EXPECT_EQ(done.calls(), 0);
  network.room = 9;
  EXPECT_EQ(memory.get(memory_target, 0, destination, done), StartOutcome::started);
}

TEST_F(MessageMemoryTest, Full_table_is_busy_too) {
  ASSERT_EQ(memory.put(memory_target, 0, data, &done), StartOutcome::started);
  ASSERT_EQ(memory.put(memory_target, 0, data, &done), StartOutcome::started);

  EXPECT_EQ(memory.put(memory_target, 0, data, &done), StartOutcome::busy);
  EXPECT_EQ(network.count(memory_owner, memory_target), 2U);
  // Those without a completion need no slot.
  EXPECT_EQ(memory.put(memory_target, 0, data, nullptr), StartOutcome::started);
}

TEST_F(MessageMemoryTest, Loss_fails_what_waits) {
  ASSERT_EQ(memory.put(memory_target, 0, data, &done), StartOutcome::started);
  ASSERT_EQ(memory.atomic(memory_target, {.op = AtomicOp::load}, &done), StartOutcome::started);

  memory.abandon(memory_target);

  EXPECT_EQ(done.failed, 2);
  EXPECT_EQ(done.lost, memory_target);
  pending.complete(next().header.token, {});
  EXPECT_EQ(done.calls(), 2);
}

// No thread fails them later: losses are noticed once.
TEST_F(MessageMemoryTest, What_begins_after_the_loss_fails_at_once) {
  std::array<std::byte, 3> destination{};
  memory.abandon(memory_target);

  EXPECT_EQ(memory.put(memory_target, 0, data, &done), StartOutcome::started);
  EXPECT_EQ(memory.put_signal(memory_target, 0, data, {.op = AtomicOp::add}, &done),
            StartOutcome::started);
  EXPECT_EQ(memory.get(memory_target, 0, destination, done), StartOutcome::started);
  EXPECT_EQ(memory.atomic(memory_target, {.op = AtomicOp::load}, &done), StartOutcome::started);

  EXPECT_EQ(done.failed, 4);
  EXPECT_EQ(done.lost, memory_target);
  EXPECT_EQ(pending.waiting(), 0);
  EXPECT_EQ(memory.put(memory_target, 0, data, nullptr), StartOutcome::started);
  EXPECT_EQ(network.count(memory_owner, memory_target), 0U);
  EXPECT_FALSE(memory.is_flushed(memory_target));  // who flushes it leaves by the loss
  // Others are as before.
  EXPECT_EQ(memory.put(memory_owner, 0, data, &done), StartOutcome::started);
  EXPECT_EQ(pending.waiting(), 1);
}

// A link while another thread polls, or none has memory.
class TroubledLink final : public Link {
 public:
  SendOutcome send(ImageId /*to*/, WireHeader const& /*header*/,
                   std::span<std::byte const> /*payload*/) override {
    trouble();
    return SendOutcome::busy;
  }
  int poll(MessageSink& /*sink*/) override { return 0; }
  std::int64_t payload_bytes_max() const override { return 1000; }
  bool is_drained() const override { return true; }
  int event_descriptor() const override { return -1; }
  bool arm() override { return false; }
  void abandon(ImageId /*image*/) override {}

  std::function<void()> trouble;
};

TEST_F(MessageMemoryTest, Operation_that_a_loss_ends_before_it_is_sent_does_not_begin_again) {
  TroubledLink troubled;
  MessageMemory lossy(memory_owner, 2, troubled, pending);
  troubled.trouble = [&] { lossy.abandon(memory_target); };

  EXPECT_EQ(lossy.put(memory_target, 0, data, &done), StartOutcome::started);

  EXPECT_EQ(done.failed, 1);
  EXPECT_EQ(done.calls(), 1);
  EXPECT_EQ(pending.waiting(), 0);
}

TEST_F(MessageMemoryTest, Request_without_memory_leaves_nothing_behind) {
  TroubledLink troubled;
  MessageMemory poor(memory_owner, 2, troubled, pending);
  troubled.trouble = [] { throw std::bad_alloc(); };

  EXPECT_THROW(static_cast<void>(poor.put(memory_target, 0, data, nullptr)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(poor.put(memory_target, 0, data, &done)), std::bad_alloc);

  EXPECT_TRUE(poor.is_flushed(memory_target));
  EXPECT_EQ(pending.waiting(), 0);
  EXPECT_EQ(done.calls(), 0);
}

TEST_F(MessageMemoryTest, Answers_to_words_are_words) {
  std::array<std::byte, 9> const longer{};
  ASSERT_EQ(memory.atomic(memory_target, {.op = AtomicOp::load}, &done), StartOutcome::started);

  EXPECT_THROW(pending.complete(next().header.token, longer), BadMessage);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: two channels carry out what they ask of each other, however little room there is between
// them; calls and answers find their way; lost images end what waits for them. Method: channels of
// a fake network in one thread, polled by hand.
#include "makespan/pgas/channel/channel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "fake_image.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/channel/call_intake.hpp"
#include "recorded_completion.hpp"

namespace makespan::pgas {
namespace {

constexpr ImageId here{0};
constexpr ImageId there{1};

class ChannelTest : public testing::Test {
 protected:
  // Polls both until nothing happens.
  void settle() {
    while (near.channel->poll() + far.channel->poll() > 0) {
    }
  }

  template <class Start>
  StartOutcome start(Start&& begin) {
    return near.channel->with_memory(std::forward<Start>(begin));
  }
  bool is_flushed() {
    return near.channel->with_memory([](RemoteMemory& memory) { return memory.is_flushed(there); });
  }

  fake::FakeNetwork network{2};
  fake::FakeImage near{network, here};
  fake::FakeImage far{network, there};
  fake::RecordedCompletion done;
};

std::span<std::byte const> bytes_of(std::uint64_t const& word) {
  return std::as_bytes(std::span(&word, 1));
}

TEST_F(ChannelTest, Put_is_seen_when_its_completion_is_called) {
  std::uint64_t const value = 42;

  ASSERT_EQ(
      start([&](RemoteMemory& memory) { return memory.put(there, 24, bytes_of(value), &done); }),
      StartOutcome::started);
  EXPECT_EQ(done.calls(), 0);
  settle();

  EXPECT_EQ(done.completed, 1);
  EXPECT_EQ(far.heap[3], 42U);
  EXPECT_EQ(near.heap[3], 0U);
}

// As another build, or a stranger at the port, would send it.
TEST_F(ChannelTest, Message_that_cannot_be_is_a_named_error) {
  auto const expect_refused = [&](WireHeader const& header, std::string const& text) {
    ASSERT_EQ(near.channel->send(there, header, {}), SendOutcome::sent);
    try {
      while (far.channel->poll() > 0) continue;
      ADD_FAILURE() << "it was taken: " << text;
    } catch (BadMessage const& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(text));
    }
  };

  expect_refused({.kind = WireKind::get, .source = 7}, "image 7");
  expect_refused({.kind = WireKind::get, .offset = 1 << 20, .operand = 8}, "a get of 8 bytes");
  expect_refused({.kind = WireKind::get, .operand = fake::FakeNetwork::payload_bytes_max + 1},
                 "a message holds 256");
  expect_refused({.kind = WireKind::rpc, .thread = 1}, "thread 1 of 1");
  expect_refused({.kind = WireKind::rpc, .token = {.slot = 0, .turn = 1, .channel = 60000}},
                 "channel 60000 of 1");
  expect_refused({.kind = WireKind::rpc, .source = 1}, "of this image itself");
  expect_refused({.kind = WireKind::reply, .token = {.slot = 0, .turn = 1, .channel = 4}},
                 "channel 4 of 1");
  expect_refused({.kind = WireKind::refusal, .token = {.slot = 800, .turn = 1}}, "operation 800");
  expect_refused({.kind = static_cast<WireKind>(99)}, "its kind is 99");
  settle();
}

TEST_F(ChannelTest, Get_reads) {
  far.heap[5] = 99;
  std::uint64_t value = 0;

  ASSERT_EQ(start([&](RemoteMemory& memory) {
              return memory.get(there, 40, std::as_writable_bytes(std::span(&value, 1)), done);
            }),
            StartOutcome::started);
  settle();

  EXPECT_EQ(done.completed, 1);
  EXPECT_EQ(value, 99U);
}

TEST_F(ChannelTest, Get_of_a_whole_message_reads) {
  for (std::size_t at = 0; at < far.heap.size(); ++at) far.heap[at] = at;
  std::vector<std::uint64_t> values(fake::FakeNetwork::payload_bytes_max / 8);

  ASSERT_EQ(start([&](RemoteMemory& memory) {
              return memory.get(there, 8, std::as_writable_bytes(std::span(values)), done);
            }),
            StartOutcome::started);
  settle();

  for (std::size_t at = 0; at < values.size(); ++at) EXPECT_EQ(values[at], at + 1);
}

TEST_F(ChannelTest, Atomic_answers_with_as_many_bytes_as_the_word_has) {
  far.heap[0] = 0xFFFF'FFFF'0000'0005U;

  for (std::uint8_t const width : {std::uint8_t{4}, std::uint8_t{8}}) {
    ASSERT_EQ(start([&](RemoteMemory& memory) {
                return memory.atomic(there, {.op = AtomicOp::add, .width = width, .operand = 1},
                                     &done);
              }),
              StartOutcome::started);
    settle();
    EXPECT_EQ(done.answer.size(), width);
  }

  EXPECT_EQ(done.word(), 0xFFFF'FFFF'0000'0006U);
  EXPECT_EQ(far.heap[0], 0xFFFF'FFFF'0000'0007U);
}

// Data over the word itself, too: in the other order the sum would be written over.
TEST_F(ChannelTest, Put_signal_puts_then_signals) {
  std::array<std::uint64_t, 2> const values{7, 5};

  ASSERT_EQ(start([&](RemoteMemory& memory) {
              return memory.put_signal(there, 0, std::as_bytes(std::span(values)),
                                       {.op = AtomicOp::add, .offset = 8, .operand = 3}, &done);
            }),
            StartOutcome::started);
  settle();

  EXPECT_EQ(far.heap[0], 7U);
  EXPECT_EQ(far.heap[1], 8U);
  EXPECT_EQ(done.completed, 1);
}

TEST_F(ChannelTest, Flush_is_over_when_everything_was_carried_out) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    ASSERT_EQ(start([&](RemoteMemory& memory) {
                return memory.atomic(there, {.op = AtomicOp::add, .operand = 1}, nullptr);
              }),
              StartOutcome::started);
  }
  EXPECT_FALSE(is_flushed());
  EXPECT_EQ(far.heap[0], 0U);
  settle();

  EXPECT_TRUE(is_flushed());
  EXPECT_EQ(far.heap[0], 20U);
  EXPECT_EQ(network.count(there, here), 0U);
}

TEST_F(ChannelTest, Flush_covers_what_has_a_completion) {
  std::uint64_t const value = 42;
  ASSERT_EQ(
      start([&](RemoteMemory& memory) { return memory.put(there, 0, bytes_of(value), &done); }),
      StartOutcome::started);
  EXPECT_FALSE(is_flushed());

  near.channel->with_memory([&](RemoteMemory& memory) { memory.forget(done); });
  EXPECT_FALSE(is_flushed());
  settle();

  EXPECT_TRUE(is_flushed());
  EXPECT_EQ(done.calls(), 0);
}

// Both ask for more than there is room for: answers wait in the send queues, and no thread blocks.
TEST_F(ChannelTest, Little_room_loses_nothing) {
  network.room = 1;
  std::vector<fake::RecordedCompletion> completions(60);
  std::size_t begun_near = 0;
  std::size_t begun_far = 0;
  auto const add = [&](fake::FakeImage& image, ImageId to, std::size_t& begun) {
    if (begun == 30) return;
    auto const outcome = image.channel->with_memory([&](RemoteMemory& memory) {
      Completion& waiter = completions[begun + (to == there ? 0 : 30)];
      return memory.atomic(to, {.op = AtomicOp::add, .operand = 1}, &waiter);
    });
    if (outcome == StartOutcome::started) ++begun;
  };

  for (int round = 0; round < 1000; ++round) {
    for (int burst = 0; burst < 3; ++burst) {
      add(near, there, begun_near);
      add(far, here, begun_far);
    }
    near.channel->poll();
    far.channel->poll();
  }

  EXPECT_EQ(near.heap[0], 30U);
  EXPECT_EQ(far.heap[0], 30U);
  for (auto const& completion : completions) EXPECT_EQ(completion.completed, 1);
  EXPECT_TRUE(near.channel->is_drained());
  EXPECT_TRUE(far.channel->is_drained());
}

// An image that puts for long and does not look: what it is owed does not pile up as messages.
TEST_F(ChannelTest, Acknowledgements_without_room_are_told_together_later) {
  constexpr std::uint64_t puts = 50;
  network.room = 1;
  std::uint64_t const value = 42;
  for (std::uint64_t round = 0; round < puts; ++round) {
    ASSERT_EQ(
        start([&](RemoteMemory& memory) { return memory.put(there, 0, bytes_of(value), nullptr); }),
        StartOutcome::started);
    far.channel->poll();
  }
  EXPECT_EQ(network.count(there, here), 1U);
  EXPECT_FALSE(far.channel->is_drained());
  EXPECT_FALSE(is_flushed());

  network.room = 1000;
  far.channel->poll();

  EXPECT_TRUE(far.channel->is_drained());
  ASSERT_EQ(network.count(there, here), 2U);
  EXPECT_EQ(network.way(there, here)[1].header.operand, puts - 1);
  settle();
  EXPECT_TRUE(is_flushed());
}

TEST_F(ChannelTest, Call_reaches_the_intake_and_its_result_the_caller) {
  ASSERT_TRUE(near.credits.take(0, there));
  auto const token = near.pending[0]->track(done, there);
  std::uint64_t const argument = 5;
  std::uint64_t const result = 6;
  ASSERT_EQ(
      near.channel->send(there, {.kind = WireKind::rpc, .source = 0, .token = *token, .offset = 77},
                         bytes_of(argument)),
      SendOutcome::sent);
  settle();

  ASSERT_EQ(far.calls.size(), 1U);
  EXPECT_EQ(far.calls[0].header.offset, 77U);
  EXPECT_EQ(far.calls[0].arguments.size(), 8U);
  EXPECT_EQ(done.calls(), 0);
  far.channel->answer(
      here, {.kind = WireKind::call_reply, .source = 1, .token = far.calls[0].header.token},
      bytes_of(result));
  settle();
  EXPECT_EQ(done.word(), 6U);
}

TEST_F(ChannelTest, Result_and_refusal_give_the_credit_back) {
  for (WireKind const kind : {WireKind::call_reply, WireKind::refusal}) {
    for (int credit = 0; credit < fake::FakeImage::calls_each; ++credit) {
      ASSERT_TRUE(near.credits.take(0, there));
    }
    auto const token = near.pending[0]->track(done, there);
    far.channel->answer(here, {.kind = kind, .source = 1, .token = *token}, {});
    settle();
    EXPECT_TRUE(near.credits.take(0, there));
    EXPECT_FALSE(near.credits.take(0, there));
    for (int credit = 0; credit < fake::FakeImage::calls_each; ++credit) {
      near.credits.give_back(0, there);
    }
  }
  EXPECT_EQ(done.completed, 1);
  EXPECT_EQ(done.refused, 1);
}

TEST_F(ChannelTest, Loss_fails_what_waits_and_drops_what_is_kept) {
  ASSERT_EQ(start([&](RemoteMemory& memory) {
              return memory.atomic(there, {.op = AtomicOp::load}, &done);
            }),
            StartOutcome::started);
  auto const call = near.pending[0]->track(done, there);
  ASSERT_TRUE(call);
  network.room = 0;
  near.channel->answer(there, {.kind = WireKind::call_reply}, {});
  EXPECT_FALSE(near.channel->is_drained());

  near.job.report_loss(there, "gone");
  near.channel->poll();

  EXPECT_EQ(done.failed, 2);
  EXPECT_TRUE(near.channel->is_drained());
  EXPECT_EQ(near.pending[0]->waiting(), 0);
  near.channel->poll();
  EXPECT_EQ(done.calls(), 2);  // each once
}

TEST_F(ChannelTest, What_is_sent_to_the_lost_is_forgotten) {
  near.job.report_loss(there, "gone");
  near.channel->poll();
  network.room = 0;

  EXPECT_EQ(start([&](RemoteMemory& memory) { return memory.put(there, 0, bytes_of(1), nullptr); }),
            StartOutcome::started);
  near.channel->answer(there, {.kind = WireKind::call_reply}, {});
  EXPECT_TRUE(near.channel->is_drained());
  // But for what is waited for.
  EXPECT_EQ(start([&](RemoteMemory& memory) { return memory.put(there, 0, bytes_of(1), &done); }),
            StartOutcome::started);
  EXPECT_EQ(done.failed, 1);
  EXPECT_EQ(near.pending[0]->waiting(), 0);
}

// The others are alive, and do not answer any more; it is this image that is named.
TEST_F(ChannelTest, What_waits_on_an_image_that_is_given_up_fails_by_its_own_loss) {
  auto const put = [&](fake::RecordedCompletion& completion) {
    return start(
        [&](RemoteMemory& memory) { return memory.put(there, 0, bytes_of(1), &completion); });
  };
  ASSERT_EQ(put(done), StartOutcome::started);
  near.job.report_loss(here, "given up by the others");

  near.channel->poll();

  EXPECT_EQ(done.failed, 1);
  EXPECT_EQ(done.lost, here);
  fake::RecordedCompletion later;
  ASSERT_EQ(put(later), StartOutcome::started);
  near.channel->poll();
  EXPECT_EQ(later.failed, 1);
  EXPECT_EQ(later.lost, here);
  EXPECT_EQ(near.pending[0]->waiting(), 0);
  EXPECT_TRUE(near.channel->is_drained()) << "nothing waits for others";
}

TEST_F(ChannelTest, Poll_of_others_leaves_a_locked_channel_alone) {
  int const before = network.polls;
  near.channel->with_memory([&](RemoteMemory&) {
    // As a thread that drives other channels would, from this one, which holds the lock.
    EXPECT_EQ(near.channel->try_poll(), 0);
    EXPECT_FALSE(near.channel->arm());
    return 0;
  });
  EXPECT_EQ(network.polls, before);
  near.channel->try_poll();
  EXPECT_EQ(network.polls, before + 1);
}

TEST_F(ChannelTest, Attendance_is_counted) {
  EXPECT_FALSE(near.channel->has_waiting_thread());
  near.channel->enter_wait();
  near.channel->enter_wait();
  near.channel->exit_wait();
  EXPECT_TRUE(near.channel->has_waiting_thread());
  near.channel->exit_wait();
  EXPECT_FALSE(near.channel->has_waiting_thread());
}

TEST_F(ChannelTest, Channel_without_events_cannot_be_armed) {
  EXPECT_FALSE(near.channel->has_events());
  EXPECT_FALSE(near.channel->arm());
}

TEST(ChannelEventsTest, Channel_is_armed_when_nothing_is_there) {
  fake::FakeNetwork network(2);
  fake::FakeImage near(network, here, fake::Events::some);
  fake::FakeImage far(network, there, fake::Events::some);
  EXPECT_TRUE(near.channel->has_events());
  EXPECT_EQ(near.channel->event_descriptors(), std::vector<int>{network.event(here)});
  EXPECT_TRUE(near.channel->arm());

  static_cast<void>(far.channel->send(here, {.kind = WireKind::ack, .source = 1}, {}));
  EXPECT_FALSE(near.channel->arm());
  near.channel->poll();
  EXPECT_TRUE(near.channel->arm());

  // Not while answers wait for room: nothing would wake who sends them.
  network.room = 0;
  near.channel->answer(there, {.kind = WireKind::call_reply}, {});
  EXPECT_FALSE(near.channel->arm());
  network.room = 1000;
  near.channel->poll();
  EXPECT_TRUE(near.channel->arm());
  static_cast<void>(far.channel->send(here, {.kind = WireKind::put, .source = 1}, {}));
  network.room = 0;
  near.channel->poll();  // an acknowledgement finds no room
  EXPECT_FALSE(near.channel->arm());
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a sender that dies between announcing a long message and sending it holds up no other
// sender, and nothing for ever; what is not as long as it says is refused. Method: the test plays
// the sender with bare MPI calls, and stops where it likes.
#include "makespan/pgas/transport/am/detail/mpi_am_receiver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "makespan/base/image_errors.hpp"
#include "transport_test.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t long_bytes = 50000;

class AmReceiverTest : public TransportTest {
 protected:
  // What the receivers of a test have left would come to the next user of the communicator's
  // number.
  ~AmReceiverTest() override { static_cast<void>(communicator.release()); }

  // Sends a frame as image `self` would, number by number.
  void send_frame(ImageId to, std::uint64_t operand, std::uint32_t payload_bytes = 0) {
    AmFrame const frame{
        .header = {.source = static_cast<std::int32_t>(self().value()), .operand = operand},
        .number = next_number_++,
        .payload_bytes = payload_bytes};
    frames_.push_back(frame);
    start(&frames_.back(), sizeof frame, to, am_frame_tag);
  }

  // To this image: a message of so many bytes, whose frame says so many of payload.
  void send_unlike(std::size_t bytes, std::uint32_t payload_bytes) {
    unlike_.push_back(AmShortMessage{.frame = {.payload_bytes = payload_bytes}, .payload = {}});
    start(&unlike_.back(), bytes, self(), am_frame_tag);
  }

  void send_payload(ImageId to, std::span<std::byte const> payload) {
    start(payload.data(), payload.size(), to, am_payload_tag);
  }

  void finish_sends() {
    EXPECT_EQ(
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        MPI_SUCCESS);
  }

  [[nodiscard]] bool receives(std::size_t count) {
    return wait_until([&] { return inbox.messages.size() >= count; },
                      [&] { receiver->poll(inbox); });
  }

  // What the receiver says of what has come; empty if it refuses nothing.
  [[nodiscard]] std::string refusal() {
    std::string said;
    static_cast<void>(wait_until([&] { return !said.empty() || !inbox.messages.empty(); },
                                 [&] {
                                   try {
                                     receiver->poll(inbox);
                                   } catch (BadMessage const& error) {
                                     said = error.what();
                                   }
                                 }));
    return said;
  }

  void poll_often() {
    for (int round = 0; round < 2000; ++round) receiver->poll(inbox);
  }

  MpiCommunicator communicator{job.duplicate_all()};
  std::unique_ptr<AmReceiver> receiver{
      std::make_unique<AmReceiver>(AmContext{.communicator = communicator.get(), .job = job})};
  Inbox inbox;

 private:
  void start(void const* data, std::size_t bytes, ImageId to, int tag) {
    requests_.push_back(MPI_REQUEST_NULL);
    ASSERT_EQ(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(to.value()), tag,
                        communicator.get(), &requests_.back()),
              MPI_SUCCESS);
  }

  std::uint32_t next_number_{0};
  std::deque<AmFrame> frames_;
  std::deque<AmShortMessage> unlike_;
  std::vector<MPI_Request> requests_;
};

TEST_F(AmReceiverTest, Short_messages_wait_for_a_long_one_before_them) {
  auto const payload = pattern(long_bytes, 3);
  send_frame(self(), 0, long_bytes);
  send_frame(self(), 1);
  poll_often();
  EXPECT_TRUE(inbox.messages.empty());

  send_payload(self(), payload);

  ASSERT_TRUE(receives(2));
  EXPECT_EQ(inbox.messages[0].header.operand, 0U);
  EXPECT_TRUE(inbox.messages[0].payload == payload);
  EXPECT_EQ(inbox.messages[1].header.operand, 1U);
  finish_sends();
}

// More than there are receives and places to wait: the rest stays in MPI.
TEST_F(AmReceiverTest, Many_messages_may_wait) {
  constexpr std::uint64_t messages = 500;
  auto const payload = pattern(long_bytes, 3);
  send_frame(self(), 0, long_bytes);
  for (std::uint64_t message = 1; message < messages; ++message) send_frame(self(), message);
  poll_often();
  EXPECT_TRUE(inbox.messages.empty());

  send_payload(self(), payload);

  ASSERT_TRUE(receives(messages));
  for (std::uint64_t message = 0; message < messages; ++message) {
    ASSERT_EQ(inbox.messages[message].header.operand, message);
  }
  finish_sends();
}

TEST_F(AmReceiverTest, Others_do_not_wait_for_a_sender_that_stopped_in_the_middle) {
  if (images() < 2) GTEST_SKIP() << "needs another image";
  bool const stops = self() == ImageId{0};
  send_frame(ImageId{1}, 0, stops ? long_bytes : 0);

  if (self() == ImageId{1}) {
    EXPECT_TRUE(receives(static_cast<std::size_t>(images()) - 1));
    poll_often();
    EXPECT_EQ(inbox.messages.size(), static_cast<std::size_t>(images()) - 1);
    EXPECT_TRUE(inbox.from(ImageId{0}).empty());
  }
  meet_all();
  finish_sends();
}

TEST_F(AmReceiverTest, Abandoned_sender_is_forgotten_in_the_middle) {
  send_frame(self(), 0, long_bytes);
  send_frame(self(), 1);
  poll_often();

  receiver->abandon(self());
  send_frame(self(), 2);
  poll_often();

  EXPECT_TRUE(inbox.messages.empty());
  receiver.reset();  // within its limit
  finish_sends();
}

TEST_F(AmReceiverTest, Receiver_goes_in_the_middle_of_a_message) {
  send_frame(self(), 0, long_bytes);
  poll_often();

  receiver.reset();

  finish_sends();
}

// Else the rest would be what the message before it left there.
TEST_F(AmReceiverTest, Message_shorter_than_its_frame_says_is_refused) {
  send_unlike(sizeof(AmFrame), 64);

  EXPECT_THAT(refusal(), HasSubstr("of 64 bytes, where its frame says 128, with 64 bytes"));
  EXPECT_TRUE(inbox.messages.empty());
  finish_sends();
}

TEST_F(AmReceiverTest, Message_longer_than_its_frame_says_is_refused) {
  send_unlike(sizeof(AmFrame) + 8, 0);

  EXPECT_THAT(refusal(), HasSubstr("of 72 bytes, where its frame says 64, with 0 bytes"));
  EXPECT_TRUE(inbox.messages.empty());
  finish_sends();
}

TEST_F(AmReceiverTest, Message_without_a_whole_frame_is_refused) {
  send_unlike(sizeof(AmFrame) - 1, 0);

  EXPECT_THAT(refusal(), HasSubstr("of 63 bytes, where its frame says 64"));
  EXPECT_TRUE(inbox.messages.empty());
  finish_sends();
}

TEST_F(AmReceiverTest, Announcement_of_more_than_a_message_holds_is_refused) {
  auto const most = AmOptions{}.message_bytes_max;
  send_frame(self(), 0, static_cast<std::uint32_t>(most + 1));

  EXPECT_THAT(refusal(), HasSubstr("with " + std::to_string(most + 1) + " bytes of payload, " +
                                   std::to_string(most) + " at most"));
  finish_sends();
}

// A sink that throws has had its message: what comes next is the next one.
TEST_F(AmReceiverTest, Message_is_delivered_once_though_the_sink_throws) {
  class Refusal final : public MessageSink {
   public:
    void deliver(WireHeader const& /*header*/, std::span<std::byte const> /*payload*/) override {
      throw std::runtime_error("refused");
    }
  };
  Refusal refusal;
  send_frame(self(), 0);
  send_frame(self(), 1);

  bool has_thrown = false;
  EXPECT_TRUE(wait_until([&] { return has_thrown; },
                         [&] {
                           try {
                             receiver->poll(refusal);
                           } catch (std::runtime_error const&) {
                             has_thrown = true;
                           }
                         }));

  ASSERT_TRUE(receives(1));
  EXPECT_EQ(inbox.messages[0].header.operand, 1U);
  finish_sends();
}

// What lies behind a payload that is shorter than its frame said was never written.
TEST_F(AmReceiverTest, Long_message_that_came_shorter_than_its_frame_said_is_refused) {
  auto const payload = pattern(100, 3);
  send_frame(self(), 0, long_bytes);
  send_frame(self(), 1);
  send_payload(self(), payload);

  std::string refusal;
  EXPECT_TRUE(wait_until([&] { return !refusal.empty(); },
                         [&] {
                           try {
                             receiver->poll(inbox);
                           } catch (BadMessage const& bad) {
                             refusal = bad.what();
                           }
                         }));

  EXPECT_NE(refusal.find("a payload of 100 bytes, where its frame says 50000"), std::string::npos)
      << refusal;
  poll_often();
  EXPECT_TRUE(inbox.messages.empty());
  finish_sends();
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: an answer that finds no room goes later, in order; images that have room do not wait for
// those that have none; nothing is kept for the lost. Method: links of a fake network with little
// room.
#include "makespan/pgas/channel/detail/send_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "fake_network.hpp"

namespace makespan::pgas {
namespace {

constexpr ImageId send_queue_owner{0};
constexpr ImageId slow{1};
constexpr ImageId quick{2};

class SendQueueTest : public testing::Test {
 protected:
  void send(ImageId to, std::uint64_t number) {
    std::array<std::byte, 2> payload{std::byte{7}, static_cast<std::byte>(number)};
    send_queue.send(to, {.operand = number}, payload);
    payload = {};  // what was kept is a copy
  }

  // The numbers under way to `to`, which arrive now.
  std::vector<std::uint64_t> received(ImageId to) {
    std::vector<std::uint64_t> numbers;
    for (fake::FakeMessage message; network.receive(send_queue_owner, to, message);) {
      EXPECT_EQ(message.payload[0], std::byte{7});
      EXPECT_EQ(message.payload[1], static_cast<std::byte>(message.header.operand));
      numbers.push_back(message.header.operand);
    }
    return numbers;
  }

  fake::FakeNetwork network{3};
  fake::FakeLink link{network, send_queue_owner};
  SendQueue send_queue{{&link, &link, &link}};
};

using Numbers = std::vector<std::uint64_t>;

TEST_F(SendQueueTest, Message_goes_at_once_where_there_is_room) {
  send(slow, 1);
  EXPECT_TRUE(send_queue.is_empty());
  EXPECT_EQ(received(slow), Numbers{1});
}

TEST_F(SendQueueTest, Messages_without_room_go_later_in_order) {
  network.room = 2;

  for (std::uint64_t number = 0; number < 5; ++number) send(slow, number);

  EXPECT_FALSE(send_queue.is_empty());
  EXPECT_EQ(send_queue.send_kept(), 0);
  EXPECT_EQ(received(slow), (Numbers{0, 1}));
  EXPECT_EQ(send_queue.send_kept(), 2);
  send(slow, 5);  // must not overtake the one that is still kept
  EXPECT_EQ(received(slow), (Numbers{2, 3}));
  EXPECT_EQ(send_queue.send_kept(), 2);
  EXPECT_TRUE(send_queue.is_empty());
  EXPECT_EQ(received(slow), (Numbers{4, 5}));
}

TEST_F(SendQueueTest, Image_without_room_holds_up_no_other) {
  network.room = 1;

  for (std::uint64_t number = 0; number < 3; ++number) send(slow, number);
  for (std::uint64_t number = 10; number < 12; ++number) send(quick, number);

  EXPECT_EQ(send_queue.send_kept(), 1);  // the first for `quick`; `slow` never makes room
  EXPECT_EQ(received(quick), Numbers{10});
  EXPECT_EQ(send_queue.send_kept(), 1);
  EXPECT_EQ(received(quick), Numbers{11});
  EXPECT_FALSE(send_queue.is_empty());
}

TEST_F(SendQueueTest, Nothing_is_kept_for_the_lost) {
  network.room = 0;
  send(slow, 1);
  send(quick, 2);

  send_queue.abandon(slow);
  network.room = 9;

  EXPECT_EQ(send_queue.send_kept(), 1);
  EXPECT_TRUE(received(slow).empty());
  EXPECT_EQ(received(quick), Numbers{2});
}

}  // namespace
}  // namespace makespan::pgas

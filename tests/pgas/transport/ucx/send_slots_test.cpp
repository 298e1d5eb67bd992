// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/send_slots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

constexpr std::size_t long_bytes = 100'000;

std::vector<std::byte> payload_of(std::size_t bytes) {
  return std::vector<std::byte>(bytes, std::byte{42});
}

// All that can be had at once.
std::vector<SendSlot*> acquire_all(SendSlots& slots, int target, std::size_t bytes) {
  std::vector<SendSlot*> all;
  while (SendSlot* const slot = slots.acquire(target, payload_of(bytes))) all.push_back(slot);
  return all;
}

TEST(SendSlotsTest, Slots_hold_copies) {
  SendSlots slots(long_bytes, nullptr);
  for (std::size_t const bytes : {std::size_t{0}, std::size_t{1}, SendSlots::small_bytes,
                                  SendSlots::small_bytes + 1, long_bytes}) {
    auto payload = payload_of(bytes);

    SendSlot* const slot = slots.acquire(3, payload);
    std::ranges::fill(payload, std::byte{0});

    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(slot->target, 3);
    EXPECT_TRUE(std::ranges::equal(slot->payload, payload_of(bytes)));
    slots.release(*slot);
  }
}

TEST(SendSlotsTest, Slots_have_a_limit_for_each_kind) {
  SendSlots slots(long_bytes, nullptr);

  EXPECT_EQ(std::ssize(acquire_all(slots, 0, 8)), SendSlots::small_slots);
  EXPECT_EQ(std::ssize(acquire_all(slots, 0, long_bytes)), SendSlots::large_slots(long_bytes));
}

TEST(SendSlotsTest, Slots_come_back) {
  SendSlots slots(long_bytes, nullptr);
  for (int round = 0; round < 3; ++round) {
    auto const all = acquire_all(slots, 0, 8);
    EXPECT_EQ(std::ssize(all), SendSlots::small_slots);
    EXPECT_FALSE(slots.is_idle());
    for (SendSlot* const slot : all) slots.release(*slot);
    EXPECT_TRUE(slots.is_idle());
  }
}

TEST(SendSlotsTest, Slots_know_their_sender) {
  int sender = 0;
  SendSlots slots(64, &sender);

  EXPECT_EQ(slots.acquire(0, {})->sender, &sender);
  EXPECT_EQ(slots.acquire(0, payload_of(64))->sender, &sender);
}

TEST(SendSlotsTest, Slots_written_off_are_replaced_and_no_longer_waited_for) {
  SendSlots slots(long_bytes, nullptr);
  SendSlot* const living = slots.acquire(1, payload_of(8));
  auto const small = acquire_all(slots, 2, 8);
  auto const large = acquire_all(slots, 2, long_bytes);

  slots.write_off(2);

  EXPECT_FALSE(slots.is_idle());
  slots.release(*living);
  EXPECT_TRUE(slots.is_idle());
  EXPECT_EQ(acquire_all(slots, 1, 8).size(), small.size() + 1);
  EXPECT_EQ(acquire_all(slots, 1, long_bytes).size(), large.size());
}

TEST(SendSlotsTest, Slots_written_off_may_still_come_back) {
  SendSlots slots(64, nullptr);
  auto const lost = acquire_all(slots, 2, 8);
  slots.write_off(2);

  for (SendSlot* const slot : lost) slots.release(*slot);

  EXPECT_TRUE(slots.is_idle());
  EXPECT_EQ(acquire_all(slots, 1, 8).size(), 2 * lost.size());
}

TEST(SendSlotsTest, Slots_are_released_once) {
  SendSlots slots(64, nullptr);
  SendSlot* const slot = slots.acquire(0, {});
  slots.release(*slot);

  EXPECT_THROW(slots.release(*slot), ContractViolated);
}

// The longest messages get few slots, but more than one.
TEST(SendSlotsTest, Slots_for_long_messages_are_bounded_in_bytes) {
  EXPECT_EQ(SendSlots::large_slots(SendSlots::small_bytes), 0);
  EXPECT_EQ(SendSlots::large_slots(std::size_t{64} << 10), 16);
  EXPECT_EQ(SendSlots::large_slots(std::size_t{16} << 20), 4);
}

}  // namespace
}  // namespace makespan::pgas

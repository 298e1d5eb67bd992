// SPDX-License-Identifier: Apache-2.0
// Goal: a bell that was rung makes its descriptor readable until it is silenced, and ringing never
// blocks. Method: poll(2) with no time to wait.
#include "makespan/pgas/transport/shm/detail/doorbell.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace makespan::pgas {
namespace {

bool has_rung(Doorbell const& bell) {
  pollfd descriptor{.fd = bell.descriptor(), .events = POLLIN, .revents = 0};
  return ::poll(&descriptor, 1, 0) == 1;
}

TEST(Doorbell, can_be_heard_until_it_is_silenced) {
  Doorbell const one;
  Doorbell const other;
  EXPECT_FALSE(has_rung(one));

  EXPECT_TRUE(other.ring(one.address()));
  EXPECT_TRUE(has_rung(one));
  EXPECT_FALSE(has_rung(other));

  one.silence();
  EXPECT_FALSE(has_rung(one));
}

TEST(Doorbell, never_blocks_when_no_process_listens) {
  Doorbell const one;
  Doorbell const other;
  for (int times = 0; times < 2000; ++times) EXPECT_TRUE(other.ring(one.address()));

  EXPECT_TRUE(has_rung(one));
  while (has_rung(one)) one.silence();
}

TEST(Doorbell, is_found_by_the_bytes_of_its_address) {
  Doorbell const one;
  std::span<std::byte const> const bytes = one.address().bytes();
  auto const copy = DoorbellAddress::from_bytes(std::vector(bytes.begin(), bytes.end()));
  ASSERT_TRUE(copy.has_value());

  EXPECT_TRUE(std::ranges::equal(copy->bytes(), bytes));
  EXPECT_TRUE(Doorbell::can_reach(*copy));
  EXPECT_TRUE(one.ring(*copy));
  EXPECT_TRUE(has_rung(one));
}

TEST(Doorbell, says_that_the_process_has_ended) {
  Doorbell const one;
  std::optional<Doorbell> gone(std::in_place);
  DoorbellAddress const address = gone->address();
  gone.reset();

  EXPECT_FALSE(one.ring(address));
  EXPECT_FALSE(Doorbell::can_reach(address));
}

TEST(DoorbellAddress, is_not_made_of_anything) {
  EXPECT_FALSE(DoorbellAddress::from_bytes({}).has_value());
  EXPECT_FALSE(DoorbellAddress::from_bytes(std::vector<std::byte>(2)).has_value());
  EXPECT_FALSE(DoorbellAddress::from_bytes(std::vector<std::byte>(1000)).has_value());
}

}  // namespace
}  // namespace makespan::pgas

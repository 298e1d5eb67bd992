// SPDX-License-Identifier: Apache-2.0
// Goal: each request is acknowledged once, to the image that sent it, many at a time.
#include "makespan/pgas/channel/detail/acknowledgements.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

namespace makespan::pgas {
namespace {

std::map<std::int64_t, std::uint64_t> told(Acknowledgements& owed) {
  std::map<std::int64_t, std::uint64_t> counts;
  owed.tell_all([&](ImageId source, std::uint64_t count) {
    EXPECT_TRUE(counts.emplace(source.value(), count).second) << "told twice";
  });
  return counts;
}

TEST(AcknowledgementsTest, Nothing_is_owed_at_first) {
  Acknowledgements owed(3);
  EXPECT_TRUE(told(owed).empty());
}

TEST(AcknowledgementsTest, Requests_of_a_round_are_told_together) {
  Acknowledgements owed(3);

  for (int image : {2, 0, 2, 2, 0}) owed.note(ImageId{image});

  EXPECT_EQ(told(owed), (std::map<std::int64_t, std::uint64_t>{{0, 2}, {2, 3}}));
  EXPECT_TRUE(told(owed).empty());
  owed.note(ImageId{1});
  EXPECT_EQ(told(owed), (std::map<std::int64_t, std::uint64_t>{{1, 1}}));
}

TEST(AcknowledgementsTest, None_is_lost_between_threads) {
  constexpr int each = 5000;
  Acknowledgements owed(2);
  std::atomic<bool> ends{false};
  std::uint64_t total = 0;

  std::jthread teller([&] {
    while (!ends) owed.tell_all([&](ImageId, std::uint64_t count) { total += count; });
  });
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 2; ++thread) {
      threads.emplace_back([&owed, thread] {
        for (int round = 0; round < each; ++round) owed.note(ImageId{thread});
      });
    }
  }
  ends = true;
  teller.join();
  owed.tell_all([&](ImageId, std::uint64_t count) { total += count; });

  EXPECT_EQ(total, 2U * each);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: each request is acknowledged once, to the image that sent it, many at a time.
#include "makespan/pgas/channel/detail/acknowledgements.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

namespace makespan::pgas {
namespace {

std::map<std::int64_t, std::uint64_t> told(Acknowledgements& owed) {
  std::map<std::int64_t, std::uint64_t> counts;
  owed.tell_all([&](ImageId source, std::uint64_t count) {
    EXPECT_TRUE(counts.emplace(source.value(), count).second) << "told twice";
    return true;
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

TEST(AcknowledgementsTest, What_finds_no_room_stays_owed) {
  Acknowledgements owed(3);
  for (int image : {2, 0, 1, 2}) owed.note(ImageId{image});
  EXPECT_TRUE(owed.is_owing());

  owed.tell_all([](ImageId source, std::uint64_t) { return source == ImageId{0}; });

  EXPECT_TRUE(owed.is_owing());
  owed.note(ImageId{2});
  EXPECT_EQ(told(owed), (std::map<std::int64_t, std::uint64_t>{{1, 1}, {2, 3}}));
  EXPECT_FALSE(owed.is_owing());
}

// As when a link fails: those after it are told next time, and no image twice.
TEST(AcknowledgementsTest, Throw_loses_none) {
  Acknowledgements owed(4);
  for (int image : {3, 2, 1, 0}) owed.note(ImageId{image});

  EXPECT_THROW(owed.tell_all([](ImageId source, std::uint64_t) -> bool {
    if (source == ImageId{1}) throw std::runtime_error("no link");
    return source == ImageId{3};
  }),
               std::runtime_error);

  EXPECT_EQ(told(owed), (std::map<std::int64_t, std::uint64_t>{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(AcknowledgementsTest, None_is_lost_between_threads) {
  constexpr int each = 5000;
  Acknowledgements owed(2);
  std::atomic<bool> ends{false};
  std::uint64_t total = 0;
  auto const add = [&](ImageId, std::uint64_t count) {
    total += count;
    return true;
  };

  std::jthread teller([&] {
    while (!ends) owed.tell_all(add);
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
  owed.tell_all(add);

  EXPECT_EQ(total, 2U * each);
}

}  // namespace
}  // namespace makespan::pgas

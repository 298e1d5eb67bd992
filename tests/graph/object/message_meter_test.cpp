// SPDX-License-Identifier: Apache-2.0
// Goal: what messages cost is found by sending some, between threads of an image and of several,
// over every transport. Method: pairs of places; figures are held against each other, not against a
// clock's, since these machines are noisy.
#include "makespan/graph/object/detail/message_meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/detail/probe_samples.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(MessageMeter, measures_every_pair) {
  pgas::Runtime runtime({.threads = 2, .heap_bytes = 1 << 20});
  int const places = 2 * runtime.images();
  std::vector<ThreadPair> pairs{{0, 1}, {1, 0}};
  if (places > 2) pairs.push_back({.from = 0, .to = places - 1});

  std::vector<MessageCost> const costs = metered_all(runtime, {-1, -1}, pairs, Seconds{30.0});
  runtime.finish_all();

  ASSERT_EQ(costs.size(), pairs.size());
  for (MessageCost const& cost : costs) {
    EXPECT_TRUE(cost.is_known());
    EXPECT_GT(cost.send_s, 0.0);
    EXPECT_GT(cost.receive_s, 0.0);
    EXPECT_GT(cost.byte_s, 0.0);
    // One alone takes longer than each of many under way takes of its receiver.
    EXPECT_LT(cost.receive_s, cost.latency_s);
    // No memory of this world brings a terabyte a second, and none takes a second for a megabyte.
    EXPECT_LT(cost.byte_s, 1e-6);
  }
}

// On hosts whose links have this rate (tests/graph/object/CMakeLists.txt).
TEST(MessageMeter, knows_the_rate_of_a_slow_link) {
  char const* const rate = std::getenv("MAKESPAN_TEST_LINK_BYTES_S");
  if (rate == nullptr) GTEST_SKIP() << "no link of a known rate";
  pgas::Runtime runtime({.threads = 1, .heap_bytes = 1 << 20});
  std::vector<ThreadPair> const pairs{{0, 1}};

  std::vector<MessageCost> const costs = metered_all(runtime, {-1}, pairs, Seconds{1.0});
  runtime.finish_all();

  ASSERT_TRUE(costs.at(0).is_known());
  double const bytes_s = 1.0 / costs[0].byte_s;
  EXPECT_GT(bytes_s, 0.75 * std::stod(rate));  // frames have headers, and there are other programs
  EXPECT_LT(bytes_s, 1.1 * std::stod(rate));
}

TEST(MessageMeter, knows_nothing_of_a_pair_that_there_was_no_time_for) {
  pgas::Runtime runtime({.threads = 2, .heap_bytes = 1 << 20});
  std::vector<ThreadPair> const pairs{{0, 1}, {1, 0}};

  std::vector<MessageCost> const costs = metered_all(runtime, {-1, -1}, pairs, Seconds{1e-9});
  runtime.finish_all();

  ASSERT_EQ(costs.size(), pairs.size());
  EXPECT_TRUE(costs[0].is_known());  // it was under way
  EXPECT_FALSE(costs[1].is_known());
}

TEST(MessageMeter, measures_no_pairs) {
  pgas::Runtime runtime({.threads = 2, .heap_bytes = 1 << 20});
  EXPECT_TRUE(metered_all(runtime, {-1, -1}, {}, Seconds{1.0}).empty());
  runtime.finish_all();
}

// Pairs come in messages.
TEST(ProbeSamples, has_none_of_a_pair_that_is_not_measured) {
  ProbeSamples samples({false, true, false});
  for (std::int32_t const pair : {-1, 3, 2'000'000'000}) {
    EXPECT_THAT([&] { static_cast<void>(samples.of(pair)); },
                ThrowsMessage<InputError>(HasSubstr("(3 pairs are measured)")));
    EXPECT_THROW(static_cast<void>(samples.is_between_hosts(pair)), InputError);
  }
  EXPECT_TRUE(samples.of(2).large_s.empty());
  EXPECT_TRUE(samples.is_between_hosts(1));
}

TEST(ProbeSamples, has_no_time_of_what_has_not_begun) {
  ProbeSamples samples({false, true});
  EXPECT_THROW(static_cast<void>(samples.begun()), InputError);
  EXPECT_THROW(static_cast<void>(samples.since_begin_s(0)), InputError);
  samples.begin = this_moment();
  EXPECT_GE(samples.since_begin_s(1), 0.0);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: counts of an image are the sums of its places'. Method: by hand.
#include "makespan/graph/protocol/image_state.hpp"

#include <gtest/gtest.h>

namespace makespan::graph {
namespace {

TEST(ImageState, sums_the_counts_of_its_places) {
  ImageState const state{.is_idle = true,
                         .places = {{.counts = {.sent = 1, .processed = 2, .kept = 3}},
                                    {.counts = {.sent = 10, .processed = 20, .kept = 30}}}};

  EXPECT_EQ(state.counts(), (MessageCounts{.sent = 11, .processed = 22, .kept = 33}));
  EXPECT_EQ(ImageState{}.counts(), MessageCounts{});
}

TEST(MessageCounts, are_open_but_for_what_is_processed_or_kept) {
  EXPECT_EQ((MessageCounts{.sent = 7, .processed = 4, .kept = 2}).open(), 1);
}

}  // namespace
}  // namespace makespan::graph

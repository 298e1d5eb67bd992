// SPDX-License-Identifier: Apache-2.0
// Goal: a header is as small as it looks, and says nothing by default.
#include "makespan/pgas/message/wire.hpp"

#include <gtest/gtest.h>

namespace makespan::pgas {
namespace {

TEST(WireTest, Header_leaves_room_for_a_commit_word_in_a_cache_line) {
  EXPECT_LE(sizeof(WireHeader), 56U);
}

TEST(WireTest, Token_without_a_turn_is_not_tracked) {
  EXPECT_FALSE(WireToken{}.is_tracked());
  EXPECT_FALSE((WireToken{.slot = 3, .turn = 0, .channel = 1}.is_tracked()));
  EXPECT_TRUE((WireToken{.slot = 0, .turn = 1, .channel = 0}.is_tracked()));
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a result of another length than was asked for never reaches the caller's memory. Method:
// the test hands over what another image would have sent.
#include "makespan/capi/detail/call_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace makespan::capi {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class CallResult : public testing::Test {
 protected:
  // Room for four bytes, behind which there are others.
  std::array<std::byte, 8> memory_{};
  makespan_remote_call call_{.image = 3,
                             .thread = 0,
                             .name = nullptr,
                             .arguments = nullptr,
                             .bytes = 0,
                             .result = memory_.data(),
                             .result_bytes = 4};
};

TEST_F(CallResult, comes_to_where_the_caller_wants_it) {
  constexpr std::byte one{1};

  take_result(call_, std::vector<std::byte>(4, one));

  constexpr std::byte none{0};
  EXPECT_THAT(memory_, ElementsAre(one, one, one, one, none, none, none, none));
}

TEST_F(CallResult, is_refused_where_it_is_longer_or_shorter) {
  for (std::size_t const bytes : {std::size_t{0}, std::size_t{3}, std::size_t{5}}) {
    EXPECT_THAT([&] { take_result(call_, std::vector<std::byte>(bytes, std::byte{1})); },
                ThrowsMessage<BadMessage>(HasSubstr("a result of " + std::to_string(bytes) +
                                                    " bytes, 4 were asked for")));
  }
  EXPECT_THAT(memory_, Each(std::byte{0}));
}

TEST_F(CallResult, may_be_none) {
  call_.result = nullptr;
  call_.result_bytes = 0;

  EXPECT_NO_THROW(take_result(call_, {}));
}

}  // namespace
}  // namespace makespan::capi

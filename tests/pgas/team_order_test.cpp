// SPDX-License-Identifier: Apache-2.0
// Goal: orders arrive whole, whenever they are given, and what has no length of one is refused by
// name. Method: a length that image 0 broadcasts by itself.
#include "makespan/pgas/team_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <thread>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class TeamOrderTest : public SharedRuntimeTest {
 protected:
  [[nodiscard]] bool gives() { return team().rank() == 0; }
};

TEST_F(TeamOrderTest, arrives_whole) {
  for (std::size_t const size : {std::size_t{1}, std::size_t{0}, 2 * Team::copied_bytes_max}) {
    std::vector<std::byte> const order(size, std::byte{7});
    if (gives()) {
      send_order_all(team(), order);
    } else {
      EXPECT_EQ(await_order_all(team()), order);
    }
  }
}

TEST_F(TeamOrderTest, is_refused_where_none_is_so_long) {
  for (std::ptrdiff_t const size :
       {std::ptrdiff_t{-1}, std::numeric_limits<std::ptrdiff_t>::min(),
        std::numeric_limits<std::ptrdiff_t>::max(), std::ptrdiff_t{order_bytes_max} + 1}) {
    if (gives()) {
      static_cast<void>(team().broadcast_all(size, 0));
    } else {
      EXPECT_THAT([&] { static_cast<void>(await_order_all(team())); },
                  ThrowsMessage<BadMessage>(
                      HasSubstr("image 0 that cannot be (an order of " + std::to_string(size))));
    }
  }
}

TEST_F(TeamOrderTest, that_is_too_long_is_not_given) {
  if (gives()) {
    std::vector<std::byte> order(static_cast<std::size_t>(order_bytes_max) + 1);
    EXPECT_THAT([&] { send_order_all(team(), std::move(order)); },
                ThrowsMessage<InputError>(HasSubstr("an order of 268435457 bytes")));
    send_order_all(team(), {std::byte{1}});
  } else {
    EXPECT_EQ(await_order_all(team()).size(), 1U) << "what was refused was not heard";
  }
}

// Image 0 does other things for longer than a wait may last.
TEST(PatientTeamOrder, is_waited_for_as_long_as_image_0_lives) {
  ScopedVariable const limit("MAKESPAN_WAIT_LIMIT_S", "2");
  Runtime runtime({.threads = 1, .heap_bytes = 1 << 20});
  if (runtime.team().rank() == 0) {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    send_order_all(runtime.team(), {std::byte{1}});
  } else {
    EXPECT_NO_THROW(static_cast<void>(await_order_all(runtime.team())));
  }
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: an image keeps as many calls as it has told the others, and one that sends more is named.
// Method: the test hands over what a channel would.
#include "makespan/pgas/fabric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "makespan/base/image_errors.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(FabricTest, Calls_beyond_the_credits_are_refused) {
  RuntimeOptions options = small_options();
  options.threads = 1;
  options.calls_kept_max = 8;
  Fabric fabric(options);
  auto const sender = static_cast<std::int32_t>(fabric.job().image().value());
  int const images = fabric.job().images();
  int const kept = std::max(1, options.calls_kept_max / images) * images;
  for (int call = 0; call < kept; ++call) fabric.accept({.source = sender}, {});

  EXPECT_THAT([&] { fabric.accept({.source = sender}, {}); },
              ThrowsMessage<BadMessage>(HasSubstr("more calls than it may send")));

  // Those before it are there, and with each that is taken out there is room for another.
  Victims victims(0, 1, 1);
  for (int call = 0; call < kept; ++call) {
    Task* const waiting = fabric.find_call(0, victims);
    ASSERT_NE(waiting, nullptr);
    fabric.release(*waiting);
  }
  EXPECT_EQ(fabric.find_call(0, victims), nullptr);
  EXPECT_NO_THROW(fabric.accept({.source = sender}, {}));
  fabric.close_all(true);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: buffers are long enough, and used again.
#include "makespan/pgas/transport/am/am_buffer.hpp"

#include <gtest/gtest.h>

namespace makespan::pgas {
namespace {

TEST(AmBufferPool, Buffer_is_long_enough) {
  AmBufferPool pool;

  for (std::size_t const bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{100001}}) {
    AmBuffer const buffer = pool.take(bytes);

    EXPECT_GE(buffer.capacity, bytes);
    EXPECT_NE(buffer.data, nullptr);
  }
}

TEST(AmBufferPool, Buffer_that_was_given_back_is_used_again) {
  AmBufferPool pool;
  AmBuffer first = pool.take(5000);
  std::byte const* const data = first.data.get();
  pool.give_back(std::move(first));

  AmBuffer const second = pool.take(4000);
  AmBuffer const third = pool.take(4000);

  EXPECT_EQ(second.data.get(), data);
  EXPECT_NE(third.data.get(), data);
}

TEST(AmBufferPool, Buffer_that_is_too_short_grows) {
  AmBufferPool pool;
  pool.give_back(pool.take(5000));

  AmBuffer const longer = pool.take(50000);

  EXPECT_GE(longer.capacity, 50000U);
}

TEST(AmBufferPool, Nothing_given_back_is_nothing_kept) {
  AmBufferPool pool;
  pool.give_back({});

  EXPECT_NE(pool.take(1).data, nullptr);
}

}  // namespace
}  // namespace makespan::pgas

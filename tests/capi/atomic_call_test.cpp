// SPDX-License-Identifier: Apache-2.0
// Goal: every atomic on both widths does what its name says and gives the value before; events and
// meetings wait for as many posts as they should. Method: first alone on a word of its own, where
// the result is known, then all images on one word.
#include "makespan/capi/detail/atomic_call.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "c_job.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {
namespace {

using Atomics = CJob;
using Events = CJob;

struct Step {
  makespan_atomic_op op;
  std::int64_t operand;
  std::int64_t expected;
  std::int64_t after;
};

// Words of all signs; each step begins with what the one before left.
constexpr Step steps[] = {
    {MAKESPAN_LOAD, 99, 0, 0},         {MAKESPAN_STORE, -7, 0, -7},
    {MAKESPAN_ADD, 19, 0, 12},         {MAKESPAN_ADD, -14, 0, -2},
    {MAKESPAN_AND, 0b1111, 0, 0b1110}, {MAKESPAN_OR, 0b10001, 0, 0b11111},
    {MAKESPAN_XOR, 0b101, 0, 0b11010}, {MAKESPAN_SWAP, -1, 0, -1},
    {MAKESPAN_COMPARE_SWAP, 5, 4, -1}, {MAKESPAN_COMPARE_SWAP, 5, -1, 5},
};

template <class T>
class Widths : public CJob {
 protected:
  [[nodiscard]] makespan_atomic atomic(std::int64_t offset, Step const& step) const {
    return {.at = {.offset = offset, .image = next()},
            .op = step.op,
            .bytes = sizeof(T),
            .operand = step.operand,
            .expected = step.expected};
  }
  [[nodiscard]] T value_of(std::int64_t offset) {
    T value = 0;
    makespan_atomic const load = atomic(offset, {MAKESPAN_LOAD, 0, 0, 0});
    EXPECT_OK(makespan_fetch(here_, &load, &value));
    return value;
  }
};
using WidthTypes = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Widths, WidthTypes);

TYPED_TEST(Widths, fetch_gives_the_value_before) {
  // The neighbours of the word must stay as they are.
  std::int64_t const offset =
      this->allocate(3 * sizeof(TypeParam)) + std::int64_t{sizeof(TypeParam)};
  std::int64_t before = 0;
  for (Step const& step : steps) {
    makespan_atomic const atomic = this->atomic(offset, step);
    TypeParam old = 123;
    ASSERT_OK(makespan_fetch(this->here_, &atomic, &old));
    EXPECT_EQ(before, old);
    EXPECT_EQ(step.after, this->value_of(offset));
    before = step.after;
  }
  EXPECT_EQ(0, this->value_of(offset - std::int64_t{sizeof(TypeParam)}));
  EXPECT_EQ(0, this->value_of(offset + std::int64_t{sizeof(TypeParam)}));
}

TYPED_TEST(Widths, update_is_over_after_a_flush) {
  std::int64_t const offset = this->allocate(sizeof(TypeParam));
  for (Step const& step : steps) {
    if (step.op == MAKESPAN_LOAD) continue;
    makespan_atomic const atomic = this->atomic(offset, step);
    ASSERT_OK(makespan_update(this->here_, &atomic));
    ASSERT_OK(makespan_flush(this->here_, this->next()));
    EXPECT_EQ(step.after, this->value_of(offset));
  }
}

TYPED_TEST(Widths, fetch_async_writes_when_its_request_is_done) {
  std::int64_t const offset = this->allocate(sizeof(TypeParam));
  std::int64_t before = 0;
  for (Step const& step : steps) {
    makespan_atomic const atomic = this->atomic(offset, step);
    TypeParam old = 123;
    makespan_request* request = nullptr;
    ASSERT_OK(makespan_fetch_async(this->here_, &atomic, &old, &request));
    ASSERT_OK(makespan_request_wait(&request));
    EXPECT_EQ(before, old);
    before = step.after;
  }
}

TYPED_TEST(Widths, wrap_around) {
  std::int64_t const offset = this->allocate(sizeof(TypeParam));
  constexpr auto most = std::numeric_limits<TypeParam>::max();
  makespan_atomic const store = this->atomic(offset, {MAKESPAN_STORE, most, 0, 0});
  makespan_atomic const add = this->atomic(offset, {MAKESPAN_ADD, 1, 0, 0});
  ASSERT_OK(makespan_update(this->here_, &store));
  ASSERT_OK(makespan_flush(this->here_, this->next()));
  ASSERT_OK(makespan_update(this->here_, &add));
  ASSERT_OK(makespan_flush(this->here_, this->next()));
  EXPECT_EQ(std::numeric_limits<TypeParam>::min(), this->value_of(offset));
}

TEST_F(Atomics, of_all_images_on_one_word_lose_nothing) {
  constexpr std::int64_t each = 500;
  std::int64_t const counter = allocate(8);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < each; ++i) {
    std::int64_t old = -1;
    ASSERT_OK(makespan_fetch_add(here_, {counter, images_ - 1}, 1, &old));
    sum += old;
  }
  makespan_reduction const one{1, MAKESPAN_INT64, MAKESPAN_SUM};
  ASSERT_OK(makespan_reduce_all(team_, &one, &sum, &sum, MAKESPAN_ALL_RANKS));
  // Every number from 0 was given once.
  std::int64_t const total = each * images_;
  EXPECT_EQ(total * (total - 1) / 2, sum);
  std::int64_t last = -1;
  ASSERT_OK(makespan_fetch_add(here_, {counter, images_ - 1}, 0, &last));
  EXPECT_EQ(total, last);
}

TEST_F(Atomics, that_cannot_be_are_refused) {
  std::int64_t old = 5;
  makespan_atomic atomic{.at = {8, 0}, .op = 8, .bytes = 8, .operand = 1, .expected = 0};
  EXPECT_REFUSED(makespan_fetch(here_, &atomic, &old), "op 8");
  EXPECT_REFUSED(makespan_update(here_, &atomic), "op 8");
  atomic.op = MAKESPAN_ADD;
  atomic.bytes = 2;
  EXPECT_REFUSED(makespan_fetch(here_, &atomic, &old), "2 bytes");
  atomic.bytes = 8;
  atomic.at.offset = 4;
  EXPECT_REFUSED(makespan_fetch(here_, &atomic, &old), "offset 4");
  atomic.at = {0, images_};
  EXPECT_REFUSED(makespan_fetch(here_, &atomic, &old), "makespan_fetch");
  atomic.at = {1 << 20, 0};
  EXPECT_REFUSED(makespan_fetch(here_, &atomic, &old), "past the heap");
  atomic.at = {8, 0};
  EXPECT_REFUSED(makespan_fetch(here_, &atomic, nullptr), "old is a null pointer");
  EXPECT_REFUSED(makespan_fetch(here_, nullptr, &old), "atomic is a null pointer");
  atomic.op = MAKESPAN_LOAD;
  EXPECT_REFUSED(makespan_update(here_, &atomic), "MAKESPAN_LOAD");
  EXPECT_REFUSED(makespan_fetch_add(here_, {4, 0}, 1, &old), "offset 4");
  EXPECT_REFUSED(makespan_fetch_add(here_, {0, -1}, 1, &old), "image -1");
  EXPECT_EQ(5, old);
}

TEST_F(Events, wait_for_as_many_posts_as_asked) {
  std::int64_t const event = allocate(8);
  // Each image posts twice to every image, itself too.
  for (int round = 0; round < 2; ++round) {
    for (std::int32_t image = 0; image < images_; ++image) {
      ASSERT_OK(makespan_event_post(here_, {event, image}));
    }
  }
  ASSERT_OK(makespan_event_wait(here_, {event, image_}, 2 * images_ - 1));
  ASSERT_OK(makespan_event_wait(here_, {event, image_}, 1));
  meet();
  std::int64_t posts = -1;
  ASSERT_OK(makespan_event_query(here_, {event, image_}, &posts));
  EXPECT_EQ(0, posts);
  meet();
  ASSERT_OK(makespan_event_post(here_, {event, next()}));
  meet();
  ASSERT_OK(makespan_event_query(here_, {event, image_}, &posts));
  EXPECT_EQ(1, posts);
}

TEST_F(Events, carry_what_was_put_before) {
  std::int64_t const event = allocate(8);
  std::int64_t const data = allocate(8);
  for (std::int64_t round = 1; round <= 50; ++round) {
    std::int64_t const value = round * 100 + image_;
    ASSERT_OK(makespan_put(here_, {data, next()}, &value, 8));
    ASSERT_OK(makespan_flush(here_, next()));
    ASSERT_OK(makespan_event_post(here_, {event, next()}));
    ASSERT_OK(makespan_event_wait(here_, {event, image_}, 1));
    EXPECT_EQ(round * 100 + previous(), *local<std::int64_t>(data, 1));
    ASSERT_OK(makespan_barrier_all(team_));
  }
}

TEST_F(Events, of_others_are_not_waited_for) {
  std::int64_t const event = allocate(8);
  std::int64_t posts = -1;
  if (images_ > 1) {
    EXPECT_REFUSED(makespan_event_wait(here_, {event, next()}, 1), "owner");
    EXPECT_REFUSED(makespan_event_query(here_, {event, next()}, &posts), "owner");
  }
  EXPECT_REFUSED(makespan_event_wait(here_, {event, image_}, 0), "0 posts");
  EXPECT_REFUSED(makespan_event_post(here_, {event, images_}), "makespan_event_post");
  EXPECT_EQ(-1, posts);
}

TEST_F(Events, meetings_are_between_pairs) {
  std::int64_t const data = allocate(8 * images_);
  // A chain: each image waits for the one before it, and lets the next one go.
  for (std::int64_t round = 1; round <= 20; ++round) {
    if (image_ > 0) {
      std::int32_t const before = image_ - 1;
      ASSERT_OK(makespan_sync_images(here_, &before, 1));
      // The one before may be a round ahead.
      EXPECT_LE(round, local<std::int64_t>(data, images_)[before]);
    }
    if (image_ + 1 < images_) {
      ASSERT_OK(makespan_put(here_, {data + 8 * image_, next()}, &round, 8));
      std::int32_t const after = image_ + 1;
      ASSERT_OK(makespan_sync_images(here_, &after, 1));
    }
  }
  // With all images, itself included: as a barrier.
  std::vector<std::int32_t> all(static_cast<std::size_t>(images_));
  for (std::int32_t image = 0; image < images_; ++image)
    all[static_cast<std::size_t>(image)] = image;
  ASSERT_OK(makespan_sync_images(here_, all.data(), images_));
  ASSERT_OK(makespan_sync_images(here_, nullptr, 0));
  std::int32_t const twice[] = {0, 0};
  EXPECT_REFUSED(makespan_sync_images(here_, twice, 2), "image 0 twice");
  EXPECT_REFUSED(makespan_sync_images(here_, &images_, 1), "makespan_sync_images");
}

}  // namespace
}  // namespace makespan::capi

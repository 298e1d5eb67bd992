// SPDX-License-Identifier: Apache-2.0
// Goal: what is put is there, whatever its size and shape; places that are not there are refused,
// and nothing is written. Method: each image writes to the next one, which looks.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "c_job.hpp"

namespace makespan::capi {
namespace {

using Memory = CJob;

std::vector<std::int64_t> values_of(std::int32_t image, std::size_t count) {
  std::vector<std::int64_t> values(count);
  std::iota(values.begin(), values.end(), std::int64_t{image} * 1'000'000);
  return values;
}

std::int64_t bytes_of(std::vector<std::int64_t> const& values) {
  return static_cast<std::int64_t>(values.size() * sizeof(std::int64_t));
}

TEST_F(Memory, is_zero_at_first_and_on_all_images_at_the_same_offset) {
  std::int64_t const offset = allocate(80);
  EXPECT_EQ(0, offset % 64);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(0, local<std::int64_t>(offset, 10)[i]);
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(images_));
  ASSERT_OK(makespan_gather_all(team_, &offset, 8, offsets.data(), MAKESPAN_ALL_RANKS));
  for (std::int64_t const other : offsets) EXPECT_EQ(offset, other);
}

TEST_F(Memory, that_was_given_back_is_given_out_again) {
  std::int64_t first = -1;
  std::int64_t second = -1;
  ASSERT_OK(makespan_allocate_all(runtime_, 80, nullptr, &first));
  ASSERT_OK(makespan_free_all(runtime_, first));
  EXPECT_REFUSED(makespan_free_all(runtime_, first), "freed before");
  ASSERT_OK(makespan_allocate_all(runtime_, 80, nullptr, &second));
  EXPECT_EQ(first, second);
  ASSERT_OK(makespan_free_all(runtime_, second));
}

TEST_F(Memory, that_the_heap_has_no_room_for_is_refused) {
  std::int64_t offset = -1;
  EXPECT_REFUSED(makespan_allocate_all(runtime_, 2 << 20, "too much", &offset), "too much");
  EXPECT_REFUSED(makespan_allocate_all(runtime_, -8, nullptr, &offset), "-8");
  EXPECT_EQ(-1, offset);
  EXPECT_REFUSED(makespan_free_all(runtime_, 12), "offset 12");
}

TEST_F(Memory, of_this_image_is_within_the_heap) {
  void* begin = nullptr;
  EXPECT_REFUSED(makespan_local(runtime_, 0, (1 << 20) + 1, &begin), "1048576");
  EXPECT_REFUSED(makespan_local(runtime_, 1 << 20, 1, &begin), "offset 1048576");
  EXPECT_REFUSED(makespan_local(runtime_, -8, 8, &begin), "offset -8");
  EXPECT_REFUSED(makespan_local(runtime_, 0, -1, &begin), "-1 bytes");
  EXPECT_EQ(nullptr, begin);
}

TEST_F(Memory, takes_puts_and_gives_them_back) {
  // One word; more than a message.
  for (std::size_t const count : {std::size_t{1}, std::size_t{20'000}}) {
    auto const mine = values_of(image_, count);
    std::int64_t const offset = allocate(bytes_of(mine));
    ASSERT_OK(makespan_put(here_, {offset, next()}, mine.data(), bytes_of(mine)));
    meet();
    std::vector<std::int64_t> got(count);
    ASSERT_OK(makespan_get(here_, {offset, next()}, got.data(), bytes_of(got)));
    EXPECT_EQ(mine, got);
    auto const* const here = local<std::int64_t>(offset, static_cast<std::int64_t>(count));
    EXPECT_EQ(values_of(previous(), count), std::vector(here, here + count));
    meet();
  }
}

TEST_F(Memory, can_be_put_and_got_in_no_bytes) {
  std::int64_t const offset = allocate(8);
  EXPECT_OK(makespan_put(here_, {offset, next()}, nullptr, 0));
  EXPECT_OK(makespan_get(here_, {offset, next()}, nullptr, 0));
}

TEST_F(Memory, refuses_places_that_are_not_there) {
  std::int64_t word = 5;
  EXPECT_REFUSED(makespan_put(here_, {0, images_}, &word, 8), "makespan_put");
  EXPECT_REFUSED(makespan_get(here_, {0, -1}, &word, 8), "image -1");
  EXPECT_REFUSED(makespan_put(here_, {(1 << 20) - 4, 0}, &word, 8), "past the heap");
  EXPECT_REFUSED(makespan_put(here_, {-8, 0}, &word, 8), "past the heap");
  EXPECT_REFUSED(makespan_put(here_, {0, 0}, nullptr, 8), "data is a null pointer");
  EXPECT_REFUSED(makespan_get(here_, {0, 0}, &word, -8), "-8 bytes");
  EXPECT_REFUSED(makespan_flush(here_, images_), "makespan_flush");
  EXPECT_EQ(5, word);
}

// Column 1 of a matrix of 4 by 3 here becomes every second word there.
TEST_F(Memory, takes_boxes_and_gives_them_back) {
  auto const matrix = values_of(image_, 12);
  std::int64_t const offset = allocate(80);
  makespan_box const out{8, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {4, 24, 16}}};
  ASSERT_OK(makespan_put_strided(here_, {offset, next()}, &matrix[1], &out));
  meet();
  auto const* const here = local<std::int64_t>(offset, 10);
  auto const theirs = values_of(previous(), 12);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(theirs[3 * i + 1], here[2 * i]);
    EXPECT_EQ(0, here[2 * i + 1]);
  }
  // Back in two dimensions, and the other way round.
  std::vector<std::int64_t> got(4);
  makespan_box const in{8, {{1, 0, 0}, {1, 0, 0}, {2, -32, 16}, {2, -16, 8}}};
  ASSERT_OK(makespan_get_strided(here_, {offset + 48, next()}, got.data(), &in));
  EXPECT_EQ((std::vector{matrix[10], matrix[7], matrix[4], matrix[1]}), got);
}

TEST_F(Memory, refuses_boxes_that_cannot_be) {
  std::int64_t word = 5;
  auto const refused = [&](makespan_box const& box, char const* part) {
    EXPECT_REFUSED(makespan_put_strided(here_, {0, 0}, &word, &box), part);
    EXPECT_REFUSED(makespan_get_strided(here_, {0, 0}, &word, &box), part);
  };
  refused({0, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}}, "0 bytes");
  refused({8, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {-1, 8, 8}}}, "dimension 3");
  refused({8, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, -8, -8}}}, "negative stride at the local");
  refused({8, {{INT64_MAX, 8, 8}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}}, "dimension 0");
  refused({8, {{2, INT64_MIN, 8}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}}, "dimension 0");
  // As many elements as a number of 64 bits has no room for; each dimension by itself could be.
  constexpr std::int64_t many = 1 << 16;
  constexpr std::int64_t step = 1 << 30;
  refused({8, {{many, step, step}, {many, step, step}, {many, step, step}, {many, step, step}}},
          "up to dimension 2 make more than");
  refused({1, {{1, 0, 0}, {1, 0, 0}, {many, 0, 0}, {std::int64_t{1} << 40, 0, 0}}},
          "up to dimension 3 make more than");
  makespan_box const far{8, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 1 << 20}}};
  EXPECT_REFUSED(makespan_put_strided(here_, {0, 0}, &word, &far), "past the heap");
  EXPECT_REFUSED(makespan_put_strided(here_, {0, 0}, &word, nullptr), "box is a null pointer");
  EXPECT_EQ(5, word);
}

TEST_F(Memory, an_empty_box_moves_nothing) {
  makespan_box const nothing{8, {{1, 0, 0}, {1, 0, 0}, {0, 8, 8}, {2, 8, 8}}};
  EXPECT_OK(makespan_put_strided(here_, {0, next()}, nullptr, &nothing));
  EXPECT_OK(makespan_get_strided(here_, {0, next()}, nullptr, &nothing));
}

TEST_F(Memory, that_is_signalled_can_be_read) {
  auto const mine = values_of(image_, 100);
  std::int64_t const data = allocate(800);
  std::int64_t const word = allocate(8);
  for (std::int64_t round = 1; round <= 20; ++round) {
    makespan_signal const add{word, 1, MAKESPAN_SIGNAL_ADD};
    ASSERT_OK(makespan_put_signal(here_, {data, next()}, mine.data(), 800, &add));
    std::int64_t seen = 0;
    ASSERT_OK(makespan_wait_until(here_, word, MAKESPAN_AT_LEAST, round, &seen));
    EXPECT_EQ(round, seen);
    auto const* const here = local<std::int64_t>(data, 100);
    EXPECT_EQ(values_of(previous(), 100), std::vector(here, here + 100));
    ASSERT_OK(makespan_barrier_all(team_));
  }
  makespan_signal const set{word, 77, MAKESPAN_SIGNAL_SET};
  ASSERT_OK(makespan_put_signal(here_, {data, next()}, mine.data(), 800, &set));
  ASSERT_OK(makespan_wait_until(here_, word, MAKESPAN_EQUAL, 77, nullptr));
  ASSERT_OK(makespan_wait_until(here_, word, MAKESPAN_NOT_EQUAL, 78, nullptr));
  ASSERT_OK(makespan_wait_until(here_, word, MAKESPAN_AT_MOST, 77, nullptr));
}

TEST_F(Memory, signals_that_cannot_be_are_refused) {
  std::int64_t word = 5;
  makespan_signal const crooked{4, 1, MAKESPAN_SIGNAL_ADD};
  EXPECT_REFUSED(makespan_put_signal(here_, {0, 0}, &word, 8, &crooked), "offset 4");
  makespan_signal const unknown{8, 1, 2};
  EXPECT_REFUSED(makespan_put_signal(here_, {0, 0}, &word, 8, &unknown), "signal kind 2");
  EXPECT_REFUSED(makespan_put_signal(here_, {0, 0}, &word, 8, nullptr), "signal is a null");
  EXPECT_REFUSED(makespan_wait_until(here_, 8, 4, 0, nullptr), "comparison 4");
  EXPECT_REFUSED(makespan_wait_until(here_, 12, 0, 0, nullptr), "offset 12");
}

TEST_F(Memory, requests_move_it_while_others_do_something_else) {
  constexpr std::size_t count = 20'000;  // more than a message
  auto const mine = values_of(image_, count);
  std::int64_t const offset = allocate(bytes_of(mine));
  makespan_request* request = nullptr;
  ASSERT_OK(makespan_put_async(here_, {offset, next()}, mine.data(), bytes_of(mine), &request));
  ASSERT_OK(makespan_request_wait(&request));
  EXPECT_EQ(nullptr, request);
  ASSERT_OK(makespan_barrier_all(team_));

  std::vector<std::int64_t> got(count);
  ASSERT_OK(makespan_get_async(here_, {offset, next()}, got.data(), bytes_of(got), &request));
  std::int32_t is_done = 0;
  for (int round = 0; is_done == 0 && round < 100'000'000; ++round) {
    ASSERT_OK(makespan_request_test(&request, &is_done));
  }
  EXPECT_EQ(1, is_done);
  EXPECT_EQ(nullptr, request);
  EXPECT_EQ(mine, got);
}

TEST_F(Memory, requests_that_were_never_begun_are_done) {
  makespan_request* request = nullptr;
  std::int32_t is_done = 0;
  EXPECT_OK(makespan_request_wait(&request));
  EXPECT_OK(makespan_request_test(&request, &is_done));
  EXPECT_EQ(1, is_done);
  EXPECT_REFUSED(makespan_request_wait(nullptr), "request is a null pointer");
  std::int64_t word = 0;
  EXPECT_REFUSED(makespan_put_async(here_, {0, images_}, &word, 8, &request), "makespan_put_async");
  EXPECT_REFUSED(makespan_get_async(here_, {0, 0}, nullptr, 8, &request), "data is a null");
  EXPECT_REFUSED(makespan_get_async(here_, {0, 0}, &word, 8, nullptr), "request is a null");
  EXPECT_EQ(nullptr, request);
}

}  // namespace
}  // namespace makespan::capi

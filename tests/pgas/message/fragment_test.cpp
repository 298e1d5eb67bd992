// SPDX-License-Identifier: Apache-2.0
// Goal: what was sent in parts arrives whole, in whatever order parts come. Method: messages of
// lengths around the length of a part, of several senders, shuffled.
#include "makespan/pgas/message/fragment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "makespan/base/error.hpp"

namespace makespan::pgas {
namespace {

std::vector<std::byte> pattern(std::size_t bytes, int seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t at = 0; at < bytes; ++at) {
    data[at] = static_cast<std::byte>(static_cast<int>(at) * 31 + seed);
  }
  return data;
}

using Message = std::pair<Fragment, std::vector<std::byte>>;

std::vector<Message> parts_of(Fragment const& first, std::vector<std::byte> const& data) {
  std::vector<Message> parts;
  send_fragments(first, data, 10, [&](Fragment const& part, std::span<std::byte const> bytes) {
    parts.emplace_back(part, std::vector<std::byte>(bytes.begin(), bytes.end()));
  });
  return parts;
}

TEST(Fragment, is_cut_into_parts_and_an_empty_one_has_one) {
  EXPECT_EQ(parts_of({}, pattern(0, 1)).size(), 1U);
  EXPECT_EQ(parts_of({}, pattern(10, 1)).size(), 1U);
  EXPECT_EQ(parts_of({}, pattern(11, 1)).size(), 2U);
  EXPECT_EQ(parts_of({}, pattern(11, 1)).back().second.size(), 1U);
}

TEST(Fragment, arrives_whole_in_any_order) {
  std::mt19937 random(7);
  std::vector<Message> parts;
  std::size_t messages = 0;
  for (int image = 0; image < 3; ++image) {
    for (int thread = -1; thread < 2; ++thread) {
      for (std::size_t const bytes : {0U, 1U, 9U, 10U, 11U, 95U}) {
        Fragment const first{image, thread, messages, 0, 0};
        for (Message& part : parts_of(first, pattern(bytes, static_cast<int>(messages)))) {
          parts.push_back(std::move(part));
        }
        ++messages;
      }
    }
  }
  std::ranges::shuffle(parts, random);

  ReassemblyBuffer buffer;
  std::size_t arrived = 0;
  for (auto const& [part, data] : parts) {
    if (auto const whole = buffer.add(part, data)) {
      EXPECT_EQ(*whole, pattern(whole->size(), static_cast<int>(part.number)));
      ++arrived;
    }
  }
  EXPECT_EQ(arrived, messages);
  EXPECT_EQ(buffer.waiting(), 0U);
}

TEST(Fragment, of_a_lost_image_is_dropped) {
  ReassemblyBuffer buffer;
  buffer.add({.image = 1, .thread = 0, .number = 0, .part = 0, .parts = 2}, {});
  buffer.add({.image = 2, .thread = 0, .number = 0, .part = 0, .parts = 2}, {});

  buffer.drop(1);

  EXPECT_EQ(buffer.waiting(), 1U);
}

// What a failed run has not sent whole.
TEST(Fragment, unfinished_when_its_sender_begins_anew_is_forgotten) {
  ReassemblyBuffer buffer;
  buffer.add({.image = 1, .thread = 0, .number = fragment_run + 7, .part = 0, .parts = 2}, {});
  buffer.add({.image = 1, .thread = 1, .number = fragment_run, .part = 0, .parts = 2}, {});

  Fragment const next{.image = 1, .thread = 0, .number = fragment_run + 8, .part = 0, .parts = 2};
  buffer.add(next, {});
  EXPECT_EQ(buffer.waiting(), 3U);

  Fragment anew = next;
  anew.number = 2 * fragment_run;
  anew.parts = 1;
  EXPECT_TRUE(buffer.add(anew, {}).has_value());
  EXPECT_EQ(buffer.waiting(), 1U) << "the other thread's";
}

// A part that came twice would count for one that is missing.
TEST(Fragment, refuses_parts_that_cannot_be_of_it) {
  ReassemblyBuffer buffer;
  Fragment const first{.image = 1, .thread = 0, .number = 0, .part = 0, .parts = 3};
  buffer.add(first, {});

  for (auto const& [part, parts] : {std::pair{0U, 3U}, {3U, 3U}, {1U, 4U}, {0U, 0U}}) {
    Fragment wrong = first;
    wrong.part = part;
    wrong.parts = parts;
    EXPECT_THROW(buffer.add(wrong, {}), InputError) << part << " of " << parts;
  }

  Fragment rest = first;
  rest.part = 2;
  EXPECT_FALSE(buffer.add(rest, {}).has_value());
  rest.part = 1;
  EXPECT_TRUE(buffer.add(rest, {}).has_value());
}

// Memory goes by what has come, not by what is said to come.
TEST(Fragment, of_as_many_parts_as_can_be_counted_takes_no_more_than_has_come) {
  ReassemblyBuffer buffer;
  EXPECT_FALSE(buffer.add({.image = 1, .thread = 0, .number = 0, .part = 7, .parts = ~0U}, {}));
  EXPECT_EQ(buffer.waiting(), 1U);
}

}  // namespace
}  // namespace makespan::pgas

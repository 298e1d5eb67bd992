// SPDX-License-Identifier: Apache-2.0
// Goal: what was sent in parts arrives whole, in whatever order parts come. Method: parcels of
// lengths around the length of a part, of several senders, shuffled.
#include "makespan/pgas/message/parcel.hpp"

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

using Message = std::pair<ParcelPart, std::vector<std::byte>>;

std::vector<Message> parts_of(ParcelPart const& first, std::vector<std::byte> const& data) {
  std::vector<Message> parts;
  send_parcel(first, data, 10, [&](ParcelPart const& part, std::span<std::byte const> bytes) {
    parts.emplace_back(part, std::vector<std::byte>(bytes.begin(), bytes.end()));
  });
  return parts;
}

TEST(Parcel, is_cut_into_parts_and_an_empty_one_has_one) {
  EXPECT_EQ(parts_of({}, pattern(0, 1)).size(), 1U);
  EXPECT_EQ(parts_of({}, pattern(10, 1)).size(), 1U);
  EXPECT_EQ(parts_of({}, pattern(11, 1)).size(), 2U);
  EXPECT_EQ(parts_of({}, pattern(11, 1)).back().second.size(), 1U);
}

TEST(Parcel, arrives_whole_in_any_order) {
  std::mt19937 random(7);
  std::vector<Message> messages;
  std::size_t parcels = 0;
  for (int image = 0; image < 3; ++image) {
    for (int thread = -1; thread < 2; ++thread) {
      for (std::size_t const bytes : {0U, 1U, 9U, 10U, 11U, 95U}) {
        ParcelPart const first{image, thread, parcels, 0, 0};
        for (Message& part : parts_of(first, pattern(bytes, static_cast<int>(parcels)))) {
          messages.push_back(std::move(part));
        }
        ++parcels;
      }
    }
  }
  std::ranges::shuffle(messages, random);

  ParcelShelf shelf;
  std::size_t arrived = 0;
  for (auto const& [part, data] : messages) {
    if (auto const whole = shelf.add(part, data)) {
      EXPECT_EQ(*whole, pattern(whole->size(), static_cast<int>(part.number)));
      ++arrived;
    }
  }
  EXPECT_EQ(arrived, parcels);
  EXPECT_EQ(shelf.waiting(), 0U);
}

TEST(Parcel, of_a_lost_image_is_dropped) {
  ParcelShelf shelf;
  shelf.add({.image = 1, .thread = 0, .number = 0, .part = 0, .parts = 2}, {});
  shelf.add({.image = 2, .thread = 0, .number = 0, .part = 0, .parts = 2}, {});

  shelf.drop(1);

  EXPECT_EQ(shelf.waiting(), 1U);
}

// A part that came twice would count for one that is missing.
TEST(Parcel, refuses_parts_that_cannot_be_of_it) {
  ParcelShelf shelf;
  ParcelPart const first{.image = 1, .thread = 0, .number = 0, .part = 0, .parts = 3};
  shelf.add(first, {});

  for (auto const& [part, parts] : {std::pair{0U, 3U}, {3U, 3U}, {1U, 4U}, {0U, 0U}}) {
    ParcelPart wrong = first;
    wrong.part = part;
    wrong.parts = parts;
    EXPECT_THROW(shelf.add(wrong, {}), InputError) << part << " of " << parts;
  }

  ParcelPart rest = first;
  rest.part = 2;
  EXPECT_FALSE(shelf.add(rest, {}).has_value());
  rest.part = 1;
  EXPECT_TRUE(shelf.add(rest, {}).has_value());
}

// Memory goes by what has come, not by what is said to come.
TEST(Parcel, of_as_many_parts_as_can_be_counted_takes_no_more_than_has_come) {
  ParcelShelf shelf;
  EXPECT_FALSE(shelf.add({.image = 1, .thread = 0, .number = 0, .part = 7, .parts = ~0U}, {}));
  EXPECT_EQ(shelf.waiting(), 1U);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a value that is shared is the same one within a process, and an equal one elsewhere.
// Method: copies, and round trips.
#include "makespan/graph/object/shared_value.hpp"

#include <gtest/gtest.h>

#include <cereal/types/vector.hpp>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "makespan/pgas/message/archive.hpp"

namespace makespan::graph {
namespace {

using Numbers = std::vector<int>;

std::vector<std::byte> bytes_of(SharedValue<Numbers> const& value) {
  std::vector<std::byte> bytes;
  pgas::ByteWriter writer(bytes);
  writer(value);
  return bytes;
}

TEST(SharedValue, is_one_for_all_its_copies) {
  SharedValue<Numbers> const value(Numbers{1, 2, 3});
  SharedValue<Numbers> copy = value;

  EXPECT_EQ(&*copy, &*value);
  EXPECT_EQ(copy->size(), 3U);
  copy.reset();
  EXPECT_FALSE(copy);
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, (Numbers{1, 2, 3}));
}

TEST(SharedValue, becomes_bytes_and_back) {
  SharedValue<Numbers> const value(Numbers{4, 5});
  auto const bytes = bytes_of(value);
  SharedValue<Numbers> other;
  pgas::ByteReader reader(bytes);
  pgas::ByteCounter counter;

  reader(other);
  counter(value);

  EXPECT_TRUE(reader.is_at_end());
  EXPECT_EQ(counter.bytes(), bytes.size());
  ASSERT_TRUE(other);
  EXPECT_EQ(*other, *value);
  EXPECT_NE(&*other, &*value);
}

TEST(SharedValue, that_is_none_stays_none) {
  auto const bytes = bytes_of({});
  SharedValue<Numbers> other(Numbers{1});
  pgas::ByteReader reader(bytes);

  reader(other);

  EXPECT_FALSE(other);
}

TEST(SharedValue, that_ends_too_early_is_refused) {
  auto const bytes = bytes_of(SharedValue<Numbers>(Numbers{1, 2}));
  SharedValue<Numbers> other;
  std::span<std::byte const> const all = bytes;
  pgas::ByteReader reader(all.first(all.size() - 1));

  EXPECT_THROW(reader(other), std::out_of_range);
}

}  // namespace
}  // namespace makespan::graph

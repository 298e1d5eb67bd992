// SPDX-License-Identifier: Apache-2.0
// Goal: whatever cereal can serialise comes back as it was and is counted as it is written, and
// bytes that end too early are refused.
#include "makespan/pgas/message/archive.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cereal/types/array.hpp>
#include <cereal/types/complex.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace makespan::pgas {

struct Option {
  std::string name;
  std::vector<double> strikes;
  std::optional<int> seed;

  friend bool operator==(Option const&, Option const&) = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(CEREAL_NVP(name), strikes, seed);
  }
};

enum class Side : std::uint8_t { call, put };

namespace {

std::size_t counted(auto const& value) {
  ByteCounter counter;
  counter(value);
  return counter.bytes();
}

// Comes back, and was counted right: so everything that can be sent can be counted.
template <class T>
void expect_same(T const& value) {
  EXPECT_EQ(counted(value), packed(value).size());
  EXPECT_EQ(unpacked<T>(packed(value)), value);
}

TEST(ArchiveTest, Numbers_come_back) {
  expect_same(true);
  expect_same('x');
  expect_same(std::int8_t{-1});
  expect_same(std::uint16_t{65535});
  expect_same(std::numeric_limits<std::int64_t>::min());
  expect_same(std::numeric_limits<std::uint64_t>::max());
  expect_same(0.1F);
  expect_same(-0.1);
  expect_same(std::numeric_limits<double>::infinity());
  expect_same(Side::put);
  expect_same(std::complex<double>(1.0, -2.0));
}

TEST(ArchiveTest, Texts_come_back) {
  expect_same(std::string());
  expect_same(std::string("short"));
  expect_same(std::string(1000, 'x'));
  expect_same(std::string("with\0zero", 9));
  expect_same(std::u16string(u"wide"));
}

TEST(ArchiveTest, Containers_come_back) {
  expect_same(std::vector<double>{});
  expect_same(std::vector<double>{1.0, 2.0, 3.0});
  expect_same(std::vector<bool>{true, false, true});
  expect_same(std::vector<std::string>{"a", "", "ccc"});
  expect_same(std::array<int, 3>{1, 2, 3});
  expect_same(std::deque<int>{1, 2});
  expect_same(std::set<std::string>{"x", "y"});
  expect_same(std::map<std::string, std::vector<int>>{{"one", {1}}, {"none", {}}});
  expect_same(std::map<int, std::map<int, std::string>>{{1, {{2, "three"}}}, {4, {}}});
}

TEST(ArchiveTest, Choices_and_tuples_come_back) {
  expect_same(std::optional<std::string>{});
  expect_same(std::optional<std::string>{"there"});
  expect_same(std::variant<int, std::string>{"text"});
  expect_same(std::variant<int, std::string>{7});
  expect_same(std::pair<int, std::string>{1, "one"});
  expect_same(std::tuple<int, double, std::string>{1, 2.0, "three"});
}

TEST(ArchiveTest, Types_of_users_come_back) {
  expect_same(Option{});
  expect_same(Option{"asian", {1.0, 2.5}, 7});
  expect_same(std::vector<Option>{{"a", {}, {}}, {"b", {1.0}, 2}});
}

// Plain, though it says how it would be taken apart.
struct ArchivedRow {
  std::int32_t name{};
  double value{};

  template <class Archive>
  void serialize(Archive& archive) {
    archive(value);
  }
  friend bool operator==(ArchivedRow const&, ArchivedRow const&) = default;
};

TEST(ArchiveTest, Rows_of_plain_data_go_in_one_piece) {
  std::vector<ArchivedRow> const rows{{1, 0.5}, {2, 0.25}, {3, 0.0}};
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  writer(rows);
  EXPECT_EQ(bytes.size(), sizeof(std::uint64_t) + 3 * sizeof(ArchivedRow));

  std::vector<ArchivedRow> read;
  ByteReader reader(bytes);
  reader(read);

  EXPECT_EQ(read, rows);
}

TEST(ArchiveTest, More_rows_than_there_are_bytes_are_refused_before_room_is_made) {
  std::vector<std::byte> bytes;
  ByteWriter writer(bytes);
  writer(std::uint64_t{1} << 60U, ArchivedRow{});

  std::vector<ArchivedRow> rows;
  ByteReader reader(bytes);
  EXPECT_THROW(reader(rows), std::out_of_range);
}

TEST(ArchiveTest, Owned_objects_come_back) {
  auto const value = std::make_unique<std::vector<int>>(std::vector<int>{1, 2});
  auto const read = unpacked<std::unique_ptr<std::vector<int>>>(packed(value));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(*read, *value);
  EXPECT_EQ(unpacked<std::unique_ptr<int>>(packed(std::unique_ptr<int>{})), nullptr);
}

TEST(ArchiveTest, Numbers_take_their_own_size) {
  EXPECT_EQ(packed(std::uint8_t{1}).size(), 1U);
  EXPECT_EQ(packed(1.0).size(), 8U);
  // A length of 8 bytes in front.
  EXPECT_EQ(packed(std::vector<double>(3)).size(), 8U + 3 * 8U);
  EXPECT_EQ(packed(std::string("abc")).size(), 8U + 3U);
}

TEST(ArchiveTest, Values_follow_each_other) {
  std::vector<std::byte> bytes{std::byte{99}};  // what was there stays
  ByteWriter writer(bytes);
  writer(1, std::string("two"));
  writer(3.0);

  int one = 0;
  std::string two;
  double three = 0.0;
  ByteReader reader({bytes.data() + 1, bytes.size() - 1});
  reader(one, two);
  reader(three);

  EXPECT_EQ(bytes[0], std::byte{99});
  EXPECT_EQ(one, 1);
  EXPECT_EQ(two, "two");
  EXPECT_EQ(three, 3.0);
}

TEST(ArchiveTest, Counts_add_up) {
  auto const owned = std::make_unique<std::vector<int>>(std::vector<int>{1, 2});
  ByteCounter counter;
  EXPECT_EQ(counter.bytes(), 0U);

  counter(1, std::string("two"));
  counter(owned);

  EXPECT_EQ(counter.bytes(), 4U + 11U + packed(owned).size());
}

TEST(ArchiveTest, Bytes_that_end_too_early_are_refused) {
  auto const number = packed(1.0);
  auto const option = packed(Option{"asian", {1.0, 2.5}, 7});

  for (std::size_t size = 0; size < number.size(); ++size) {
    EXPECT_THROW(static_cast<void>(unpacked<double>({number.data(), size})), std::out_of_range)
        << size;
  }
  for (std::size_t size = 0; size < option.size(); ++size) {
    EXPECT_THROW(static_cast<void>(unpacked<Option>({option.data(), size})), std::out_of_range)
        << size;
  }
}

// Before room is made for what there is not.
TEST(ArchiveTest, refuses_containers_of_more_than_there_are_bytes) {
  for (std::uint64_t const count :
       {std::uint64_t{9}, std::uint64_t{1} << 40U, std::uint64_t{1} << 61U, ~std::uint64_t{0}}) {
    auto const bytes = packed(count);
    EXPECT_THROW(static_cast<void>(unpacked<std::vector<double>>(bytes)), std::out_of_range)
        << count;
    EXPECT_THROW(static_cast<void>(unpacked<std::string>(bytes)), std::out_of_range) << count;
    EXPECT_THROW(static_cast<void>(unpacked<std::vector<std::string>>(bytes)), std::out_of_range)
        << count;
  }
}

TEST(ArchiveTest, refuses_flags_that_are_neither_true_nor_false) {
  EXPECT_TRUE(unpacked<bool>(packed(true)));
  EXPECT_FALSE(unpacked<bool>(packed(false)));
  EXPECT_THROW(static_cast<void>(unpacked<bool>(packed(std::uint8_t{2}))), std::out_of_range);
}

}  // namespace
}  // namespace makespan::pgas

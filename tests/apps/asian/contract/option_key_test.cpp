// SPDX-License-Identifier: Apache-2.0
// Goal: keys never change: they are part of every price. Method: the published FNV-1a values of "",
// "a" and "foobar" and the published first output of splitmix64, whose finaliser is the mixing.
#include "makespan/apps/asian/contract/option_key.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

TEST(OptionKey, is_the_mixed_published_hash) {
  ASSERT_EQ(mixed(0x9e3779b97f4a7c15U), 0xe220a8397b1dcdafU);
  EXPECT_EQ(option_key(""), mixed(0xcbf29ce484222325U));
  EXPECT_EQ(option_key("a"), mixed(0xaf63dc4c8601ec8cU));
  EXPECT_EQ(option_key("foobar"), mixed(0x85944171f73967e8U));
}

TEST(OptionKey, keeps_its_values) {
  EXPECT_EQ(option_key(""), 0xf52a15e9a9b5e89bU);
  EXPECT_EQ(option_key("17"), 0x6a4481963632e6c0U);
  EXPECT_EQ(option_key("A12"), 0xd1a570bca779a678U);
  EXPECT_EQ(option_key("\xc3\xa9"), 0x233403617480019eU);  // é: bytes above 127 are not signed
}

TEST(OptionKey, differs_in_half_of_its_bits_for_neighbours) {
  std::set<std::uint64_t> keys;
  double bits = 0;
  for (int i = 0; i < 10'000; ++i) {
    keys.insert(option_key(std::to_string(i)));
    bits += std::popcount(option_key(std::to_string(i)) ^ option_key(std::to_string(i + 1)));
  }

  EXPECT_EQ(keys.size(), 10'000U);
  EXPECT_NEAR(bits / 10'000, 32, 5 * 4 / 100.0);
}

TEST(OptionKeys, are_those_of_the_pieces) {
  std::string const text = "A12foobar17";
  std::span const bytes{reinterpret_cast<std::uint8_t const*>(text.data()), text.size()};
  std::vector<std::int64_t> const offsets{0, 3, 3, 9, 11};

  EXPECT_EQ(option_keys(bytes, offsets), (std::vector{option_key("A12"), option_key(""),
                                                      option_key("foobar"), option_key("17")}));
  EXPECT_TRUE(option_keys(bytes, {}).empty());
  EXPECT_TRUE(option_keys(bytes, std::span{offsets}.first(1)).empty());
}

TEST(OptionKeys, refuse_offsets_outside_the_text) {
  std::vector<std::uint8_t> const text(4);
  for (std::vector<std::int64_t> const& offsets :
       {std::vector<std::int64_t>{0, 5}, {-1, 2}, {3, 2}, {0, 2, 5}}) {
    EXPECT_THROW(static_cast<void>(option_keys(text, offsets)), InputError);
  }
}

}  // namespace
}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// Goal: SHA-1 is SHA-1, by both ways. Method: the examples of FIPS 180 and RFC 3174, and random
// messages of every length by one way against the other.
#include "makespan/apps/uts/detail/sha1_block.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::uts {
namespace {

std::string hex_of(Digest const& digest) {
  std::string text;
  for (std::byte const each : digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    text += digits[std::to_integer<std::size_t>(each) / 16];
    text += digits[std::to_integer<std::size_t>(each) % 16];
  }
  return text;
}

std::span<std::byte const> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(Sha1Block, is_as_published) {
  for (auto const& hash : {sha1_of, sha1_in_plain_of}) {
    EXPECT_EQ(hex_of(hash(bytes_of("abc"))), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(hex_of(hash(bytes_of(""))), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(hex_of(hash(bytes_of("a"))), "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8");
  }
}

TEST(Sha1Block, is_the_same_by_both_ways) {
  std::mt19937 random(3);
  for (std::size_t bytes = 0; bytes <= one_block_max; ++bytes) {
    for (int turn = 0; turn < 20; ++turn) {
      std::vector<std::byte> message(bytes);
      for (std::byte& each : message) each = static_cast<std::byte>(random() % 256);
      EXPECT_EQ(sha1_of(message), sha1_in_plain_of(message)) << bytes;
    }
  }
}

TEST(Sha1BlockContract, takes_what_fits_a_block) {
  EXPECT_THROW(static_cast<void>(sha1_of(std::vector<std::byte>(56))), ContractViolated);
}

}  // namespace
}  // namespace makespan::uts

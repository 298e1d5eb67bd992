// SPDX-License-Identifier: Apache-2.0
// Goal: the checksum is the published one, and sees small changes. Method: vectors of the draft
// (draft-eastlake-fnv, appendix C, 64-bit FNV-1a of strings without their NUL).
#include "makespan/base/fnv1a.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace makespan {
namespace {

std::uint64_t of(std::string_view text) {
  return fnv1a(std::as_bytes(std::span(text)));
}

TEST(Fnv1a, of_published_texts) {
  EXPECT_EQ(of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(of("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(of("b"), 0xaf63df4c8601f1a5U);
  EXPECT_EQ(of("foo"), 0xdcb27518fed9d577U);
  EXPECT_EQ(of("foob"), 0xdd120e790c2512afU);
  EXPECT_EQ(of("fooba"), 0xcac165afa2fef40aU);
  EXPECT_EQ(of("foobar"), 0x85944171f73967e8U);
}

TEST(Fnv1a, of_a_changed_byte_is_another) {
  std::vector<std::byte> bytes(100);
  std::uint64_t const before = fnv1a(bytes);

  for (std::byte& each : bytes) {
    each = std::byte{1};
    EXPECT_NE(fnv1a(bytes), before);
    each = std::byte{0};
  }
  EXPECT_NE(fnv1a(std::span(bytes).first(99)), before) << "zeros count";
}

}  // namespace
}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
// Goal: a sum of digests tells values at their places from any others. Method: the formula of
// docs/reference/record.md worked out by another program (numpy), and changes one at a time.
#include "makespan/base/digest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace makespan {
namespace {

Digest digest_of_all(std::vector<double> const& values, std::uint64_t place = 0) {
  Digest sum;
  for (double const value : values) sum += digest_of(value, place++);
  return sum;
}

TEST(Digest, is_that_of_the_formula) {
  EXPECT_EQ(digest_of_all({0.1, -2.5, 3e300}), (Digest{0x12cb0a2b0459cc89U, 0xe63cca2f9f6ab089U}));
}

TEST(Digest, of_parts_adds_up_to_that_of_the_whole) {
  Digest sum = digest_of_all({3.0, 4.0}, 2);
  sum += digest_of_all({1.0, 2.0});
  EXPECT_EQ(sum, digest_of_all({1.0, 2.0, 3.0, 4.0}));
}

TEST(Digest, changes_with_the_last_bit_a_sign_and_two_that_change_places) {
  Digest const whole = digest_of_all({0.0, 1.0, 2.0});
  for (std::vector<double> const& other : {std::vector{-0.0, 1.0, 2.0},
                                           {0.0, std::nextafter(1.0, 2.0), 2.0},
                                           {0.0, 2.0, 1.0},
                                           {1.0, 0.0, 2.0}}) {
    EXPECT_NE(digest_of_all(other).first, whole.first);
    EXPECT_NE(digest_of_all(other).second, whole.second);
  }
  EXPECT_NE(digest_of_all({0.0}), Digest{});
}

}  // namespace
}  // namespace makespan

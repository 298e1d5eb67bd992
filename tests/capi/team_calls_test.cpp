// SPDX-License-Identifier: Apache-2.0
// Goal: teams have the members they should, and collectives of every type give what a loop over the
// members gives. Values are small whole numbers, so that sums are exact in every type.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "c_job.hpp"

namespace makespan::capi {
namespace {

using Teams = CJob;

TEST_F(Teams, of_all_have_all_images_in_order) {
  EXPECT_EQ(image_, makespan_team_rank(team_));
  EXPECT_EQ(images_, makespan_team_size(team_));
  for (std::int32_t rank = 0; rank < images_; ++rank) {
    std::int32_t image = -1;
    EXPECT_OK(makespan_team_member(team_, rank, &image));
    EXPECT_EQ(rank, image);
  }
  std::int32_t image = -1;
  EXPECT_REFUSED(makespan_team_member(team_, images_, &image), "rank");
  EXPECT_REFUSED(makespan_team_member(team_, -1, &image), "rank -1");
  makespan_team* node = nullptr;
  ASSERT_OK(makespan_team_of_node(runtime_, &node));
  EXPECT_EQ(images_, makespan_team_size(node));
  ASSERT_OK(makespan_barrier_all(node));
}

TEST_F(Teams, split_by_color_and_order_by_key) {
  makespan_team* part = nullptr;
  ASSERT_OK(makespan_team_split_all(team_, image_ % 2, -image_, &part));
  ASSERT_NE(nullptr, part);
  std::vector<std::int32_t> expected;
  for (std::int32_t image = images_ - 1; image >= 0; --image) {
    if (image % 2 == image_ % 2) expected.push_back(image);
  }
  ASSERT_EQ(std::ssize(expected), makespan_team_size(part));
  for (std::int32_t rank = 0; rank < makespan_team_size(part); ++rank) {
    std::int32_t image = -1;
    EXPECT_OK(makespan_team_member(part, rank, &image));
    EXPECT_EQ(expected[static_cast<std::size_t>(rank)], image);
  }
  EXPECT_EQ(image_, expected[static_cast<std::size_t>(makespan_team_rank(part))]);
  std::int32_t sum = image_;
  makespan_reduction const one{1, MAKESPAN_INT32, MAKESPAN_SUM};
  ASSERT_OK(makespan_reduce_all(part, &one, &sum, &sum, MAKESPAN_ALL_RANKS));
  std::int32_t total = 0;
  for (std::int32_t const image : expected) total += image;
  EXPECT_EQ(total, sum);
  EXPECT_OK(makespan_team_free_all(&part));
  EXPECT_EQ(nullptr, part);
}

TEST_F(Teams, leave_out_those_without_a_color) {
  makespan_team* part = team_;
  ASSERT_OK(makespan_team_split_all(team_, image_ == 0 ? 5 : -1, 0, &part));
  if (image_ == 0) {
    EXPECT_EQ(1, makespan_team_size(part));
    EXPECT_OK(makespan_team_free_all(&part));
  } else {
    EXPECT_EQ(nullptr, part);
  }
  EXPECT_REFUSED(makespan_team_free_all(&team_), "team of the runtime");
}

TEST_F(Teams, that_were_freed_are_refused_by_copies_of_their_handles) {
  makespan_team* part = nullptr;
  ASSERT_OK(makespan_team_split_all(team_, image_ % 2, 0, &part));
  makespan_team* copy = part;
  ASSERT_OK(makespan_team_free_all(&part));

  EXPECT_EQ(-1, makespan_team_rank(copy));
  EXPECT_EQ(-1, makespan_team_size(copy));
  EXPECT_REFUSED(makespan_barrier_all(copy), "on a team that was freed");
  EXPECT_REFUSED(makespan_team_split_all(copy, 0, 0, &part), "on a team that was freed");
  EXPECT_REFUSED(makespan_team_free_all(&copy), "on a team that was freed");
}

TEST_F(Teams, broadcast_from_any_member) {
  for (std::int32_t root = 0; root < images_; ++root) {
    double values[] = {image_ * 1.5, image_ * -2.5};
    ASSERT_OK(makespan_broadcast_all(team_, values, sizeof values, root));
    EXPECT_EQ(root * 1.5, values[0]);
    EXPECT_EQ(root * -2.5, values[1]);
  }
  EXPECT_REFUSED(makespan_broadcast_all(team_, nullptr, 0, images_), "root");
  EXPECT_REFUSED(makespan_broadcast_all(team_, nullptr, 8, 0), "data is a null pointer");
}

TEST_F(Teams, gather_to_one_or_to_all) {
  std::int32_t const mine[] = {image_, 10 * image_};
  std::vector<std::int32_t> expected;
  for (std::int32_t image = 0; image < images_; ++image) {
    expected.insert(expected.end(), {image, 10 * image});
  }
  std::vector<std::int32_t> all(expected.size());
  ASSERT_OK(makespan_gather_all(team_, mine, sizeof mine, all.data(), MAKESPAN_ALL_RANKS));
  EXPECT_EQ(expected, all);
  for (std::int32_t root = 0; root < images_; ++root) {
    std::ranges::fill(all, -1);
    bool const is_root = root == image_;
    ASSERT_OK(makespan_gather_all(team_, mine, sizeof mine, is_root ? all.data() : nullptr, root));
    EXPECT_EQ(is_root ? expected : std::vector<std::int32_t>(expected.size(), -1), all);
  }
}

template <class T>
class Reductions : public CJob {
 protected:
  static constexpr int type() {
    if constexpr (std::is_same_v<T, float>) return MAKESPAN_FLOAT;
    if constexpr (std::is_same_v<T, double>) return MAKESPAN_DOUBLE;
    if constexpr (std::is_same_v<T, std::int32_t>) return MAKESPAN_INT32;
    if constexpr (std::is_same_v<T, std::uint32_t>) return MAKESPAN_UINT32;
    if constexpr (std::is_same_v<T, std::int64_t>) return MAKESPAN_INT64;
    return MAKESPAN_UINT64;
  }
  // What member `image` brings.
  static std::vector<T> values_of(std::int32_t image) {
    return {static_cast<T>(image + 1), static_cast<T>(2 * image + 3)};
  }
  // The same by a loop over members 0 to `last`.
  static std::vector<T> expected(int op, std::int32_t last) {
    std::vector<T> result = values_of(0);
    for (std::int32_t image = 1; image <= last; ++image) {
      auto const other = values_of(image);
      for (std::size_t i = 0; i < 2; ++i) result[i] = combined(op, result[i], other[i]);
    }
    return result;
  }
  static T combined(int op, T a, T b) {
    switch (op) {
      case MAKESPAN_SUM:
        return a + b;
      case MAKESPAN_PRODUCT:
        return a * b;
      case MAKESPAN_MIN:
        return std::min(a, b);
      case MAKESPAN_MAX:
        return std::max(a, b);
      default:
        break;
    }
    if constexpr (std::is_integral_v<T>) {
      switch (op) {
        case MAKESPAN_BIT_AND:
          return a & b;
        case MAKESPAN_BIT_OR:
          return a | b;
        default:
          return a ^ b;
      }
    }
    return a;
  }
  static constexpr int last_op = std::is_integral_v<T> ? MAKESPAN_BIT_XOR : MAKESPAN_MAX;
};
using ReductionTypes =
    testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(Reductions, ReductionTypes);

TYPED_TEST(Reductions, are_what_a_loop_gives) {
  auto const mine = this->values_of(this->image_);
  for (int op = MAKESPAN_SUM; op <= this->last_op; ++op) {
    makespan_reduction const reduction{2, this->type(), op};
    auto const expected = this->expected(op, this->images_ - 1);
    std::vector<TypeParam> result(2);
    ASSERT_OK(makespan_reduce_all(this->team_, &reduction, mine.data(), result.data(),
                                  MAKESPAN_ALL_RANKS));
    EXPECT_EQ(expected, result) << "op " << op;

    std::int32_t const root = this->images_ - 1;
    bool const is_root = this->image_ == root;
    std::vector<TypeParam> in_place = mine;
    ASSERT_OK(makespan_reduce_all(this->team_, &reduction, in_place.data(),
                                  is_root ? in_place.data() : nullptr, root));
    EXPECT_EQ(is_root ? expected : mine, in_place) << "op " << op;

    ASSERT_OK(makespan_scan_all(this->team_, &reduction, mine.data(), result.data()));
    EXPECT_EQ(this->expected(op, this->image_), result) << "op " << op;
  }
}

TEST_F(Teams, reductions_that_cannot_be_are_refused) {
  double value = 1.0;
  makespan_reduction reduction{1, MAKESPAN_DOUBLE, MAKESPAN_BIT_XOR};
  auto const refused = [&](char const* part) {
    EXPECT_REFUSED(makespan_reduce_all(team_, &reduction, &value, &value, MAKESPAN_ALL_RANKS),
                   part);
    EXPECT_REFUSED(makespan_scan_all(team_, &reduction, &value, &value), part);
  };
  refused("bits of real numbers");
  reduction.op = 7;
  refused("op 7");
  reduction.op = -1;
  refused("op -1");
  reduction = {1, 6, MAKESPAN_SUM};
  refused("type 6");
  reduction = {-1, MAKESPAN_DOUBLE, MAKESPAN_SUM};
  refused("-1");
  reduction = {INT64_MAX, MAKESPAN_DOUBLE, MAKESPAN_SUM};
  refused("no memory is that long");
  reduction = {1, MAKESPAN_DOUBLE, MAKESPAN_SUM};
  EXPECT_REFUSED(makespan_reduce_all(team_, &reduction, &value, &value, images_), "root");
  EXPECT_REFUSED(makespan_reduce_all(team_, &reduction, nullptr, &value, 0), "data is a null");
  EXPECT_REFUSED(makespan_reduce_all(team_, nullptr, &value, &value, 0), "reduction is a null");
}

}  // namespace
}  // namespace makespan::capi

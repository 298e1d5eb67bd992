// SPDX-License-Identifier: Apache-2.0
// Goal: parts of boxes are put and found where their points are, bad values are named in order, and
// digests tell values and places.
#include "makespan/grid/field/box_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "makespan/grid/field/slab_fields.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;

constexpr Box row_box{{1, 2, 3}, {4, 4, 5}};   // 3 x 2 x 2
constexpr Box row_part{{2, 3, 3}, {4, 4, 5}};  // the last two of two rows

SlabFields fields_of(Box const& of) {
  SlabFields fields({.box = of,
                     .halo_width = 1,
                     .roles = {FieldRole::spreads, FieldRole::stays},
                     .values = {FaceValues{}, FaceValues{}}});
  fields.clear(fields.first_plane(), fields.last_plane());
  return fields;
}

TEST(BoxRows, are_placed_where_the_part_is) {
  std::vector<double> values(12);
  place_rows(std::vector<double>{1, 2, 3, 4}.data(), row_part, row_box, values.data());

  EXPECT_THAT(values, ElementsAre(0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 3, 4));
}

TEST(BoxRows, are_taken_from_where_the_part_is) {
  std::vector<double> const values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::vector<double> taken(4);
  take_rows(values.data(), row_box, row_part, taken.data());

  EXPECT_THAT(taken, ElementsAre(4, 5, 10, 11));
}

TEST(BoxRows, of_all_of_a_box_are_its_values) {
  std::vector<double> const values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::vector<double> taken(12);
  take_rows(values.data(), row_box, row_box, taken.data());

  EXPECT_EQ(taken, values);
}

TEST(FillBox, sets_the_points_of_the_part_alone) {
  SlabFields const fields = fields_of(row_box);
  fill_box(fields.now(), row_part, [](int field, Point at) {
    return static_cast<double>(1000 * field + 100 * at.z + 10 * at.y + at.x);
  });

  for (std::int64_t z = -1; z < 3; ++z) {
    for (std::int64_t y = -1; y < 3; ++y) {
      for (std::int64_t x = -1; x < 4; ++x) {
        Point const at = row_box.begin + Point{x, y, z};
        auto const expected =
            row_part.holds(at) ? static_cast<double>(100 * at.z + 10 * at.y + at.x) : 0;
        EXPECT_EQ(fields.now()[0].at(y, z)[x], expected);
        EXPECT_EQ(fields.now()[1].at(y, z)[x], expected == 0 ? 0 : expected + 1000);
      }
    }
  }
}

TEST(FindBadValue, finds_none_in_the_halo) {
  SlabFields const fields = fields_of(row_box);
  fields.now()[0].at(-1, 0)[0] = std::nan("");
  fields.now()[0].at(0, 0)[3] = std::nan("");

  EXPECT_FALSE(find_bad_value(fields.now()));
}

TEST(FindBadValue, names_the_first_by_field_z_y_x) {
  SlabFields const fields = fields_of(row_box);
  auto const expect_first = [&](int field, Point at) {
    auto const bad = find_bad_value(fields.now());
    ASSERT_TRUE(bad);
    EXPECT_EQ(bad->field, field);
    EXPECT_EQ(bad->at, at);
  };

  fields.now()[1].at(0, 0)[0] = -std::numeric_limits<double>::infinity();
  expect_first(1, {1, 2, 3});
  EXPECT_EQ(find_bad_value(fields.now())->value, -std::numeric_limits<double>::infinity());
  fields.now()[0].at(0, 1)[0] = std::nan("");
  expect_first(0, {1, 2, 4});
  fields.now()[0].at(1, 0)[2] = std::nan("");
  expect_first(0, {3, 3, 3});
  fields.now()[0].at(1, 0)[1] = std::nan("");
  expect_first(0, {2, 3, 3});
}

// Of parts of a box whose first field has these values; the other is all 0.
std::vector<Digest> digests_of(Box const& of, std::vector<Box> const& parts,
                               std::function<double(Point at)> const& value) {
  std::vector<Digest> planes(2 * static_cast<std::size_t>(of.extent().z));
  for (Box const& part : parts) {
    SlabFields const fields = fields_of(part);
    fill_box(fields.now(), part, [&](int field, Point at) { return field == 0 ? value(at) : 0.0; });
    add_digests(fields.now(), of, planes);
  }
  return planes;
}

double number_at(Point at) {
  return static_cast<double>(100 * at.z + 10 * at.y + at.x);
}

TEST(AddDigests, are_by_field_and_plane_and_the_same_for_any_cut) {
  std::vector<Digest> const whole = digests_of(row_box, {row_box}, number_at);
  ASSERT_EQ(whole.size(), 4U);
  Digest first_plane;
  std::uint64_t place = 0;
  for (double const value : {321, 322, 323, 331, 332, 333})
    first_plane += digest_of(value, place++);
  EXPECT_EQ(whole[0], first_plane);
  Digest last_zeros;
  for (place = 6; place < 12; ++place) last_zeros += digest_of(0.0, place);
  EXPECT_EQ(whole[3], last_zeros);

  std::vector<Box> const columns{{{1, 2, 3}, {2, 4, 5}}, {{2, 2, 3}, {4, 4, 5}}};
  std::vector<Box> const slabs{{{1, 2, 4}, {4, 4, 5}}, {{1, 2, 3}, {4, 4, 4}}};
  EXPECT_EQ(digests_of(row_box, columns, number_at), whole);
  EXPECT_EQ(digests_of(row_box, slabs, number_at), whole);
}

TEST(AddDigests, tell_two_values_that_changed_places) {
  std::vector<Digest> const whole = digests_of(row_box, {row_box}, number_at);
  for (Point const& other : {Point{3, 2, 3}, Point{1, 3, 3}, Point{1, 2, 4}}) {
    auto const exchanged = [&](Point at) {
      if (at == row_box.begin) return number_at(other);
      return at == other ? number_at(row_box.begin) : number_at(at);
    };
    EXPECT_NE(digests_of(row_box, {row_box}, exchanged), whole);
  }
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: what is packed comes out where it belongs, halo and all, and rows end as their faces say.
#include "makespan/grid/detail/slab.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace makespan::grid {
namespace {

using testing::ElementsAre;

constexpr Box slab_box{{10, 20, 30}, {15, 24, 33}};  // 5 x 4 x 3
constexpr std::int64_t width = 2;

Sides sides_along_x(Beyond low, Beyond high) {
  Sides sides{};
  sides[0] = low;
  sides[1] = high;
  return sides;
}

SlabFields cleared(SlabPlan plan) {
  SlabFields fields(std::move(plan));
  fields.clear(fields.first_plane(), fields.last_plane());
  return fields;
}

SlabPlan plan_of(Box const& of, Sides const& sides) {
  return {.box = of,
          .sides = sides,
          .halo_width = width,
          .roles = {FieldRole::spreads, FieldRole::spreads},
          .values = {FaceValues{-1, -2}, FaceValues{-3, -4}}};
}

// A number for each point of each field, in the halo too.
void number_points(SlabFields const& fields) {
  Point const size = fields.box().extent();
  for (int field = 0; field < 2; ++field) {
    FieldView const& view = fields.now()[static_cast<std::size_t>(field)];
    for (std::int64_t z = -width; z < size.z + width; ++z) {
      for (std::int64_t y = -width; y < size.y + width; ++y) {
        for (std::int64_t x = -width; x < size.x + width; ++x) {
          view.at(y, z)[x] = static_cast<double>(1 + x + 100 * y + 10'000 * z + 1'000'000 * field);
        }
      }
    }
  }
}

TEST(Slab, sides_follow_from_faces) {
  Faces const faces{{FaceKind::no_flux, FaceKind::value, FaceKind::periodic, FaceKind::periodic,
                     FaceKind::value, FaceKind::no_flux}};

  EXPECT_THAT(sides_of(faces), ElementsAre(Beyond::mirror, Beyond::value, Beyond::stored,
                                           Beyond::stored, Beyond::value, Beyond::mirror));
}

TEST(Slab, is_packed_field_by_field_in_the_order_of_its_points) {
  SlabFields const fields = cleared(plan_of(slab_box, {}));
  number_points(fields);
  std::vector<double> packed(16);

  pack(fields.now(), {{11, 21, 31}, {13, 23, 33}}, packed.data());

  EXPECT_THAT(packed, ElementsAre(10102, 10103, 10202, 10203, 20102, 20103, 20202, 20203, 1010102,
                                  1010103, 1010202, 1010203, 1020102, 1020103, 1020202, 1020203));
}

// As threads share a box: each some rows, to where they are among all.
TEST(Slab, is_packed_and_unpacked_by_parts_of_its_rows) {
  SlabFields const from = cleared(plan_of(slab_box, {}));
  number_points(from);
  auto const count = static_cast<std::size_t>(2 * slab_box.points());
  std::vector<double> whole(count);
  EXPECT_EQ(pack(from.now(), slab_box, whole.data()), 2 * 12);
  std::vector<double> parts(count);
  EXPECT_EQ(pack(from.now(), slab_box, Rows{5, 12}, parts.data()), 2 * 7);
  EXPECT_EQ(pack(from.now(), slab_box, Rows{0, 5}, parts.data()), 2 * 5);
  EXPECT_EQ(parts, whole);

  SlabFields const to = cleared(plan_of(slab_box, {}));
  unpack(whole.data(), to.now(), slab_box, Rows{7, 12});
  unpack(whole.data(), to.now(), slab_box, Rows{0, 7});
  std::vector<double> again(count);
  pack(to.now(), slab_box, again.data());
  EXPECT_EQ(again, whole);
}

TEST(Slab, unpacks_what_was_packed_into_its_halo) {
  SlabFields const from = cleared(plan_of(slab_box, {}));
  SlabFields const to = cleared(plan_of(slab_box, {}));
  number_points(from);
  Box const edge{{8, 22, 33}, {17, 26, 35}};  // beyond the slab along all axes
  std::vector<double> packed(static_cast<std::size_t>(2 * edge.points()));

  pack(from.now(), edge, packed.data());
  unpack(packed.data(), to.now(), edge);

  Point const size = slab_box.extent();
  for (std::size_t field = 0; field < 2; ++field) {
    for (std::int64_t z = -width; z < size.z + width; ++z) {
      for (std::int64_t y = -width; y < size.y + width; ++y) {
        for (std::int64_t x = -width; x < size.x + width; ++x) {
          bool const is_in = edge.holds(slab_box.begin + Point{x, y, z});
          EXPECT_EQ(to.now()[field].at(y, z)[x], is_in ? from.now()[field].at(y, z)[x] : 0);
        }
      }
    }
  }
}

// The row at (y, z) of a field from its halo on.
std::vector<double> wide_row(FieldView const& view, std::int64_t y, std::int64_t z) {
  double const* const row = view.at(y, z);
  return {row - width, row + view.box.extent().x + width};
}

TEST(RowEnds, mirror_the_points_before_them) {
  SlabFields const fields =
      cleared(plan_of(slab_box, sides_along_x(Beyond::mirror, Beyond::mirror)));
  number_points(fields);
  fill_row_ends(fields.now(), width);

  EXPECT_THAT(wide_row(fields.now()[0], 0, 0), ElementsAre(2, 1, 1, 2, 3, 4, 5, 5, 4));
}

TEST(RowEnds, have_each_fields_values) {
  SlabFields const fields = cleared(plan_of(slab_box, sides_along_x(Beyond::value, Beyond::value)));
  number_points(fields);
  fill_row_ends(fields.now(), width);

  EXPECT_THAT(wide_row(fields.now()[0], 0, 0), ElementsAre(-1, -1, 1, 2, 3, 4, 5, -2, -2));
  EXPECT_EQ(wide_row(fields.now()[1], 1, 1).front(), -3);
  EXPECT_EQ(wide_row(fields.now()[1], 1, 1).back(), -4);
}

TEST(RowEnds, are_left_alone_where_they_are_stored) {
  SlabFields const fields =
      cleared(plan_of(slab_box, sides_along_x(Beyond::stored, Beyond::mirror)));
  number_points(fields);
  fill_row_ends(fields.now(), width);

  EXPECT_THAT(wide_row(fields.now()[0], 0, 0), ElementsAre(-1, 0, 1, 2, 3, 4, 5, 5, 4));
}

TEST(RowEnds, are_filled_in_rows_of_the_halo_too) {
  SlabFields const fields =
      cleared(plan_of(slab_box, sides_along_x(Beyond::mirror, Beyond::value)));
  number_points(fields);
  fill_row_ends(fields.now(), width);

  for (std::int64_t const z : {-2, 0, 4}) {
    for (std::int64_t const y : {-2, 3, 5}) {
      auto const row = wide_row(fields.now()[0], y, z);
      EXPECT_EQ(row[0], row[3]);
      EXPECT_EQ(row[1], row[2]);
      EXPECT_EQ(row[8], -2);
    }
  }
}

// The grid begins here and goes on for two points beyond, which are in the halo.
TEST(RowEnds, of_a_box_thinner_than_its_halo_mirror_into_the_halo) {
  Box const thin{{10, 20, 30}, {11, 24, 33}};
  SlabPlan plan = plan_of(thin, sides_along_x(Beyond::mirror, Beyond::mirror));
  plan.domain = {{10, 20, 30}, {13, 24, 33}};
  SlabFields const fields = cleared(plan);
  number_points(fields);
  fill_row_ends(fields.now(), width);

  EXPECT_THAT(wide_row(fields.now()[0], 0, 0), ElementsAre(2, 1, 1, 2, 3));
}

TEST(RowEnds, of_a_grid_thinner_than_its_halo_go_to_and_fro) {
  Box const thin{{10, 20, 30}, {11, 24, 33}};
  auto const row_with = [&](Beyond low, Beyond high) {
    SlabFields const fields = cleared(plan_of(thin, sides_along_x(low, high)));
    number_points(fields);
    fill_row_ends(fields.now(), width);
    return wide_row(fields.now()[0], 0, 0);
  };

  EXPECT_THAT(row_with(Beyond::mirror, Beyond::mirror), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(row_with(Beyond::mirror, Beyond::value), ElementsAre(-2, 1, 1, -2, -2));
  EXPECT_THAT(row_with(Beyond::value, Beyond::mirror), ElementsAre(-1, -1, 1, 1, -1));
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: every point of a slab and its halo has a place of its own, rows begin on cache lines, and
// what is beyond an end is what the face says.
#include "makespan/grid/field/slab_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "makespan/base/error.hpp"
#include "makespan/grid/field/field_memory.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {
namespace {

constexpr Box box{{10, 20, 30}, {15, 24, 33}};  // 5 x 4 x 3

Sides sides_all(Beyond rule) {
  Sides sides;
  sides.fill(rule);
  return sides;
}

SlabPlan plan_of(Sides const& sides, std::int64_t width = 2) {
  return {.box = box,
          .sides = sides,
          .halo_width = width,
          .roles = {FieldRole::spreads, FieldRole::stays},
          .values = {FaceValues{1, 2, 3, 4, 5, 6}, FaceValues{}}};
}

SlabFields cleared(SlabPlan plan) {
  SlabFields fields(std::move(plan));
  fields.clear(fields.first_plane(), fields.last_plane());
  return fields;
}

TEST(SlabFields, have_a_place_for_each_point_and_its_halo) {
  SlabFields fields = cleared(plan_of(sides_all(Beyond::stored)));
  std::set<double const*> places;
  std::int64_t count = 0;
  for (FieldView const& view : {fields.now()[0], fields.next()[0], fields.now()[1]}) {
    for (std::int64_t z = -2; z < 5; ++z) {
      for (std::int64_t y = -2; y < 6; ++y) {
        for (std::int64_t x = -2; x < 7; ++x, ++count) {
          view.at(y, z)[x] += 1;
          places.insert(view.at(y, z) + x);
        }
      }
    }
  }

  EXPECT_EQ(std::ssize(places), count);
  for (double const* const place : places) ASSERT_EQ(*place, 1);
}

TEST(SlabFields, begin_rows_on_cache_lines) {
  SlabFields fields = cleared(plan_of(sides_all(Beyond::stored)));

  for (std::int64_t z = -2; z < 5; ++z) {
    for (std::int64_t y = -2; y < 6; ++y) {
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(fields.now()[0].at(y, z)) % 64, 0U);
    }
  }
}

TEST(SlabFields, that_spread_have_a_next_step_and_others_do_not) {
  SlabFields fields = cleared(plan_of(sides_all(Beyond::stored)));
  double const* const first = fields.now()[0].first;

  EXPECT_NE(fields.next()[0].first, first);
  EXPECT_EQ(fields.next()[1].first, fields.now()[1].first);
  EXPECT_EQ(std::ssize(fields.current_exchanged_fields()), 1);
  EXPECT_EQ(fields.next_exchanged_fields()[0].first, fields.next()[0].first);
  fields.advance();
  EXPECT_EQ(fields.next()[0].first, first);
  EXPECT_EQ(fields.next_exchanged_fields()[0].first, first);
}

TEST(SlabFields, mirror_rows_at_faces_without_flux) {
  FieldView const view = cleared(plan_of(sides_all(Beyond::mirror))).now()[0];

  EXPECT_EQ(view.row(-1, 0), view.at(0, 0));
  EXPECT_EQ(view.row(-2, 1), view.at(1, 1));
  EXPECT_EQ(view.row(4, 1), view.at(3, 1));
  EXPECT_EQ(view.row(5, -2), view.at(2, 1));
  EXPECT_EQ(view.row(0, 4), view.at(0, 1));
}

TEST(SlabFields, mirror_a_box_thinner_than_its_halo_at_both_ends) {
  EXPECT_EQ(folded(-2, {0, 1, Beyond::mirror, Beyond::mirror}).index, 0);
  EXPECT_EQ(folded(2, {0, 1, Beyond::mirror, Beyond::mirror}).index, 0);
  EXPECT_EQ(folded(-2, {0, 1, Beyond::mirror, Beyond::stored}).index, 1);
  EXPECT_TRUE(folded(-2, {0, 1, Beyond::mirror, Beyond::value}).is_value);
}

// One plane of the grid is in the halo, and the second one is beyond its end.
TEST(SlabFields, mirror_at_the_end_of_the_domain_though_it_is_in_the_halo) {
  SlabPlan plan = plan_of(sides_all(Beyond::mirror));
  plan.domain = {{10, 20, 30}, {15, 24, 34}};
  FieldView const view = cleared(plan).now()[0];

  EXPECT_EQ(view.beyond(Face::z_high), Beyond::stored);
  EXPECT_EQ(view.beyond(Face::z_low), Beyond::mirror);
  EXPECT_EQ(view.row(0, 3), view.at(0, 3));
  EXPECT_EQ(view.row(0, 4), view.at(0, 3));
  EXPECT_EQ(view.row(0, -1), view.at(0, 0));
}

TEST(SlabFields, have_the_value_of_the_face_beyond_it) {
  SlabFields const fields = cleared(plan_of(sides_all(Beyond::value)));
  FieldView const view = fields.now()[0];

  for (std::int64_t x = -2; x < 7; ++x) {
    EXPECT_EQ(view.row(-1, 0)[x], 3);
    EXPECT_EQ(view.row(4, 0)[x], 4);
    EXPECT_EQ(view.row(0, -1)[x], 5);
    EXPECT_EQ(view.row(0, 3)[x], 6);
  }
}

TEST(SlabFields, leave_what_is_stored_where_it_is) {
  FieldView const view = cleared(plan_of(sides_all(Beyond::stored))).now()[0];

  EXPECT_EQ(view.row(-2, 4), view.at(-2, 4));
}

TEST(SlabFields, count_their_bytes) {
  // 2 + 1 copies of (8 + 16 + 8) x 8 x 7 doubles, and a line at each end.
  EXPECT_EQ(SlabFields::bytes_of(plan_of(sides_all(Beyond::stored))),
            (3 * (32 * 8 * 7 + 16) + (0 + 1 + 2) * 48) * 8);
}

// In memory that begins one, as a GPU's does: its threads load a row of points by lines of 128
// bytes.
TEST(SlabFields, of_more_points_than_can_be_counted_are_refused) {
  constexpr std::int64_t far = std::int64_t{1} << 60;
  for (Point const& size : {Point{far, 1, 1}, Point{1, far, 1}, Point{1, 1, far},
                            Point{1 << 25, 1 << 25, 1}, Point{far, far, far}}) {
    SlabPlan plan = plan_of(sides_all(Beyond::stored));
    plan.box = {{}, size};
    EXPECT_THROW(static_cast<void>(SlabFields::bytes_of(plan)), InputError);
    EXPECT_THROW(SlabFields{plan}, InputError);
  }
}

TEST(SlabFields, begin_rows_on_lines_of_a_gpu) {
  std::int64_t doubles = 0;
  SlabFields const fields(plan_of(sides_all(Beyond::stored), 1), [&](std::int64_t count) {
    doubles += count;
    auto* const memory = static_cast<double*>(
        std::aligned_alloc(128, static_cast<std::size_t>(count + 15) / 16 * 128));
    return FieldMemory(memory, count, [](double* mine) { std::free(mine); });
  });
  for (FieldView const& view : {fields.now()[0], fields.next()[0], fields.now()[1]}) {
    for (std::int64_t const y : {0, 1, 3}) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.at(y, y - 1)) % 128, 0U) << y;
    }
  }
  EXPECT_LE(doubles * 8, SlabFields::bytes_of(plan_of(sides_all(Beyond::stored), 1)));
}

TEST(FieldMemory, says_what_it_could_not_have) {
  EXPECT_THAT([] { FieldMemory(std::int64_t{1} << 50); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("a field of 8589934592 MiB")));
}

}  // namespace
}  // namespace makespan::grid

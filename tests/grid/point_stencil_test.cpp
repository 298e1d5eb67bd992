// SPDX-License-Identifier: Apache-2.0
// Goal: a function of a point sees all that is around it, of each field, and is asked once for each
// point. Method: against plain loops; and as several images, against the plainest program.
#include "makespan/grid/point_stencil.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/detail/slab.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

constexpr Box box{{10, 20, 30}, {21, 24, 35}};  // 11 x 4 x 5

// With a number at each point, and what is beyond the ends of rows.
SlabFields fields_for(Stencil const& stencil) {
  StencilShape const shape = stencil.shape();
  SlabFields fields({.box = box,
                     .domain = {{0, 0, 0}, {21, 40, 50}},
                     .sides = {Beyond::stored, Beyond::value, Beyond::mirror, Beyond::mirror,
                               Beyond::mirror, Beyond::mirror},
                     .halo_width = shape.halo.width,
                     .roles = shape.fields,
                     .values = {shape.fields.size(), FaceValues{0, 0.5}}});
  fields.clear(fields.first_plane(), fields.last_plane());
  for (FieldView const& view : fields.now()) {
    Box const around = grown({{}, box.extent()}, shape.halo.width);
    for (std::int64_t z = around.begin.z; z < around.end.z; ++z) {
      for (std::int64_t y = around.begin.y; y < around.end.y; ++y) {
        for (std::int64_t x = around.begin.x; x < around.end.x; ++x) {
          view.at(y, z)[x] = whole_number_at({x + 10, y + 20, z + 30});
        }
      }
    }
  }
  fill_row_ends(fields.current_exchanged_fields(), shape.halo.width);
  return fields;
}

void sweep(Stencil const& stencil, SlabFields const& fields, Box const& part, Pause pause = {}) {
  stencil.sweep(
      {.box = part, .step = 7, .now = fields.now(), .next = fields.next(), .pause = pause});
}

TEST(PointStencil, computes_from_the_points_along_axes) {
  auto const stencil = point_stencil({.fields = {FieldRole::spreads}}, [](Around const& u) {
    return 6 * u(0, 0, 0) + u(-1, 0, 0) + 2 * u(1, 0, 0) + 3 * u(0, -1, 0) + 4 * u(0, 1, 0) +
           5 * u(0, 0, -1) + 7 * u(0, 0, 1);
  });
  SlabFields const fields = fields_for(stencil);
  sweep(stencil, fields, box);

  FieldView const& u = fields.now()[0];
  for (std::int64_t z = 0; z < 5; ++z) {
    for (std::int64_t y = 0; y < 4; ++y) {
      for (std::int64_t x = 0; x < 11; ++x) {
        double const right = x == 10 ? 0.5 : u.at(y, z)[x + 1];  // the grid ends there
        EXPECT_EQ(fields.next()[0].at(y, z)[x], 6 * u.at(y, z)[x] + u.at(y, z)[x - 1] + 2 * right +
                                                    3 * u.at(y - 1, z)[x] + 4 * u.at(y + 1, z)[x] +
                                                    5 * u.at(y, z - 1)[x] + 7 * u.at(y, z + 1)[x]);
      }
    }
  }
}

TEST(PointStencil, computes_the_box_that_it_is_asked_for) {
  auto const stencil =
      point_stencil({.fields = {FieldRole::spreads}}, [](Around const&) { return -1.0; });
  SlabFields const fields = fields_for(stencil);
  Box const part{{12, 21, 31}, {20, 23, 34}};
  sweep(stencil, fields, part);

  for (std::int64_t z = 0; z < 5; ++z) {
    for (std::int64_t y = 0; y < 4; ++y) {
      for (std::int64_t x = 0; x < 11; ++x) {
        bool const is_in = part.holds(box.begin + Point{x, y, z});
        EXPECT_EQ(fields.next()[0].at(y, z)[x], is_in ? -1 : 0);
      }
    }
  }
}

TEST(PointStencil, knows_the_point_and_the_step) {
  auto const stencil = point_stencil({.fields = {FieldRole::stays}}, [](Around const& u) {
    Point const at = u.at();
    return static_cast<double>(u.step() * 1'000'000 + at.z * 10'000 + at.y * 100 + at.x);
  });
  SlabFields const fields = fields_for(stencil);
  sweep(stencil, fields, {{12, 21, 31}, {20, 23, 34}});

  EXPECT_EQ(fields.now()[0].at(1, 1)[2], 7'312'112);
  EXPECT_EQ(fields.now()[0].at(2, 3)[9], 7'332'219);
}

TEST(PointStencil, asks_once_for_each_point_and_pauses_now_and_then) {
  std::atomic<int> calls{0};
  auto const stencil = point_stencil({.fields = {FieldRole::stays}},
                                     [&](Around const& u) { return u(0, 0, 0) + (++calls, 1); });
  SlabFields fields(
      {.box = {{}, {1000, 10, 10}}, .roles = {FieldRole::stays}, .values = {FaceValues{}}});
  fields.clear(fields.first_plane(), fields.last_plane());
  int pauses = 0;
  sweep(stencil, fields, fields.box(),
        Pause([](void* count) { ++*static_cast<int*>(count); }, &pauses));

  EXPECT_EQ(calls, 100'000);
  EXPECT_EQ(fields.now()[0].at(9, 9)[999], 1);
  EXPECT_GE(pauses, 2);
  EXPECT_LE(pauses, 10);
}

TEST(PointStencil, has_the_rest_of_its_shape_by_itself) {
  auto const stencil =
      point_stencil({.fields = {FieldRole::spreads, FieldRole::stays}, .halo = {.width = 3}},
                    [](Around const&) { return std::array{1.0, 2.0}; });

  EXPECT_TRUE(stencil.shape().reads_row_ends);
  EXPECT_EQ(stencil.shape().halo.width, 3);
  EXPECT_EQ(stencil.shape().fields.size(), 2U);
}

TEST(PointStencil, refuses_a_function_of_other_fields) {
  auto const one = [](Around const&) { return 1.0; };

  EXPECT_THROW(static_cast<void>(point_stencil({.fields = {}}, one)), ContractViolated);
  EXPECT_THROW(
      static_cast<void>(point_stencil({.fields = {FieldRole::stays, FieldRole::stays}}, one)),
      ContractViolated);
  EXPECT_THROW(
      static_cast<void>(point_stencil({.fields = {FieldRole::spreads}, .steps_max = 2}, one)),
      ContractViolated);
  static_assert(!PointFunction<decltype([](Around const&) { return "one"; })>);
  static_assert(!PointFunction<decltype([](double) { return 1.0; })>);
}

// The same as WeightedSums, by a function of a point.
auto sums_by_point() {
  return point_stencil(
      {.fields = {FieldRole::spreads, FieldRole::stays},
       .halo = {.width = sums_width, .shape = HaloShape::box}},
      [](Around const& u) {
        auto const around = [&](std::int64_t dx, std::int64_t dy, std::int64_t dz) {
          return u(static_cast<int>(dx), static_cast<int>(dy), static_cast<int>(dz));
        };
        return std::array{weighted_sum(around, u.step()), u(1, 0, 0, 0) + u(0, 0, 0, 0)};
      });
}

TEST(PointStencilGrid, has_the_bits_of_plain_loops_on_any_images) {
  pgas::Runtime runtime({.threads = 2});
  auto const stencil = sums_by_point();
  constexpr FaceValues values{1, 20, 300, 4000, 50'000, 600'000};
  Point const size{27, 6, 9};
  for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
    for (ImageCut const cut : {ImageCut::stack, ImageCut::boxes}) {
      Faces const faces = faces_all(kind);
      Grid grid(runtime, {.box = {{}, size}, .faces = faces, .values = {values, FaceValues{}}},
                {{.stencil = &stencil}, {.stencil = &stencil}}, {.cut = cut});
      grid.fill([](int field, Point at) { return field == 0 ? whole_number_at(at) : 0.0; });
      grid.run_all(4);
      std::vector<double> const now = grid.gather_all(0, {{}, size});
      std::vector<double> const sums = grid.gather_all(1, {{}, size});
      if (runtime.image() != ImageId{0}) continue;
      PlainSums plain(size, faces, values);
      std::size_t i = 0;
      for (std::int64_t z = 0; z < size.z; ++z) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          for (std::int64_t x = 0; x < size.x; ++x) plain.now()[i++] = whole_number_at({x, y, z});
        }
      }
      for (int step = 0; step < 4; ++step) plain.step(step);
      EXPECT_EQ(now, plain.now()) << static_cast<int>(kind);
      EXPECT_EQ(sums, plain.sums()) << static_cast<int>(kind);
    }
  }
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: what a thread of a GPU computes is what a processor's vectors do, to the last bit, and
// nothing but what it was asked for. Method: the same program on the host, on slabs of all sizes
// and faces.
#include "makespan/apps/diffusion/gpu/detail/column_job.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "../plain_field.hpp"
#include "host_columns.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/field/slab_fields.hpp"

namespace makespan::diffusion {
namespace {

using grid::Beyond;
using grid::Box;
using grid::Point;

constexpr Lambdas column_lambdas{0.15, 0.05, 0.2};
constexpr grid::FaceValues column_face_values{0.25, -1, 2, 0.5, 3, -0.125};

// A slab in the middle of a domain, or at its ends, with everything filled, halo and all.
grid::SlabFields filled(Box const& box, Box const& domain, grid::Sides const& sides) {
  grid::SlabFields fields({.box = box,
                           .domain = domain,
                           .sides = sides,
                           .halo_width = 1,
                           .roles = {grid::FieldRole::spreads},
                           .values = {column_face_values}});
  fields.clear(fields.first_plane(), fields.last_plane());
  Point const extent = box.extent();
  for (std::int64_t z = -1; z <= extent.z; ++z) {
    for (std::int64_t y = -1; y <= extent.y; ++y) {
      for (std::int64_t x = -1; x <= extent.x; ++x) {
        fields.now()[0].at(y, z)[x] = drawn_at(box.begin + Point{x, y, z} + Point{1, 1, 1});
        fields.next()[0].at(y, z)[x] = -77;
      }
    }
  }
  return fields;
}

std::vector<double> next_of(grid::SlabFields const& fields) {
  std::vector<double> values;
  Point const extent = fields.box().extent();
  for (std::int64_t z = -1; z <= extent.z; ++z) {
    for (std::int64_t y = -1; y <= extent.y; ++y) {
      double const* const row = fields.next()[0].at(y, z);
      values.insert(values.end(), row - 1, row + extent.x + 1);
    }
  }
  return values;
}

// The part of `asked` that was computed by vectors alone: these may write beyond a row's end.
std::vector<double> expected(Box const& box, Box const& domain, grid::Sides const& sides,
                             Box const& asked) {
  grid::SlabFields whole = filled(box, domain, sides);
  Diffusion const stencil(column_lambdas);
  stencil.sweep({.box = box, .now = whole.now(), .next = whole.next()});
  grid::SlabFields part = filled(box, domain, sides);
  Box const local = grid::moved(asked, Point{} - box.begin);
  for (std::int64_t z = local.begin.z; z < local.end.z; ++z) {
    for (std::int64_t y = local.begin.y; y < local.end.y; ++y) {
      for (std::int64_t x = local.begin.x; x < local.end.x; ++x) {
        part.next()[0].at(y, z)[x] = whole.next()[0].at(y, z)[x];
      }
    }
  }
  return next_of(part);
}

TEST(Column, has_the_bits_of_vectors_in_slabs_of_all_sizes_and_faces) {
  Box const domain{{}, {40, 40, 40}};
  for (Beyond const beyond : {Beyond::stored, Beyond::mirror, Beyond::value}) {
    grid::Sides sides{};
    sides.fill(beyond);
    for (Box const& box : {domain, Box{{0, 0, 0}, {7, 3, 1}}, Box{{11, 5, 20}, {30, 9, 27}},
                           Box{{39, 39, 39}, {40, 40, 40}}, Box{{0, 0, 30}, {40, 40, 40}}}) {
      for (std::int64_t const planes_each : {1, 4, 64}) {
        grid::SlabFields fields = filled(box, domain, sides);
        compute_columns({.box = box, .now = fields.now(), .next = fields.next()},
                        factors_of(column_lambdas), planes_each);
        EXPECT_EQ(next_of(fields), expected(box, domain, sides, box))
            << static_cast<int>(beyond) << ' ' << box.points() << ' ' << planes_each;
      }
    }
  }
}

TEST(Column, computes_what_it_is_asked_for_and_no_more) {
  Box const box{{0, 0, 0}, {9, 8, 7}};
  grid::Sides sides{};
  sides.fill(Beyond::mirror);
  for (Box const& asked : {Box{{2, 3, 1}, {9, 4, 6}}, Box{{0, 0, 0}, {9, 8, 1}},
                           Box{{3, 0, 2}, {3, 8, 7}}, Box{{8, 7, 6}, {9, 8, 7}}}) {
    grid::SlabFields fields = filled(box, box, sides);
    compute_columns({.box = asked, .now = fields.now(), .next = fields.next()},
                    factors_of(column_lambdas), 3);
    EXPECT_EQ(next_of(fields), expected(box, box, sides, asked)) << asked.points();
  }
}

}  // namespace
}  // namespace makespan::diffusion

// SPDX-License-Identifier: Apache-2.0
// Goal: a face's kind is found by its name, and an axis wraps if its faces are periodic.
#include "makespan/grid/cut/faces.hpp"

#include <gtest/gtest.h>

namespace makespan::grid {
namespace {

TEST(Faces, have_a_kind_each) {
  Faces faces = faces_all(FaceKind::value);
  faces.kinds[3] = FaceKind::no_flux;

  EXPECT_EQ(faces.at(Face::y_high), FaceKind::no_flux);
  EXPECT_EQ(faces.at(Face::y_low), FaceKind::value);
  EXPECT_EQ(faces_all(FaceKind::value).at(Face::z_high), FaceKind::value);
  EXPECT_NE(faces, faces_all(FaceKind::value));
}

TEST(Faces, wrap_along_axes_that_are_periodic) {
  Faces faces = faces_all(FaceKind::no_flux);
  faces.kinds[2] = faces.kinds[3] = FaceKind::periodic;

  EXPECT_FALSE(faces.wraps().x);
  EXPECT_TRUE(faces.wraps().y);
  EXPECT_FALSE(faces.wraps().z);
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: a team's images make the same diffusion of an order, faces, values and all. Method: a field
// on several devices and images beside one on a grid of this image.
#include "makespan/apps/diffusion/model/diffusion_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::diffusion {
namespace {

using grid::FaceKind;
using testing::HasSubstr;
using testing::ThrowsMessage;

DiffusionSettings settings() {
  return {.points = {11, 6, 19},
          .faces = {{FaceKind::value, FaceKind::no_flux, FaceKind::periodic, FaceKind::periodic,
                     FaceKind::value, FaceKind::value}},
          .values = {1, 2, 3, 4, 5, 6},
          .lambdas = {0.125, 0.0625, 0.25},
          .steps_at_once = 2};
}

TEST(DiffusionModel, is_the_same_made_of_an_order) {
  DiffusionSettings const given = settings();
  auto const model = diffusion_kind().make(order_of(given).bytes);
  EXPECT_EQ(order_of(given).kind, diffusion_kind().name);
  EXPECT_EQ(model->problem().box.end, given.points);
  EXPECT_EQ(model->problem().faces, given.faces);
  EXPECT_THAT(model->problem().values, testing::ElementsAre(given.values));
  EXPECT_EQ(model->stencil().shape().steps_max, 2);
}

TEST(DiffusionModel, runs_in_a_team) {
  grid::GridTeam team({0, 0}, {diffusion_kind()});
  if (team.image() != 0) {
    team.serve();
    team.finish_all();
    return;
  }
  std::vector<std::vector<Digest>> digests;
  for (int const devices : {1, 2}) {
    for (int const steps_at_once : {1, 2}) {
      team.open(order_of(settings()), {.devices = devices, .steps_at_once = steps_at_once});
      team.start();
      team.scatter(0, {{3, 2, 9}, {4, 3, 10}}, std::vector{8.0});
      // The four neighbours of one point, and the point: exact in binary.
      team.run(2);
      digests.push_back(team.digests());
    }
  }
  EXPECT_THAT(digests, testing::Each(digests.front()));
  // After one step from 0 next to the face at z = 0, whose value is 5: 5 · 0.25.
  team.start();
  team.run(1);
  EXPECT_EQ(team.gather(0, {{5, 3, 0}, {6, 4, 1}}), std::vector{1.25});
  EXPECT_THAT(
      [&] {
        DiffusionSettings unstable = settings();
        unstable.lambdas.x = 0.5;
        team.open(order_of(unstable), {});
      },
      ThrowsMessage<InputError>(HasSubstr("stable up to 0.5")));
  team.finish_all();
}

}  // namespace
}  // namespace makespan::diffusion

// SPDX-License-Identifier: Apache-2.0
// Goal: a program that was sent runs on all images of a team, with the bits of the kernel written
// by hand, compiled or not. Method: diffusion both ways, on several devices and images.
#include "makespan/apps/equations/equation_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../diffusion/diffusion_program.hpp"
#include "makespan/apps/diffusion/model/diffusion_model.hpp"
#include "makespan/base/error.hpp"

namespace makespan::equations {
namespace {

using grid::FaceKind;
using grid::KernelChoice;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr diffusion::Lambdas lambdas{0.1, 0.07, 0.2};

diffusion::DiffusionSettings by_hand() {
  return {.points = {27, 6, 19},
          .faces = {{FaceKind::value, FaceKind::no_flux, FaceKind::periodic, FaceKind::periodic,
                     FaceKind::no_flux, FaceKind::value}},
          .values = {1, 2, 3, 4, 5, 6},
          .lambdas = lambdas};
}

EquationSettings equations(KernelChoice kernel) {
  diffusion::DiffusionSettings const like = by_hand();
  return {.points = like.points,
          .faces = like.faces,
          .values = {like.values},
          .program = diffusion::diffusion_program(),
          .parameters = diffusion::diffusion_parameters(lambdas),
          .kernel = kernel};
}

std::vector<Digest> digests_after(grid::GridTeam& team, grid::ModelOrder const& order,
                                  grid::TeamOptions const& options) {
  team.open(order, options);
  team.start();
  team.scatter(0, {{3, 2, 9}, {4, 3, 10}}, std::vector{8.0});
  team.run(5);
  return team.digests();
}

TEST(EquationModel, has_the_bits_of_the_kernel_by_hand) {
  grid::GridTeam team({0, 0}, {diffusion::diffusion_kind(), equation_kind()});
  if (team.image() != 0) {
    team.serve();
    team.finish_all();
    return;
  }
  std::vector<Digest> const expected = digests_after(team, diffusion::order_of(by_hand()), {});
  for (KernelChoice const kernel : {KernelChoice::automatic, KernelChoice::interpreted}) {
    for (int const devices : {1, 2}) {
      EXPECT_EQ(digests_after(team, order_of(equations(kernel)), {.devices = devices}), expected);
      EquationSettings several = equations(kernel);
      several.steps_at_once = 3;
      EXPECT_EQ(digests_after(team, order_of(several), {.devices = devices, .steps_at_once = 3}),
                expected);
    }
  }
  // Parameters that change: with all but the centre's at 0 each point is multiplied.
  team.heed(word_of({2, 0, 0, 0}));
  std::vector<double> const before = team.gather(0, {{3, 2, 9}, {4, 3, 10}});
  team.run(1);
  EXPECT_EQ(team.gather(0, {{3, 2, 9}, {4, 3, 10}}), std::vector{2 * before[0]});
  EXPECT_THAT([&] { team.heed(word_of({1})); }, ThrowsMessage<InputError>(HasSubstr("1 param")));
  team.finish_all();
}

TEST(EquationModel, refuses_an_order_that_makes_no_sense) {
  EquationSettings const good = equations(KernelChoice::interpreted);
  auto const refused = [](EquationSettings const& settings, std::string const& text) {
    EXPECT_THAT([&] { static_cast<void>(equation_kind().make(order_of(settings).bytes)); },
                ThrowsMessage<InputError>(HasSubstr(text)));
  };
  EquationSettings bad = good;
  bad.parameters.pop_back();
  refused(bad, "3 parameters");
  bad = good;
  bad.values.clear();
  refused(bad, "0 fields' face values");
  bad = good;
  bad.faces.kinds[3] = static_cast<FaceKind>(9);
  refused(bad, "a face of kind 9");
  bad = good;
  bad.kernel = static_cast<KernelChoice>(7);
  refused(bad, "a kernel of kind 7");
  bad = good;
  bad.program.nodes[0].op = static_cast<grid::PointOp>(99);
  refused(bad, "unknown");
  EXPECT_THAT([&] { static_cast<void>(EquationModel(good).accelerator(0)); },
              ThrowsMessage<InputError>(HasSubstr("kernel=\"interpreted\"")));
}

}  // namespace
}  // namespace makespan::equations

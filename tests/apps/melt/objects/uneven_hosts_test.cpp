// SPDX-License-Identifier: Apache-2.0
// Goal: an instruction set that one host alone lacks is refused by all images, which go on. Method:
// an image that is told to forget what its processor has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "makespan/apps/melt/kernels.hpp"
#include "makespan/apps/melt/objects/melt_team.hpp"
#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(UnevenHosts, an_instruction_set_that_one_lacks_is_refused_by_all) {
  MeltTeam team(1);
  MeltSettings const settings{
      .lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}, .rebuild_steps = 5, .steps = 2};
  if (team.image() > 0) {
    // Before the first look at tables, which keeps what it finds.
    hwy::DisableTargets(-1);
    team.serve();
    return team.finish_all();
  }
  std::string const fastest{Kernels::named("auto").isa};
  bool const is_vector = Kernels::available().size() > 1;

  if (is_vector && team.images() > 1) {
    EXPECT_THAT([&] { static_cast<void>(team.run(settings, {.isa = fastest})); },
                ThrowsMessage<InputError>(HasSubstr("1 of 2 images are on hosts without it")));
  }
  EXPECT_EQ(team.run(settings, {}).steps, 2);
  team.finish_all();
}

}  // namespace
}  // namespace makespan::melt

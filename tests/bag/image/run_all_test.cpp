// SPDX-License-Identifier: Apache-2.0
// Goal: a function is run on every item once by all images together, every image gets all results
// in order, and what an item throws anywhere is thrown everywhere. Method: small lists, one team
// for several of them.
#include "makespan/bag/image/run_all.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cereal/types/string.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/bag/item_failed.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::bag {
namespace {

using testing::HasSubstr;

TEST(RunAll, gives_all_results_to_every_image) {
  ImageTeam team({.devices = {{.threads = 2}}});
  for (bool const has_costs : {false, true}) {
    std::vector<double> costs;
    for (int index = 0; has_costs && index < 500; ++index) costs.push_back(1 + index % 7);

    auto const squares = run_all(team, 500, costs, [](std::int64_t index) {
      return std::to_string(index * index) + std::string(200, '.');
    });

    ASSERT_EQ(squares.size(), 500U);
    for (std::size_t index = 0; index < squares.size(); ++index) {
      EXPECT_EQ(squares[index], std::to_string(index * index) + std::string(200, '.'));
    }
  }
  EXPECT_TRUE(run_all(team, 0, {}, [](std::int64_t) { return 1; }).empty());
  team.finish_all();
}

TEST(RunAll, throws_everywhere_what_an_item_throws) {
  ImageTeam team({.devices = {{.threads = 1}}});
  for (int round = 0; round < 2; ++round) {
    try {
      static_cast<void>(run_all(team, 200, {}, [](std::int64_t index) -> double {
        if (index == 150) throw std::domain_error("no such area");
        return 0.5;
      }));
      ADD_FAILURE();
    } catch (std::runtime_error const& error) {
      EXPECT_THAT(error.what(), HasSubstr("item 150: no such area"));
    }
  }
  team.finish_all();
}

TEST(RunAll, throws_everywhere_where_an_item_throws_what_is_no_exception) {
  ImageTeam team({.devices = {{.threads = 1}}});
  try {
    static_cast<void>(run_all(team, 200, {}, [](std::int64_t index) -> double {
      if (index >= 100) throw index;  // NOLINT(hicpp-exception-baseclass)
      return 0.5;
    }));
    ADD_FAILURE();
  } catch (std::runtime_error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("no std::exception"));
  }
  team.finish_all();
}

// Image 0 may meet what keeps it from the items, and end the team.
TEST(RunAll, throws_where_image_0_ends_the_team_instead) {
  ImageTeam team({.devices = {{.threads = 1}}});
  if (team.image() != 0) {
    EXPECT_THAT([&] { run_all(team, 10, {}, [](std::int64_t index) { return index; }); },
                testing::ThrowsMessage<RemoteError>(HasSubstr("has ended the team")));
  }
  team.finish_all();
}

}  // namespace
}  // namespace makespan::bag

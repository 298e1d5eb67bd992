// SPDX-License-Identifier: Apache-2.0
// Goal: each model says what its name says, and loads that were not measured follow from those that
// were. Method: by hand.
#include "makespan/graph/model/load_model.hpp"

#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

double next(std::string_view model, std::vector<double> const& past,
            OptionValues const& options = {}) {
  return make_load_model(model, options)->next(past);
}

TEST(LoadModel, last_is_the_last_phase) {
  EXPECT_EQ(next("last", {5, 1, 3}), 3.0);
}

TEST(LoadModel, median_is_of_the_last_few) {
  EXPECT_EQ(next("median", {100, 100, 100, 1, 9, 3}, {{"phases", 3.0}}), 3.0);
  EXPECT_EQ(next("median", {4, 2}), 3.0);
  EXPECT_EQ(next("median", {7}), 7.0);
}

TEST(LoadModel, linear_goes_on_along_the_line) {
  EXPECT_DOUBLE_EQ(next("linear", {100, 2, 4, 6}, {{"phases", 3.0}}), 8.0);
  EXPECT_DOUBLE_EQ(next("linear", {1, 3, 2}), 3.0);  // 2 and a half a phase
  EXPECT_DOUBLE_EQ(next("linear", {7}), 7.0);
}

TEST(LoadModel, linear_never_falls_below_nothing) {
  EXPECT_EQ(next("linear", {5, 1}), 0.0);
}

TEST(LoadModel, of_steady_loads_is_that_load) {
  for (LoadModelEntry const& entry : load_models()) {
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_DOUBLE_EQ(entry.make({})->next(std::vector(9, 2.5)), 2.5) << entry.name;
  }
}

TEST(LoadModel, refuses_names_and_options_that_it_does_not_know) {
  EXPECT_THROW(static_cast<void>(make_load_model("lest", {})), InputError);
  EXPECT_THROW(static_cast<void>(make_load_model("last", {{"phases", 3.0}})), InputError);
  EXPECT_THROW(static_cast<void>(make_load_model("median", {{"phases", 0.0}})), InputError);
}

TEST(NextWork, is_what_the_model_says_of_the_phases_that_an_object_was_measured_in) {
  std::vector<MeasuredWork> const phases{{1, 2, -1}, {3, -1, 7}, {5, 0, -1}};

  EXPECT_EQ(next_work(phases, 3, *make_load_model("median", {})), (std::vector{3.0, 1.0, 7.0}));
  EXPECT_EQ(next_work(phases, 3, *make_load_model("last", {})), (std::vector{5.0, 0.0, 7.0}));
}

TEST(NextWork, of_an_object_that_never_ran_is_the_usual) {
  std::vector<MeasuredWork> const phases{{1, -1, 5, 3}};

  EXPECT_EQ(next_work(phases, 4, *make_load_model("last", {})), (std::vector{1.0, 3.0, 5.0, 3.0}));
  EXPECT_EQ(next_work({}, 2, *make_load_model("last", {})), (std::vector{0.0, 0.0}));
}

TEST(NextWorkContract, wants_every_object_in_every_phase) {
  std::vector<MeasuredWork> const short_one{{1}};

  EXPECT_THROW(static_cast<void>(next_work(short_one, 2, *make_load_model("last", {}))),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::graph

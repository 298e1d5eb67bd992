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

TEST(NextWork, is_what_the_model_says_of_the_phases_on_a_kind) {
  std::vector<MeasuredPhase> const phases{{{1, 2}, {0, 0}}, {{3, 4}, {0, 0}}, {{5, 0}, {0, 0}}};

  EXPECT_EQ(next_work(phases, 2, 1, *make_load_model("median", {})), (std::vector{3.0, 2.0}));
}

TEST(NextWork, scales_to_kinds_that_an_object_did_not_run_on) {
  // Objects 0 and 1 ran on both kinds, at a tenth and a fifth of the time; 2 on the first, 3 on the
  // second alone.
  std::vector<MeasuredPhase> const phases{{{10, 10, 8, 3}, {0, 0, 0, 1}},
                                          {{1, 2, 8, 3}, {1, 1, 0, 1}}};

  auto const work = next_work(phases, 4, 2, *make_load_model("last", {}));

  std::vector<double> const expected{10, 1, 10, 2, 8, 8 * 0.15, 3 * 7.5, 3};
  ASSERT_EQ(work.size(), expected.size());
  for (std::size_t i = 0; i < work.size(); ++i) EXPECT_DOUBLE_EQ(work[i], expected[i]) << i;
}

TEST(NextWork, of_an_object_that_never_ran_is_the_usual) {
  std::vector<MeasuredPhase> const phases{{{1, -1, 5, 3}, {0, 0, 0, 0}}};

  EXPECT_EQ(next_work(phases, 4, 1, *make_load_model("last", {})),
            (std::vector{1.0, 3.0, 5.0, 3.0}));
  EXPECT_EQ(next_work({}, 2, 1, *make_load_model("last", {})), (std::vector{0.0, 0.0}));
}

TEST(NextWorkContract, wants_every_object_in_every_phase) {
  std::vector<MeasuredPhase> const short_one{{{1}, {0}}};
  std::vector<MeasuredPhase> const strange_kind{{{1, 1}, {0, 2}}};
  auto const model = make_load_model("last", {});

  EXPECT_THROW(static_cast<void>(next_work(short_one, 2, 1, *model)), ContractViolated);
  EXPECT_THROW(static_cast<void>(next_work(strange_kind, 2, 1, *model)), ContractViolated);
}

}  // namespace
}  // namespace makespan::graph

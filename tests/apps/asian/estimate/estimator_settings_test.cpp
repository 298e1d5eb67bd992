// SPDX-License-Identifier: Apache-2.0
// Goal: estimators are found by name, and settings that cannot be priced with are refused with a
// message that helps.
#include "makespan/apps/asian/estimate/estimator_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(EstimatorSettings, list_the_default_method_first) {
  EXPECT_EQ(methods().front().method, EstimatorSettings{}.method);
  EXPECT_EQ(methods().size(), 6U);
  for (MethodEntry const& entry : methods()) {
    EXPECT_EQ(method_named(entry.name), entry.method);
    EXPECT_FALSE(entry.summary.empty());
  }
}

TEST(EstimatorSettings, name_the_methods_there_are) {
  EXPECT_THAT([] { static_cast<void>(method_named("sobol")); },
              ThrowsMessage<InputError>(
                  HasSubstr("unknown method 'sobol' (the methods are auto, exact, mc")));
}

TEST(EstimatorSettings, out_of_range_are_refused_by_name) {
  for (int const replicates : {15, 4097}) {
    for (Method const method : {Method::automatic, Method::rqmc, Method::rqmc_smooth}) {
      EXPECT_THAT(
          [&] { check({.method = method, .replicates = replicates}); },
          ThrowsMessage<InputError>(HasSubstr("replicates = " + std::to_string(replicates))));
    }
  }
  EXPECT_THAT([] { check({.philox_rounds = 8}); },
              ThrowsMessage<InputError>(HasSubstr("philox_rounds = 8")));
}

TEST(EstimatorSettings, ask_for_replicates_only_where_they_are_used) {
  EstimatorSettings settings;
  settings.method = Method::mc;
  settings.replicates = 1;
  EXPECT_NO_THROW(check(settings));
  settings.method = Method::rqmc;
  settings.replicates = 16;
  EXPECT_NO_THROW(check(settings));
}

}  // namespace
}  // namespace makespan::asian

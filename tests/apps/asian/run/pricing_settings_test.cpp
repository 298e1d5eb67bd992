// SPDX-License-Identifier: Apache-2.0
// Goal: settings that cannot be priced with are refused with a message that helps.
#include "makespan/apps/asian/run/pricing_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PricingSettings, are_good_as_they_come) {
  EXPECT_NO_THROW(check(PricingSettings{}));
}

TEST(PricingSettings, list_the_default_method_first) {
  EXPECT_EQ(methods().front().method, PricingSettings{}.method);
  EXPECT_EQ(methods().size(), 3U);
  for (MethodEntry const& entry : methods()) {
    EXPECT_EQ(method_named(entry.name), entry.method);
    EXPECT_FALSE(entry.summary.empty());
  }
}

TEST(PricingSettings, name_the_methods_there_are) {
  EXPECT_THAT(
      [] { static_cast<void>(method_named("sobol")); },
      ThrowsMessage<InputError>(HasSubstr("unknown method 'sobol' (the estimators are mc")));
}

struct Refused {
  void (*spoil)(PricingSettings& settings);
  char const* said;
};

TEST(PricingSettings, out_of_range_are_refused_by_name) {
  for (auto const& [spoil, said] :
       {Refused{[](PricingSettings& s) { s.method = Method::rqmc, s.replicates = 15; },
                "replicates = 15"},
        Refused{[](PricingSettings& s) { s.method = Method::rqmc, s.replicates = 4097; },
                "replicates = 4097"},
        Refused{[](PricingSettings& s) { s.philox_rounds = 8; }, "philox_rounds = 8"},
        Refused{[](PricingSettings& s) { s.threads = -1; }, "threads = -1"},
        Refused{[](PricingSettings& s) { s.threads = 4097; }, "threads = 4097"},
        Refused{[](PricingSettings& s) { s.confidence = 0; }, "confidence = 0"},
        Refused{[](PricingSettings& s) { s.confidence = 1; }, "confidence = 1"},
        Refused{[](PricingSettings& s) { s.confidence = std::numeric_limits<double>::quiet_NaN(); },
                "confidence = "}}) {
    PricingSettings settings;
    spoil(settings);
    EXPECT_THAT([&] { check(settings); }, ThrowsMessage<InputError>(HasSubstr(said)));
  }
}

TEST(PricingSettings, ask_for_replicates_only_where_they_are_used) {
  PricingSettings settings;
  settings.replicates = 1;
  EXPECT_NO_THROW(check(settings));
  settings.method = Method::rqmc;
  settings.replicates = 16;
  EXPECT_NO_THROW(check(settings));
}

}  // namespace
}  // namespace makespan::asian

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

struct Refused {
  void (*spoil)(PricingSettings& settings);
  char const* said;
};

TEST(PricingSettings, out_of_range_are_refused_by_name) {
  for (auto const& [spoil, said] :
       {Refused{[](PricingSettings& s) { s.philox_rounds = 8; }, "philox_rounds = 8"},
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

}  // namespace
}  // namespace makespan::asian

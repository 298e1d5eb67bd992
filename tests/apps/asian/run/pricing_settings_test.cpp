// SPDX-License-Identifier: Apache-2.0
// Goal: settings that cannot be priced with are refused with a message that helps.
#include "makespan/apps/asian/run/pricing_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/apps/asian/gpu/block_device.hpp"
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

// What a CPU beside so many GPUs has of so many cores; 0: all.
struct Beside {
  int gpus;
  int cores;
  int threads;
};

TEST(Devices, of_a_CPU_leave_cores_to_the_threads_that_feed_GPUs) {
  for (Beside const& row : {Beside{0, 16, 0}, Beside{1, 16, 12}, Beside{2, 16, 8}, Beside{3, 16, 8},
                            Beside{1, 64, 56}, Beside{1, 4, 3}, Beside{1, 3, 0}, Beside{9, 2, 0}}) {
    auto const devices = beside_gpus(machine::devices_from("cpu cuda:0"), row.gpus, row.cores);
    EXPECT_EQ(devices[0].threads, row.threads) << row.gpus << " GPUs, " << row.cores << " cores";
    EXPECT_EQ(devices[1].threads, 0);
  }
  for (std::string_view const said : {"cpu[threads=5]", "cpu[cores=0-4,threads=5]"}) {
    EXPECT_EQ(beside_gpus(machine::devices_from(said), 1, 16)[0].threads, 5) << said;
  }
  EXPECT_EQ(beside_gpus(machine::devices_from("cpu[cores=0-7]"), 1, 16)[0].threads, 0);
}

class OneGpu final : public BlockGpus {
 public:
  [[nodiscard]] std::vector<BlockGpu> const& list() const override { return gpus_; }
  [[nodiscard]] std::string why_none() const override { return {}; }
  [[nodiscard]] std::unique_ptr<BlockDevice> open(int /*gpu*/, int /*threads*/) const override {
    return nullptr;
  }

 private:
  std::vector<BlockGpu> gpus_{{.name = "one", .blocks_at_once = 8, .nominal_speed = Speed{1e8}}};
};

// Other images may feed the GPUs of a list, from cores of their own.
TEST(Devices, of_a_list_leave_no_cores_yet) {
  OneGpu const gpus;
  PricingSettings settings;
  settings.devices = machine::devices_from("cpu cuda:0");
  settings.gpus = &gpus;

  auto const listed = listed_devices(settings);

  EXPECT_EQ(listed[0].threads, 0);
  EXPECT_GE(listed[1].threads, 2);
  EXPECT_EQ(listed[1].isa, "one");
}

}  // namespace
}  // namespace makespan::asian

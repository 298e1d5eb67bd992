// SPDX-License-Identifier: Apache-2.0
// Goal: a book has the same bits on CPUs, on GPUs and on both, also when a GPU fails on the way;
// and a GPU that is not there is named. Method: pricing runs with GPUs of tests (gpus_of_test.hpp):
// the CPU's emulation of one, and one by CUDA where there is one.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <tuple>

#include "apps/asian/mixed_book.hpp"
#include "apps/asian/team_bits.hpp"
#include "gpu_check_books.hpp"
#include "gpus_of_test.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

class GpuPricing : public testing::TestWithParam<std::tuple<Method, bool>> {
 protected:
  void SetUp() override {
    if (auto const why = why_no_gpus_of_test(); !why.empty()) GTEST_SKIP() << why;
  }

  static PricingSettings settings(std::string const& devices, BlockGpus const& gpus) {
    auto const [method, greeks] = GetParam();
    PricingSettings settings = settings_of(method, greeks, 1);
    settings.devices = machine::devices_from(devices);
    settings.gpus = &gpus;
    return settings;
  }
};

INSTANTIATE_TEST_SUITE_P(
    EveryEstimator, GpuPricing,
    testing::Combine(testing::Values(Method::mc, Method::mc_plain, Method::rqmc), testing::Bool()));

TEST_P(GpuPricing, gives_the_bits_of_a_CPU) {
  BookColumns const columns = mixed_book();
  auto const gpus = gpus_of_test(2);
  auto const expected = bits_alone(columns, settings("cpu", *gpus));
  for (std::string const devices : {"cuda:0", "cpu cuda:1", "cuda:0 cuda:1 cpu"}) {
    PricingRun run{columns.book(), settings(devices, *gpus)};

    RunSummary const summary = run.summary();
    EXPECT_TRUE(summary.complete);
    EXPECT_EQ(bits_of(run.results()), expected) << devices;
    EXPECT_EQ(summary.devices.front().isa == gpus->list().front().name,
              devices.starts_with("cuda"));
  }
}

TEST_P(GpuPricing, gives_the_bits_of_a_CPU_when_the_GPU_fails) {
  BookColumns const columns = mixed_book();
  for (int const fatal : {1, 3}) {
    std::atomic<int> launches{0};
    auto const gpus = gpus_of_test(1, [&](BlockLaunch const& /*launch*/) {
      if (++launches >= fatal) throw bag::DeviceFailed("cuda:0: 1 MiB on the GPU: out of memory");
    });
    auto const expected = bits_alone(columns, settings("cpu", *gpus));
    PricingRun run{columns.book(), settings("cuda:0 cpu", *gpus)};

    RunSummary const summary = run.summary();
    EXPECT_TRUE(summary.complete);
    EXPECT_EQ(bits_of(run.results()), expected);
    EXPECT_EQ(summary.devices[0].failed, launches >= fatal);
    EXPECT_FALSE(summary.devices[1].failed);
  }
}

class GpuPricingAlone : public testing::Test {
 protected:
  void SetUp() override {
    if (auto const why = why_no_gpus_of_test(); !why.empty()) GTEST_SKIP() << why;
  }
};

// Under automatic, which smooths one of the rows.
TEST_F(GpuPricingAlone, gives_the_bits_of_a_CPU_for_models) {
  BookColumns const columns = models_book();
  for (bool const greeks : {false, true}) {
    auto const gpus = gpus_of_test(1);
    PricingSettings settings = settings_of(Method::automatic, greeks, 1);
    settings.gpus = gpus.get();
    settings.devices = machine::devices_from("cpu");
    auto const expected = bits_alone(columns, settings);
    for (std::string const devices : {"cuda:0", "cpu cuda:0"}) {
      settings.devices = machine::devices_from(devices);
      PricingRun run{columns.book(), settings};
      EXPECT_TRUE(run.summary().complete);
      EXPECT_EQ(bits_of(run.results()), expected) << devices;
      EXPECT_EQ(run.results().method[3], Method::rqmc_smooth);
    }
  }
}

TEST_F(GpuPricingAlone, ends_with_what_the_last_GPU_said) {
  BookColumns const columns = mixed_book();
  auto const gpus = gpus_of_test(1, [](BlockLaunch const& /*launch*/) {
    throw bag::DeviceFailed("cuda:0: 1 MiB on the GPU: out of memory");
  });
  PricingSettings settings = settings_of(Method::mc, false);
  settings.devices = machine::devices_from("cuda:0");
  settings.gpus = gpus.get();
  PricingRun run{columns.book(), settings};

  EXPECT_THROW(run.summary(), bag::DeviceFailed);
}

TEST_F(GpuPricingAlone, takes_every_GPU_if_no_number_is_named) {
  auto const gpus = gpus_of_test(3);
  PricingSettings settings;
  settings.devices = machine::devices_from("cpu cuda");
  settings.gpus = gpus.get();

  std::vector<std::string> names;
  for (machine::DeviceSpec const& device : devices_of(settings)) names.push_back(device.text);

  EXPECT_EQ(names, (std::vector<std::string>{"cpu", "cuda:0", "cuda:1", "cuda:2"}));
}

TEST_F(GpuPricingAlone, names_a_GPU_that_is_not_there) {
  auto const said = [](int gpus_there, std::string const& devices) {
    auto const gpus = gpus_of_test(gpus_there);
    PricingSettings settings;
    settings.devices = machine::devices_from(devices);
    settings.gpus = gpus.get();
    try {
      static_cast<void>(devices_of(settings));
    } catch (InputError const& error) {
      return std::string(error.what());
    }
    return std::string{};
  };

  EXPECT_EQ(said(0, "cpu cuda:0"),
            "device 'cuda:0' (none was wanted): leave it out, or run where there is a GPU");
  EXPECT_EQ(said(1, "cuda:1"),
            "device 'cuda:1' (there is 1 GPU here): GPUs are numbered from 0, as "
            "CUDA_VISIBLE_DEVICES lets them be seen");
  EXPECT_EQ(said(0, "cuda cpu"),
            "device 'cuda' (none was wanted): leave it out, or run where there is a GPU");
  EXPECT_EQ(said(2, "cuda:0 cuda:1"), "");
}

}  // namespace
}  // namespace makespan::asian

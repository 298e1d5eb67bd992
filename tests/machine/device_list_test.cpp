// SPDX-License-Identifier: Apache-2.0
// Goal: a list of devices is read as it is meant, and what is wrong in it is named. Method: each
// form, and each mistake.
#include "makespan/machine/device_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "makespan/base/error.hpp"

namespace makespan::machine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(std::string const& text) {
  try {
    static_cast<void>(devices_from(text));
  } catch (InputError const& error) {
    return error.what();
  }
  return {};
}

TEST(DeviceList, names_cores_threads_and_instruction_set) {
  auto const devices =
      devices_from(" cpu[cores=3+0-1,isa=avx2,threads=4,mode=mt]  cpu[cores=2] cuda:1 ");

  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[0].kind, DeviceKind::cpu);
  EXPECT_THAT(devices[0].cores, ElementsAre(0, 1, 3));
  EXPECT_EQ(devices[0].isa, "avx2");
  EXPECT_EQ(devices[0].threads, 4);
  EXPECT_EQ(devices[0].mode, "mt");
  EXPECT_EQ(devices[0].text, "cpu[cores=3+0-1,isa=avx2,threads=4,mode=mt]");
  EXPECT_THAT(devices[1].cores, ElementsAre(2));
  EXPECT_EQ(devices[1].isa, "");
  EXPECT_EQ(devices[1].threads, 0);
  EXPECT_EQ(devices[2].kind, DeviceKind::cuda);
  EXPECT_EQ(devices[2].index, 1);
}

TEST(DeviceList, takes_a_cpu_without_brackets_as_all_cores) {
  auto const devices = devices_from("cpu cuda:0");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_TRUE(devices[0].cores.empty());
  EXPECT_TRUE(devices_from("cpu[]")[0].cores.empty());
  EXPECT_EQ(devices_from("cpu[threads=2] cpu[threads=1]").size(), 2U);
}

TEST(DeviceList, takes_cuda_without_a_number_as_every_gpu) {
  auto const devices = devices_from("cuda cpu");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].kind, DeviceKind::cuda);
  EXPECT_EQ(devices[0].index, every_gpu);
}

TEST(DeviceList, names_what_is_wrong) {
  std::map<std::string, std::string> const mistakes{
      {"", "no device is named"},
      {"gpu", "device 'gpu' (it is neither cpu nor cuda:NUMBER)"},
      {"cpux", "neither cpu nor"},
      {"cuda:", "a GPU is its number"},
      {"cuda:-1", "a GPU is its number"},
      {"cuda:x", "a GPU is its number"},
      {"cpu[cores=0", "a bracket is not closed"},
      {"cpu[cores=]", "'cores=' has no value"},
      {"cpu[cores]", "'cores' has no value"},
      {"cpu[cores=+]", "numbers and rising ranges"},
      {"cpu[cores=3-1]", "numbers and rising ranges"},
      {"cpu[cores=a]", "numbers and rising ranges"},
      {"cpu[cores=0-999999999]", "numbers and rising ranges"},
      {"cpu[threads=0]", "threads are a number from 1"},
      {"cpu[threads=two]", "threads are a number from 1"},
      {"cpu[speed=2]", "there is no option 'speed'"},
      {"cpu[cores=0] cpu[cores=1+0]", "core 0 belongs to an earlier device"},
      {"cpu cpu[cores=1]", "it has all cores, and there is another CPU device"},
      {"cpu cpu", "it has all cores"},
      {"cuda:0 cuda:0", "it is named twice"},
      {"cuda cuda:0", "device 'cuda:0' (it is named twice)"},
      {"cuda:1 cuda", "device 'cuda' (it is named twice)"},
  };
  for (auto const& [text, why] : mistakes) {
    EXPECT_THAT(refusal(text), HasSubstr(why)) << text;
    EXPECT_THAT(refusal(text), HasSubstr("write cpu, cpu[cores=0-3+8")) << text;
  }
}

}  // namespace
}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
// Goal: a GPU that is not there is refused with what there is. Method: whatever this machine has.
#include "makespan/cuda/check_gpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "makespan/base/error.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::cuda {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(CheckGpu, takes_those_that_are_there_and_no_other) {
  Discovery const& found = discover();
  auto const count = static_cast<int>(found.gpus.size());
  std::string const why = count == 0
                              ? found.why_none
                              : std::to_string(count) + (count == 1 ? " GPU here" : " GPUs here");

  for (int gpu = 0; gpu < count; ++gpu) EXPECT_NO_THROW(check_gpu(gpu));
  for (int const gpu : {-1, count, count + 7}) {
    EXPECT_THAT([&] { check_gpu(gpu); },
                ThrowsMessage<InputError>(testing::AllOf(
                    HasSubstr("GPU " + std::to_string(gpu) + " ("), HasSubstr(why))));
  }
}

}  // namespace
}  // namespace makespan::cuda

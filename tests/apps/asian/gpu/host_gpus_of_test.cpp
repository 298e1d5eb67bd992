// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "gpus_of_test.hpp"
#include "host_blocks.hpp"
#include "test_size.hpp"

namespace makespan::asian {

std::unique_ptr<BlockGpus> gpus_of_test(int count,
                                        std::function<void(BlockLaunch const&)> begin_launch) {
  return std::make_unique<HostBlockGpus>(count, std::move(begin_launch));
}

std::string why_no_gpus_of_test() {
  return {};
}

int contracts_of_test() {
  return is_small_build ? 2 : 20;
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// GPUs for tests that are compiled twice: for the CPU's emulation of the programs of GPUs
// (host_gpus_of_test.cpp), and for GPUs by CUDA (cuda_gpus_of_test.cpp).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "makespan/apps/asian/gpu/block_device.hpp"

namespace makespan::asian {

// So many of them, all of one device. `begin_launch` is called before each launch, and may throw.
std::unique_ptr<BlockGpus> gpus_of_test(int count,
                                        std::function<void(BlockLaunch const&)> begin_launch = {});

// Why there are none, or nothing.
std::string why_no_gpus_of_test();

// How many contracts are drawn where random ones are tried: a GPU takes more in the same time.
int contracts_of_test();

}  // namespace makespan::asian

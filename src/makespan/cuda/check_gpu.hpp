// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace makespan::cuda {

// Throws InputError where this process sees no GPU of that number, saying why. Tested by
// tests/cuda/check_gpu_test.cpp.
void check_gpu(int gpu);

}  // namespace makespan::cuda

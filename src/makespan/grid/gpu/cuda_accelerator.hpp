// SPDX-License-Identifier: Apache-2.0
#pragma once

// A GPU that keeps a device's fields, by CUDA.

#include <functional>
#include <memory>

#include "makespan/cuda/stream.hpp"
#include "makespan/grid/field/accelerator.hpp"

namespace makespan::grid {

// Begins a sweep in the stream. Called for one sweep after the other.
using LaunchSweep = std::function<void(Sweep const& sweep, cuda::Stream const& stream)>;

// GPU number `gpu`, which is there. Fields lie in its memory and stay there; halos go by pinned
// memory. Its functions throw
// cuda::CudaFailed. Tested by tests/grid/gpu/cuda_accelerator_test.cpp and
// tests/apps/diffusion/gpu/gpu_diffusion_test.cpp, on a GPU.
[[nodiscard]] std::shared_ptr<Accelerator> cuda_accelerator(int gpu, LaunchSweep launch);

}  // namespace makespan::grid

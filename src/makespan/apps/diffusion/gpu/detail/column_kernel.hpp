// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "makespan/apps/diffusion/gpu/detail/column_job.hpp"
#include "makespan/cuda/stream.hpp"

namespace makespan::diffusion {

// Begins the step in the stream and returns. Throws cuda::CudaFailed.
void launch_columns(ColumnJob const& job, cuda::Stream const& stream);

}  // namespace makespan::diffusion

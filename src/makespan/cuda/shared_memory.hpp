// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that the host and the GPUs reach at the same address; its pages move to the processor that
// uses them.

#include <cstddef>
#include <memory>

#include "makespan/cuda/stream.hpp"

namespace makespan::cuda {

struct ReleaseShared {
  void operator()(std::byte* memory) const;
};
using SharedMemory = std::unique_ptr<std::byte[], ReleaseShared>;

// Aligned to 256. More than a GPU has can be had: what is too much then travels. Throws CudaFailed.
[[nodiscard]] SharedMemory allocate_shared(std::size_t bytes);

// Asks that pages travel to GPU number `gpu`, in the stream's order. Nothing on a GPU that does not
// move pages (Gpu::moves_pages): there they travel when a kernel is launched.
void bring_to_gpu(std::byte const* memory, std::size_t bytes, int gpu, Stream const& stream);

}  // namespace makespan::cuda

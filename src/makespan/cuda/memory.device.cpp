// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/memory.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "makespan/cuda/error.hpp"

namespace makespan::cuda {

namespace {

// Room for launches that are a little larger than the last: growing waits for the GPU.
std::size_t with_room(std::size_t bytes) {
  return bytes + bytes / 4;
}

std::string amount(std::size_t bytes) {
  return std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB";
}

}  // namespace

void GpuMemory::Release::operator()(std::byte* memory) const {
  static_cast<void>(cudaFree(memory));
}

std::byte* GpuMemory::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return memory_.get();
  memory_.reset();
  bytes_ = 0;
  void* memory = nullptr;
  std::size_t const more = with_room(bytes);
  check(cudaMalloc(&memory, more), amount(more) + " on the GPU");
  memory_.reset(static_cast<std::byte*>(memory));
  bytes_ = more;
  return memory_.get();
}

void PinnedMemory::Release::operator()(std::byte* memory) const {
  static_cast<void>(cudaFreeHost(memory));
}

std::byte* PinnedMemory::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return memory_.get();
  memory_.reset();
  bytes_ = 0;
  void* memory = nullptr;
  std::size_t const more = with_room(bytes);
  check(cudaHostAlloc(&memory, more, cudaHostAllocDefault), amount(more) + " of pinned memory");
  memory_.reset(static_cast<std::byte*>(memory));
  bytes_ = more;
  return memory_.get();
}

}  // namespace makespan::cuda

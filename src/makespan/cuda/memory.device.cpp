// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/memory.hpp"

#include "makespan/cuda/runtime_api.hpp"

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

void* allocate(MemorySpace space, std::size_t bytes) {
  void* memory = nullptr;
  if (space == MemorySpace::gpu) {
    check(cudaMalloc(&memory, bytes), amount(bytes) + " on the GPU");
  } else {
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), amount(bytes) + " of pinned memory");
  }
  return memory;
}

}  // namespace

void Memory::Release::operator()(std::byte* memory) const {
  static_cast<void>(space == MemorySpace::gpu ? cudaFree(memory) : cudaFreeHost(memory));
}

std::byte* Memory::reserve(std::size_t bytes) {
  return bytes <= bytes_ ? memory_.get() : reserve_exactly(with_room(bytes));
}

std::byte* Memory::reserve_exactly(std::size_t bytes) {
  if (bytes <= bytes_) return memory_.get();
  // First, since there may be no room for both; and if there is none at all, nothing is left.
  memory_.reset();
  bytes_ = 0;
  memory_.reset(static_cast<std::byte*>(allocate(memory_.get_deleter().space, bytes)));
  bytes_ = bytes;
  return memory_.get();
}

}  // namespace makespan::cuda

// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/pinned_host.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include <map>
#include <mutex>

#include "makespan/cuda/error.hpp"

namespace makespan::cuda {

namespace {

// CUDA refuses what is pinned already: several accelerators of a process have one token.
struct Tokens {
  std::mutex mutex{};
  std::map<std::byte*, std::weak_ptr<void>> by_place{};
};

Tokens& tokens() {
  static auto* const all = new Tokens;  // tokens may end with the process
  return *all;
}

void unpin(void* memory) {
  std::scoped_lock const lock(tokens().mutex);
  tokens().by_place.erase(static_cast<std::byte*>(memory));
  static_cast<void>(is_granted(cudaHostUnregister(memory)));
}

}  // namespace

std::shared_ptr<void> pinned(std::span<std::byte> memory) {
  std::scoped_lock const lock(tokens().mutex);
  std::weak_ptr<void>& known = tokens().by_place[memory.data()];
  if (auto const token = known.lock()) return token;
  if (!is_granted(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterPortable))) {
    tokens().by_place.erase(memory.data());
    return {};
  }
  // Some systems give it another address on the GPU.
  void* there = nullptr;
  if (!is_granted(cudaHostGetDevicePointer(&there, memory.data(), 0)) || there != memory.data()) {
    tokens().by_place.erase(memory.data());
    static_cast<void>(is_granted(cudaHostUnregister(memory.data())));
    return {};
  }
  std::shared_ptr<void> token(memory.data(), unpin);
  known = token;
  return token;
}

}  // namespace makespan::cuda

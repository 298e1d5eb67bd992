// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/pinned_host.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "makespan/cuda/error.hpp"

namespace makespan::cuda {

namespace {

// CUDA refuses what is pinned already: several accelerators of a process have one token.
struct Tokens {
  std::mutex mutex{};
  std::map<std::pair<std::byte*, std::size_t>, std::weak_ptr<void>> by_place{};
};

Tokens& tokens() {
  static auto* const all = new Tokens;  // tokens may end with the process
  return *all;
}

void unpin(std::span<std::byte> memory) {
  std::scoped_lock const lock(tokens().mutex);
  tokens().by_place.erase({memory.data(), memory.size()});
  static_cast<void>(is_granted(cudaHostUnregister(memory.data())));
}

}  // namespace

std::shared_ptr<void> pinned(std::span<std::byte> memory) {
  std::scoped_lock const lock(tokens().mutex);
  std::pair const place(memory.data(), memory.size());
  std::weak_ptr<void>& known = tokens().by_place[place];
  if (auto const token = known.lock()) return token;
  if (!is_granted(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterPortable))) {
    tokens().by_place.erase(place);
    return {};
  }
  // Some systems give it another address on the GPU.
  void* there = nullptr;
  if (!is_granted(cudaHostGetDevicePointer(&there, memory.data(), 0)) || there != memory.data()) {
    tokens().by_place.erase(place);
    static_cast<void>(is_granted(cudaHostUnregister(memory.data())));
    return {};
  }
  std::shared_ptr<void> token(memory.data(), [memory](void*) { unpin(memory); });
  known = token;
  return token;
}

}  // namespace makespan::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory for messages: thousands of small blocks come and go in a phase, which malloc does in some
// 50 to 100 ns each once its own cache of 7 is empty, and this in 5.

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace makespan::graph {

// Blocks that a thread let go of, by size, for its next ones. A block may be taken by one thread
// and given back by another. Tested by tests/graph/object/message/block_cache_test.cpp.
class BlockCache {
 public:
  static constexpr std::size_t block_bytes_max = 512;
  static constexpr std::size_t kept_bytes_max = std::size_t{4} << 20U;  // of each size

  [[nodiscard]] static BlockCache& of_this_thread() {
    thread_local BlockCache cache;
    return cache;
  }

  // What is kept of blocks as these at most.
  [[nodiscard]] static constexpr std::size_t blocks_kept_max(std::size_t bytes) {
    return kept_bytes_max / ((size_of(bytes) + 1) * step);
  }

  BlockCache() = default;
  BlockCache(BlockCache const&) = delete;
  BlockCache& operator=(BlockCache const&) = delete;
  ~BlockCache() {
    for (auto const& blocks : blocks_) {
      for (void* const block : blocks) ::operator delete(block);
    }
  }

  // At least `bytes`, aligned for all ordinary types. Throws std::bad_alloc.
  [[nodiscard]] void* take(std::size_t bytes) {
    std::size_t const size = size_of(bytes);
    if (size >= sizes) return ::operator new(bytes);
    auto& blocks = blocks_[size];
    if (blocks.empty()) return ::operator new((size + 1) * step);
    void* const block = blocks.back();
    blocks.pop_back();
    return block;
  }

  // What take(bytes) gave, here or in another thread.
  void give(void* block, std::size_t bytes) noexcept {
    std::size_t const size = size_of(bytes);
    if (size >= sizes || !has_room(blocks_[size], blocks_kept_max(bytes))) {
      ::operator delete(block);
    } else {
      blocks_[size].push_back(block);
    }
  }

  [[nodiscard]] std::size_t kept(std::size_t bytes) const {
    std::size_t const size = size_of(bytes);
    return size < sizes ? blocks_[size].size() : 0;
  }

 private:
  static constexpr std::size_t step = 64;
  static constexpr std::size_t sizes = block_bytes_max / step;
  static constexpr std::size_t room_first = 512;  // blocks

  [[nodiscard]] static constexpr std::size_t size_of(std::size_t bytes) {
    return (bytes - 1) / step;
  }
  // Room is made before a block is put there, so that giving back never fails.
  [[nodiscard]] static bool has_room(std::vector<void*>& blocks, std::size_t most) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    static_cast<void>(blocks);
    static_cast<void>(most);
    return false;  // so that what is used after its end is seen
#else
    if (blocks.size() >= most) return false;
    if (blocks.size() < blocks.capacity()) return true;
    try {
      blocks.reserve(std::min(most, std::max(room_first, 2 * blocks.capacity())));
    } catch (...) {
      return false;
    }
    return true;
#endif
  }

  std::array<std::vector<void*>, sizes> blocks_{};
};

// For std::allocate_shared.
template <class T>
class CachedAllocator {
 public:
  using value_type = T;  // NOLINT(readability-identifier-naming): the name that std asks for

  CachedAllocator() = default;
  template <class U>
  explicit(false) CachedAllocator(CachedAllocator<U> const& /*other*/) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return static_cast<T*>(BlockCache::of_this_thread().take(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) noexcept {
    BlockCache::of_this_thread().give(block, count * sizeof(T));
  }

  friend bool operator==(CachedAllocator, CachedAllocator) { return true; }
};

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which parts of the symmetric heap are taken. Pure: it gives out offsets and never touches memory.
//
// Every image makes the same calls in the same order and so gets the same offsets, without a word
// between them. An allocation goes to the lowest offset that has room (first fit): long-lived
// allocations, made at the beginning, stay at the beginning, and free blocks grow together behind
// them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace makespan::pgas {

struct HeapAllocation {
  std::uint64_t offset{};
  std::int64_t bytes{};  // as asked for
  std::string name;

  friend bool operator==(HeapAllocation const&, HeapAllocation const&) = default;
};

// Not for several threads at a time.
class SymmetricHeap {
 public:
  // Of allocations and their sizes [bytes]: a cache line, so that no two share one.
  static constexpr std::int64_t alignment_min = 64;

  // A heap of `bytes` bytes, of which a last part below alignment_min is not used. It begins on a
  // page.
  explicit SymmetricHeap(std::int64_t bytes);

  // Takes `bytes` >= 0 bytes; 0 are an allocation like others. `alignment` is a power of two, and
  // alignment_min if below; it counts from the heap's beginning. `name` names the owner, for
  // live(); names may repeat. Nothing if there is no block that is long enough, and nothing
  // changes.
  [[nodiscard]] std::optional<std::uint64_t> allocate(std::int64_t bytes, std::string_view name,
                                                      std::int64_t alignment = alignment_min);

  // Gives back what allocate() gave.
  void free(std::uint64_t offset);

  // What has not been given back, by offset.
  [[nodiscard]] std::vector<HeapAllocation> live() const;

  // The allocation that these bytes lie in, all of them; nothing if there is none.
  [[nodiscard]] std::optional<HeapAllocation> find(std::uint64_t offset, std::int64_t bytes) const;

  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // Taken and free, with what rounding adds; together bytes(), but for the unused last part.
  [[nodiscard]] std::int64_t bytes_taken() const { return bytes_taken_; }
  [[nodiscard]] std::int64_t bytes_free() const;
  // The longest allocation that would succeed now.
  [[nodiscard]] std::int64_t bytes_free_largest() const;

 private:
  struct Taken {
    std::int64_t bytes_asked;
    std::int64_t bytes;  // with what rounding adds
    std::string name;
  };

  void take(std::map<std::uint64_t, std::int64_t>::iterator block, std::uint64_t offset,
            std::int64_t bytes);

  std::int64_t bytes_;
  std::int64_t bytes_taken_{0};
  // By offset. No two free blocks touch: they are one then. Blocks and allocations tile the heap.
  std::map<std::uint64_t, std::int64_t> free_;
  std::map<std::uint64_t, Taken> taken_;
};

}  // namespace makespan::pgas

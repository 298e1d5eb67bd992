// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/memory/symmetric_heap.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

std::uint64_t end_of(std::uint64_t offset, std::int64_t bytes) {
  return offset + static_cast<std::uint64_t>(bytes);
}

}  // namespace

SymmetricHeap::SymmetricHeap(std::int64_t bytes) : bytes_{bytes} {
  MAKESPAN_EXPECT(bytes >= 0);
  std::int64_t const usable = bytes - bytes % alignment_min;
  if (usable > 0) free_.emplace(0, usable);
}

std::optional<std::uint64_t> SymmetricHeap::allocate(std::int64_t bytes, std::string_view name,
                                                     std::int64_t alignment) {
  MAKESPAN_EXPECT(bytes >= 0);
  MAKESPAN_EXPECT(alignment > 0);
  MAKESPAN_EXPECT(std::has_single_bit(static_cast<std::uint64_t>(alignment)));
  if (bytes > bytes_ || alignment > bytes_) return std::nullopt;  // and the sums below stay small
  auto const step = static_cast<std::uint64_t>(std::max(alignment, alignment_min));
  // Of 0 bytes a unit, too, so that no two allocations have one offset.
  auto const size = static_cast<std::int64_t>(rounded_up(
      static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 1)), std::uint64_t{alignment_min}));

  for (auto block = free_.begin(); block != free_.end(); ++block) {
    std::uint64_t const offset = rounded_up(block->first, step);
    if (end_of(offset, size) > end_of(block->first, block->second)) continue;
    take(block, offset, size);
    taken_.emplace(offset, Taken{bytes, size, std::string(name)});
    return offset;
  }
  return std::nullopt;
}

void SymmetricHeap::take(std::map<std::uint64_t, std::int64_t>::iterator block,
                         std::uint64_t offset, std::int64_t bytes) {
  // What the alignment skips stays free, as does the rest behind.
  auto const [begin, block_bytes] = *block;
  std::uint64_t const end = end_of(begin, block_bytes);
  free_.erase(block);
  if (offset > begin) free_.emplace(begin, static_cast<std::int64_t>(offset - begin));
  std::uint64_t const rest = end_of(offset, bytes);
  if (rest < end) free_.emplace(rest, static_cast<std::int64_t>(end - rest));
  bytes_taken_ += bytes;
}

void SymmetricHeap::free(std::uint64_t offset) {
  auto const allocation = taken_.find(offset);
  MAKESPAN_EXPECT(allocation != taken_.end());
  std::uint64_t begin = offset;
  std::int64_t bytes = allocation->second.bytes;
  bytes_taken_ -= bytes;
  taken_.erase(allocation);

  // Joined with free neighbours, so that long blocks come back.
  auto after = free_.lower_bound(offset);
  if (after != free_.end() && after->first == end_of(begin, bytes)) {
    bytes += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    auto const before = std::prev(after);
    if (end_of(before->first, before->second) == begin) {
      begin = before->first;
      bytes += before->second;
      free_.erase(before);
    }
  }
  free_.emplace(begin, bytes);
}

std::vector<HeapAllocation> SymmetricHeap::live() const {
  std::vector<HeapAllocation> allocations;
  allocations.reserve(taken_.size());
  for (auto const& [offset, taken] : taken_) {
    allocations.push_back({offset, taken.bytes_asked, taken.name});
  }
  return allocations;
}

std::optional<HeapAllocation> SymmetricHeap::find(std::uint64_t offset, std::int64_t bytes) const {
  MAKESPAN_EXPECT(bytes >= 0);
  auto const after = taken_.upper_bound(offset);
  if (after == taken_.begin()) return std::nullopt;
  auto const& [begin, taken] = *std::prev(after);
  std::uint64_t const end = end_of(begin, taken.bytes_asked);
  // By a difference, since the sum may wrap around.
  if (offset > end || static_cast<std::uint64_t>(bytes) > end - offset) return std::nullopt;
  return HeapAllocation{begin, taken.bytes_asked, taken.name};
}

std::int64_t SymmetricHeap::bytes_free() const {
  return bytes_ - bytes_ % alignment_min - bytes_taken_;
}

std::int64_t SymmetricHeap::bytes_free_largest() const {
  std::int64_t largest = 0;
  for (auto const& [offset, bytes] : free_) largest = std::max(largest, bytes);
  return largest;
}

}  // namespace makespan::pgas

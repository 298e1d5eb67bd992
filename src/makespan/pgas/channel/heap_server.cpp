// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/channel/heap_server.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

template <class T>
std::uint64_t apply(T* word, AtomicOp op, T operand, T compare) {
  std::atomic_ref<T> const cell{*word};
  switch (op) {
    case AtomicOp::load:
      return cell.load();
    case AtomicOp::store:
    case AtomicOp::swap:
      return cell.exchange(operand);
    case AtomicOp::add:
      return cell.fetch_add(operand);
    case AtomicOp::bit_and:
      return cell.fetch_and(operand);
    case AtomicOp::bit_or:
      return cell.fetch_or(operand);
    case AtomicOp::bit_xor:
      return cell.fetch_xor(operand);
    case AtomicOp::compare_swap:
      cell.compare_exchange_strong(compare, operand);
      return compare;
  }
  MAKESPAN_ASSERT(false && "an operation of AtomicOp");
  return 0;
}

}  // namespace

std::uint64_t apply_atomic(std::byte* word, int width, AtomicOp op, std::uint64_t operand,
                           std::uint64_t compare) {
  MAKESPAN_EXPECT(width == 4 || width == 8);
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(word) % static_cast<unsigned>(width) == 0);
  if (width == 4) {
    return apply(reinterpret_cast<std::uint32_t*>(word), op, static_cast<std::uint32_t>(operand),
                 static_cast<std::uint32_t>(compare));
  }
  return apply(reinterpret_cast<std::uint64_t*>(word), op, operand, compare);
}

void HeapServer::put(WireHeader const& header, std::span<std::byte const> data) const {
  std::span<std::byte> const to = range(header.offset, data.size());
  // A word of 8 bytes is written whole: a thread that polls it never sees half of it.
  if (data.size() == 8 && header.offset % 8 == 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, data.data(), sizeof word);
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(to.data()))
        .store(word, std::memory_order_release);
    return;
  }
  // Of other data nothing is promised before a flush or a signal, so it may be written in any
  // parts.
  std::ranges::copy(data, to.begin());
}

void HeapServer::put_signal(WireHeader const& header, std::span<std::byte const> data) const {
  put(header, data);
  // The word last, by an atomic: an image that sees it change sees the data.
  std::span<std::byte> const word = range(header.word_offset, 8);
  apply_atomic(word.data(), 8, header.op, header.operand, 0);
}

std::span<std::byte const> HeapServer::get(WireHeader const& header) const {
  return range(header.offset, header.operand);
}

std::uint64_t HeapServer::atomic(WireHeader const& header) const {
  std::span<std::byte> const word = range(header.offset, header.width);
  return apply_atomic(word.data(), header.width, header.op, header.operand, header.compare);
}

std::span<std::byte> HeapServer::range(std::uint64_t offset, std::uint64_t bytes) const {
  // In two steps, since the sum of the two may wrap around.
  MAKESPAN_EXPECT(bytes <= heap_.size());
  MAKESPAN_EXPECT(offset <= heap_.size() - bytes);
  return heap_.subspan(offset, bytes);
}

}  // namespace makespan::pgas

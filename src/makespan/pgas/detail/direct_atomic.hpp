// SPDX-License-Identifier: Apache-2.0
#pragma once

// Atomics on typed words: on the spot where the word is mapped, and as a request where it is not.

#include <atomic>
#include <type_traits>

#include "makespan/pgas/memory/global_ptr.hpp"
#include "makespan/pgas/memory/wire_type.hpp"
#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"

namespace makespan::pgas {

// Applies `op`, sequentially consistent; the value before it. `compare` is for compare_swap.
template <AtomicOp op, AtomicWord T>
T apply_atomic(T& cell, T operand, T compare) {
  std::atomic_ref<T> const word{cell};
  if constexpr (op == AtomicOp::load) {
    return word.load();
  } else if constexpr (op == AtomicOp::store || op == AtomicOp::swap) {
    return word.exchange(operand);
  } else if constexpr (op == AtomicOp::add) {
    return word.fetch_add(operand);
  } else if constexpr (op == AtomicOp::bit_and) {
    return word.fetch_and(operand);
  } else if constexpr (op == AtomicOp::bit_or) {
    return word.fetch_or(operand);
  } else if constexpr (op == AtomicOp::bit_xor) {
    return word.fetch_xor(operand);
  } else {
    static_assert(op == AtomicOp::compare_swap);
    word.compare_exchange_strong(compare, operand);
    return compare;
  }
}

// The same for the target's image to carry out.
template <AtomicOp op, AtomicWord T>
[[nodiscard]] AtomicRequest atomic_request(GlobalPtr<T> at, T operand, T compare) {
  using Bits = std::make_unsigned_t<T>;
  return {.op = op,
          .width = sizeof(T),
          .offset = at.offset(),
          .operand = static_cast<Bits>(operand),
          .compare = static_cast<Bits>(compare)};
}

}  // namespace makespan::pgas

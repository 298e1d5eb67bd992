// SPDX-License-Identifier: Apache-2.0
#pragma once

// From an atomic operation whose kind and width are numbers to one whose kind and width are types.

#include <cstdint>
#include <string>
#include <string_view>

#include "makespan/base/error.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/pgas.h"

namespace makespan::capi {

// One operation on a word of type T.
template <pgas::AtomicOp op, class T>
class AtomicCall {
 public:
  AtomicCall(pgas::Endpoint& here, makespan_atomic const& atomic, std::string_view function)
      : here_{here},
        at_{pointer_to<T>(here, atomic.at, function)},
        operand_{static_cast<T>(atomic.operand)},
        expected_{static_cast<T>(atomic.expected)} {}

  [[nodiscard]] T fetch() const { return here_.fetch<op>(at_, operand_, expected_); }
  [[nodiscard]] pgas::Future<T> fetch_async() const {
    return here_.fetch_async<op>(at_, operand_, expected_);
  }
  // A compare-and-swap is one that gives nothing back: the engine has no such thing, so it fetches.
  void update() const {
    if constexpr (op == pgas::AtomicOp::compare_swap) {
      static_cast<void>(fetch());
    } else {
      here_.update<op>(at_, operand_);
    }
  }

 private:
  pgas::Endpoint& here_;
  pgas::GlobalPtr<T> at_;
  T operand_;
  T expected_;
};

// Calls `use` with the AtomicCall that `atomic` describes. Throws InputError on what it cannot be.
template <pgas::AtomicOp op, class Use>
void with_width(pgas::Endpoint& here, makespan_atomic const& atomic, std::string_view function,
                Use&& use) {
  switch (atomic.bytes) {
    case 4:
      return use(AtomicCall<op, std::int32_t>(here, atomic, function));
    case 8:
      return use(AtomicCall<op, std::int64_t>(here, atomic, function));
    default:
      throw InputError(
          std::string(function) + " on a word of " + std::to_string(atomic.bytes) + " bytes",
          "atomics are on words of 4 or 8 bytes", "set bytes to 4 or 8");
  }
}

template <class Use>
void with_atomic(pgas::Endpoint& here, makespan_atomic const& atomic, std::string_view function,
                 Use&& use) {
  using enum pgas::AtomicOp;
  switch (atomic.op) {
    case MAKESPAN_LOAD:
      return with_width<load>(here, atomic, function, use);
    case MAKESPAN_STORE:
      return with_width<store>(here, atomic, function, use);
    case MAKESPAN_ADD:
      return with_width<add>(here, atomic, function, use);
    case MAKESPAN_AND:
      return with_width<bit_and>(here, atomic, function, use);
    case MAKESPAN_OR:
      return with_width<bit_or>(here, atomic, function, use);
    case MAKESPAN_XOR:
      return with_width<bit_xor>(here, atomic, function, use);
    case MAKESPAN_SWAP:
      return with_width<swap>(here, atomic, function, use);
    case MAKESPAN_COMPARE_SWAP:
      return with_width<compare_swap>(here, atomic, function, use);
    default:
      throw InputError(std::string(function) + " with op " + std::to_string(atomic.op),
                       "there is none of this number",
                       "it is one of makespan_atomic_op: 0 to " +
                           std::to_string(static_cast<int>(MAKESPAN_COMPARE_SWAP)));
  }
}

}  // namespace makespan::capi

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace makespan::bench {

// Keeps the compiler from seeing what is done with this value, and thus from leaving its making
// out.
template <class Value>
inline void keep(Value const& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace makespan::bench

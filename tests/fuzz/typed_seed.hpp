// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/fuzz_input.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::fuzz {

// For a target that reads several types: which one, and then a value of it as messages carry it.
template <class T>
Bytes typed_seed(int type, T const& value) {
  Bytes bytes = FuzzOutput().small(type).bytes();
  Bytes const packed = pgas::packed(value);
  bytes.insert(bytes.end(), packed.begin(), packed.end());
  return bytes;
}

}  // namespace makespan::fuzz

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What places of a run have thrown.

#include <exception>
#include <span>

#include "makespan/graph/object/object_run_failed.hpp"

namespace makespan::graph {

// By place; null: nothing. Throws the first: what the program threw says more than that a place
// elsewhere failed.
inline void rethrow_first(std::span<std::exception_ptr const> errors) {
  std::exception_ptr told;
  for (std::exception_ptr const& error : errors) {
    if (!error) continue;
    try {
      std::rethrow_exception(error);
    } catch (ObjectRunFailed const&) {
      told = error;
    }
  }
  if (told) std::rethrow_exception(told);
}

}  // namespace makespan::graph

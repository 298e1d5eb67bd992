// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the element types of collectives are made of.

#include <cstddef>

#include "makespan/pgas/job/collectives.hpp"

namespace makespan::pgas {

// Bytes of one element.
[[nodiscard]] std::size_t element_bytes(ElementType type);

// Contract of all reductions: whole elements, and bits of integers only.
void expect_reducible(ElementType type, ReduceOp op, std::size_t bytes);

}  // namespace makespan::pgas

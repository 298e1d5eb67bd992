// SPDX-License-Identifier: Apache-2.0
#pragma once

// One step of one block.

#include <span>

namespace makespan::stencil4d {

// Each of the block's own points of `to` becomes the mean of nine of `from`; arrays as in halo.hpp,
// which do not overlap. The layer around is read and not written. Sums are added in one order, so
// the bits depend on values alone.
//
// The bound: a point is eight sums and a product, and nine loads. Vectors of two, which is what all
// processors of the family have, and two loads in a cycle allow 2.25 cycles a point; memory, where
// blocks do not stay in the cache, asks for three times 8 bytes: a value read, one written, and the
// line that is read before it is written. docs/performance/objects.md has what is reached.
// Tested by tests/apps/stencil4d/sweep_test.cpp.
void sweep(std::span<double const> from, std::span<double> to, int side);

}  // namespace makespan::stencil4d

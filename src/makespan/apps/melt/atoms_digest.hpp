// SPDX-License-Identifier: Apache-2.0
// What tells two melts apart: a digest made of all bits of atoms.
#pragma once

#include <span>

#include "makespan/apps/melt/atom.hpp"
#include "makespan/base/digest.hpp"

namespace makespan::melt {

// The sum over atoms of the digests of three coordinates and three speeds, whose places are 6 · id
// to 6 · id + 5. The order of atoms is of no importance.
// Tested by tests/apps/melt/atoms_digest_test.cpp.
Digest atoms_digest(std::span<Atom const> atoms);

}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
// What tells two melts apart: a number made of all bits of all atoms.
#pragma once

#include <cstdint>
#include <span>

#include "makespan/apps/melt/atom.hpp"

namespace makespan::melt {

// The sum, modulo 2^64, of what FNV-1a makes of the bytes of each atom: id, position, velocity. The
// order of atoms is of no importance, so parts are hashed where they are and added up.
// Tested by tests/apps/melt/atoms_hash_test.cpp.
std::uint64_t atoms_hash(std::span<Atom const> atoms);

}  // namespace makespan::melt

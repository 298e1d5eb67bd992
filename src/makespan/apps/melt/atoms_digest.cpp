// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/atoms_digest.hpp"

#include <cstdint>

namespace makespan::melt {

Digest atoms_digest(std::span<Atom const> atoms) {
  Digest sum;
  for (Atom const& atom : atoms) {
    std::uint64_t place = 6 * static_cast<std::uint64_t>(atom.id);
    for (double const value : atom.position) sum += digest_of(value, place++);
    for (double const value : atom.velocity) sum += digest_of(value, place++);
  }
  return sum;
}

}  // namespace makespan::melt

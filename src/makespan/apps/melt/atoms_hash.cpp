// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/atoms_hash.hpp"

#include <type_traits>

#include "makespan/base/fnv1a.hpp"

namespace makespan::melt {

static_assert(sizeof(Atom) == sizeof(std::int64_t) + 2 * sizeof(Vector3), "no gaps to be hashed");
static_assert(std::is_trivially_copyable_v<Atom>);

std::uint64_t atoms_hash(std::span<Atom const> atoms) {
  std::uint64_t sum = 0;
  // A sum of hashes: the same in whatever order atoms come, from whichever cells.
  for (Atom const& atom : atoms) sum += fnv1a(std::as_bytes(std::span(&atom, 1)));
  return sum;
}

}  // namespace makespan::melt

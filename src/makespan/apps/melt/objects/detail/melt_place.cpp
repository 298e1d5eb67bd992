// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/melt_place.hpp"

namespace makespan::melt {

MeltPlace::MeltPlace(MeltSettings const& given, MeltCollections const& objects,
                     Kernels const& table, std::int64_t frames)
    : settings(given),
      grid(given),
      collections(objects),
      kernels(&table),
      frame_steps(frames),
      atoms(atom_count(given)),
      cell_atoms(cell_atoms_max(given)),
      told_s(static_cast<std::size_t>(grid.cells()) + static_cast<std::size_t>(grid.computes())) {
}

}  // namespace makespan::melt

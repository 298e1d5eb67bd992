// SPDX-License-Identifier: Apache-2.0
// One atom, as it travels from cell to cell.
#pragma once

#include <cstdint>

#include "makespan/apps/melt/settings.hpp"

namespace makespan::melt {

struct Atom {
  std::int64_t id = 0;  // its place on the lattice, from 0
  Vector3 position{};
  Vector3 velocity{};

  friend bool operator==(Atom const&, Atom const&) = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(id, position, velocity);
  }
};

}  // namespace makespan::melt

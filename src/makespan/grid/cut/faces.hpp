// SPDX-License-Identifier: Apache-2.0
#pragma once

// What lies beyond the six faces of a domain.

#include <array>
#include <cstdint>

#include "makespan/grid/cut/halo_parts.hpp"

namespace makespan::grid {

// Axis by axis, the low end first.
enum class Face : std::uint8_t { x_low, x_high, y_low, y_high, z_low, z_high };
inline constexpr int face_count = 6;

enum class FaceKind : std::uint8_t {
  no_flux,   // the points before the face, mirrored: nothing passes it
  value,     // points that keep a value (Dirichlet), one for each field
  periodic,  // the other end of the domain; opposite faces are both so, or neither
};

// The kinds by face.
struct Faces {
  std::array<FaceKind, face_count> kinds{};

  [[nodiscard]] constexpr FaceKind at(Face face) const {
    return kinds[static_cast<std::size_t>(face)];
  }
  [[nodiscard]] constexpr Wraps wraps() const {
    return {at(Face::x_low) == FaceKind::periodic, at(Face::y_low) == FaceKind::periodic,
            at(Face::z_low) == FaceKind::periodic};
  }
  friend bool operator==(Faces const&, Faces const&) = default;
};

[[nodiscard]] constexpr Faces faces_all(FaceKind kind) {
  return {{kind, kind, kind, kind, kind, kind}};
}

// One number for each face.
using FaceValues = std::array<double, face_count>;

}  // namespace makespan::grid

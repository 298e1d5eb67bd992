// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "makespan/apps/melt/refusal.hpp"

namespace makespan::melt {
namespace {

struct Before {
  std::size_t axis;

  bool operator()(Atom const& a, Atom const& b) const {
    if (a.position[axis] != b.position[axis]) return a.position[axis] < b.position[axis];
    return a.id < b.id;
  }
};

// Cuts atoms along an axis into so many parts of whole clusters (only the last may be short of
// some), as even as can be, and calls `then` for each.
template <class Then>
void cut(std::span<Atom> atoms, std::size_t axis, std::int64_t parts, Then then) {
  for (; parts > 1; --parts) {
    std::int64_t const clusters = cluster_count(std::ssize(atoms));
    auto const mine = static_cast<std::size_t>(clusters / parts * cluster_atoms);
    // More parts than clusters: the first parts have none.
    if (mine == 0) continue;
    // No two atoms are equal in this order, so which of them come first depends on the set alone.
    std::nth_element(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(mine), atoms.end(),
                     Before{axis});
    then(atoms.first(mine));
    atoms = atoms.subspan(mine);
  }
  then(atoms);
}

std::int64_t parts_of(double side, double cluster_side) {
  return std::max<std::int64_t>(1, std::llround(side / cluster_side));
}

void store_boxes(ClusterSet& set, std::span<Atom const> atoms, std::size_t cluster) {
  std::size_t const group = cluster / cluster_atoms;
  std::size_t const place = cluster % cluster_atoms;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto const [least, most] =
        std::ranges::minmax(atoms, {}, [axis](Atom const& atom) { return atom.position[axis]; });
    set.low[group].axis[axis][place] = least.position[axis];
    set.high[group].axis[axis][place] = most.position[axis];
  }
}

}  // namespace

ClusterVectors ClusterVectors::filled(double value) {
  ClusterVectors vectors{};
  for (auto& components : vectors.axis) components.fill(value);
  return vectors;
}

std::int64_t cluster_count(std::int64_t atoms) {
  return (atoms + cluster_atoms - 1) / cluster_atoms;
}

void put_in_cluster_order(std::span<Atom> atoms, Vector3 const& sides) {
  if (atoms.empty()) return;
  // Fewer than eight atoms are one cluster all the same, which is no larger than the cell.
  double const cluster_volume = sides[0] * sides[1] * sides[2] * cluster_atoms /
                                static_cast<double>(std::max<std::size_t>(atoms.size(), 8));
  double const cluster_side = cube_root(cluster_volume);
  cut(atoms, 0, parts_of(sides[0], cluster_side), [&](std::span<Atom> slab) {
    cut(slab, 1, parts_of(sides[1], cluster_side),
        [](std::span<Atom> column) { std::ranges::sort(column, Before{2}); });
  });
}

ClusterSet clusters_of(std::span<Atom const> atoms) {
  auto const clusters = static_cast<std::size_t>(cluster_count(std::ssize(atoms)));
  std::size_t const groups = (clusters + cluster_atoms - 1) / cluster_atoms;
  ClusterSet set{.atoms = std::ssize(atoms),
                 .positions = std::vector(clusters, ClusterVectors::filled(nowhere)),
                 .low = std::vector(groups, ClusterVectors::filled(nowhere)),
                 .high = std::vector(groups, ClusterVectors::filled(nowhere))};
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    auto const rest = atoms.subspan(cluster * cluster_atoms);
    auto const own = rest.first(std::min<std::size_t>(rest.size(), cluster_atoms));
    for (std::size_t place = 0; place < own.size(); ++place) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        set.positions[cluster].axis[axis][place] = own[place].position[axis];
      }
    }
    store_boxes(set, own, cluster);
  }
  return set;
}

void expect_sound(ClusterSet const& set) {
  std::int64_t const clusters = std::ssize(set.positions);
  std::int64_t const groups = cluster_count(clusters);
  bool const are_filled = set.atoms >= 0 && set.atoms <= clusters * cluster_atoms &&
                          set.atoms > (clusters - 1) * cluster_atoms;
  if (are_filled && std::ssize(set.low) == groups && std::ssize(set.high) == groups) return;
  refuse(std::to_string(clusters) + " clusters of " + std::to_string(set.atoms) + " atoms, with " +
             std::to_string(set.low.size()) + " and " + std::to_string(set.high.size()) +
             " groups of their boxes",
         "eight atoms are a cluster, and eight clusters a group");
}

}  // namespace makespan::melt

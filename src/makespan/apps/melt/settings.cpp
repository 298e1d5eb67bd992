// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "makespan/apps/melt/clusters.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::melt {
namespace {

constexpr std::array<char, 3> axis_names{'x', 'y', 'z'};
// Ids and places in lists are 32 bits wide, and 3 coordinates of 2^26 atoms are 1.5 GiB.
constexpr std::int64_t atoms_max = std::int64_t{1} << 26;
// Their 14 computes, and the 27 that feed each, are counted in 32 bits.
constexpr std::int64_t cells_max = std::int64_t{1} << 26;
// Atoms and their images in neighbouring cells must be far from where atoms are that are not there.
constexpr double box_side_max = nowhere / 10;

// The smallest is allowed where `least` is inclusive.
enum class Least : std::uint8_t { inclusive, exclusive };

void check_number(std::string_view name, double value, Least least, std::string_view advice) {
  bool const large_enough = least == Least::inclusive ? value >= 0 : value > 0;
  if (large_enough && value <= std::numeric_limits<float>::max()) return;
  throw InputError(std::string(name) + " = " + short_text(value),
                   least == Least::inclusive ? "it is a finite number of at least 0"
                                             : "it is a finite number above 0",
                   advice);
}

void check_count(std::string_view name, std::int64_t value, std::int64_t least,
                 std::string_view advice) {
  if (value >= least) return;
  throw InputError(std::string(name) + " = " + std::to_string(value),
                   "it is at least " + std::to_string(least), advice);
}

void check_numbers(MeltSettings const& settings) {
  check_number("density", settings.density, Least::exclusive, "0.8442 melts at temperature 1.44");
  check_number("temperature", settings.temperature, Least::inclusive, "give it in ε/k, as 1.44");
  check_number("cutoff", settings.cutoff, Least::exclusive, "2.5 is usual");
  check_number("skin", settings.skin, Least::inclusive, "0.3 serves 20 steps of 0.005");
  check_number("time_step", settings.time_step, Least::exclusive, "0.005 is usual");
}

void check_counts(MeltSettings const& settings) {
  double atoms = 4;
  double cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::string const of_axis = std::string(" along ") + axis_names[axis];
    check_count("lattice_cells" + of_axis, settings.lattice_cells[axis], 1, "20 make 32000 atoms");
    check_count("cells" + of_axis, settings.cells[axis], 3,
                "with fewer, two cells would be neighbours on two sides");
    atoms *= settings.lattice_cells[axis];
    cells *= settings.cells[axis];
  }
  if (atoms > static_cast<double>(atoms_max)) {
    throw InputError(short_text(atoms) + " atoms", "at most 2^26 are counted",
                     "take fewer lattice_cells");
  }
  if (cells > static_cast<double>(cells_max)) {
    throw InputError(short_text(cells) + " cells", "at most 2^26 are counted", "take fewer cells");
  }
  check_count("rebuild_steps", settings.rebuild_steps, 1, "20 is usual");
  check_count("steps", settings.steps, 0, "100 is usual");
  check_steps("steps", settings.steps);
  check_count("thermo_steps", settings.thermo_steps, 1, "100 is usual");
}

void check_box(MeltSettings const& settings) {
  Vector3 const box = box_sides(settings);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box[axis] <= box_side_max) continue;
    throw InputError("density = " + short_text(settings.density),
                     "the box would be " + short_text(box[axis]) + " long along " +
                         axis_names[axis] + ", and it is at most " + short_text(box_side_max),
                     "take a greater density, or fewer lattice_cells");
  }
}

void check_cell_sides(MeltSettings const& settings) {
  Vector3 const box = box_sides(settings);
  double const reach = list_reach(settings);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double const side = box[axis] / settings.cells[axis];
    if (side >= reach) continue;
    int const most = static_cast<int>(box[axis] / reach);
    throw InputError(
        std::to_string(settings.cells[axis]) + " cells along " + axis_names[axis],
        "each would be " + short_text(side) + " thick, and pairs reach " + short_text(reach),
        most >= 3 ? "take at most " + std::to_string(most)
                  : "take more lattice_cells, since 3 cells need " + short_text(3 * reach));
  }
}

}  // namespace

void check_steps(std::string_view name, std::int64_t steps) {
  if (steps <= steps_max) return;
  throw InputError(std::string(name) + " = " + std::to_string(steps),
                   "steps are counted up to 2^53", "take fewer, as 100");
}

void check(MeltSettings const& settings) {
  check_numbers(settings);
  check_counts(settings);
  check_box(settings);
  check_cell_sides(settings);
}

std::int64_t atom_count(MeltSettings const& settings) {
  std::int64_t count = 4;
  for (int const cells : settings.lattice_cells) count *= cells;
  return count;
}

std::int64_t cell_atoms_max(MeltSettings const& settings) {
  Vector3 const box = box_sides(settings);
  double volume = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) volume *= box[axis] / settings.cells[axis];
  double const dense = 16 * std::max(settings.density, 1.0) * volume + 64;
  return static_cast<std::int64_t>(std::min(static_cast<double>(atom_count(settings)), dense));
}

Vector3 box_sides(MeltSettings const& settings) {
  double const constant = lattice_constant(settings.density);
  Vector3 sides{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sides[axis] = settings.lattice_cells[axis] * constant;
  }
  return sides;
}

double lattice_constant(double density) {
  return cube_root(4 / density);
}

double cube_root(double x) {
  if (std::isinf(x)) return x;  // of which frexp tells no exponent
  int exponent = 0;
  std::frexp(x, &exponent);
  // Above the root, from where Newton's steps come down until rounding stops them.
  double root = std::ldexp(1.0, exponent / 3 + 1);
  for (;;) {
    double const next = root - (root - x / (root * root)) / 3;
    if (next >= root) return root;
    root = next;
  }
}

}  // namespace makespan::melt

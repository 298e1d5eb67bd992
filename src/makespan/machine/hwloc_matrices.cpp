// SPDX-License-Identifier: Apache-2.0
// Matrices as hwloc's distances, which are square, of whole numbers, over at least two objects. One
// between two sets of places lies in a square over both, the rest of which is 0.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/error.hpp"
#include "makespan/machine/detail/hwloc_handle.hpp"

namespace makespan::machine {

namespace {

// hwloc's distances are whole numbers, and of 26 ns between two cores a nanosecond is 4 %.
constexpr double picosecond = 1e-12;

double unit_of(CostMatrix const& matrix) {
  return has_unit(matrix) && matrix.kind == CostKind::latency ? picosecond : 1.0;
}

CostKind kind_of(unsigned long kind) {
  if ((kind & HWLOC_DISTANCES_KIND_MEANS_LATENCY) != 0) return CostKind::latency;
  if ((kind & HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH) != 0) return CostKind::bandwidth;
  return CostKind::other;
}

unsigned long hwloc_kind_of(CostKind kind) {
  unsigned long const measured = HWLOC_DISTANCES_KIND_FROM_USER;
  if (kind == CostKind::latency) return measured | HWLOC_DISTANCES_KIND_MEANS_LATENCY;
  if (kind == CostKind::bandwidth) return measured | HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH;
  return measured;
}

// All distances that a topology holds, given back in the end.
class DistanceList {
 public:
  explicit DistanceList(hwloc_topology_t topology) : topology_{topology} {
    unsigned count = 0;
    // The first call counts, the second one fills; kind 0 is any kind.
    check(hwloc_distances_get(topology_, &count, nullptr, 0, 0));
    all_.resize(count);
    check(hwloc_distances_get(topology_, &count, all_.data(), 0, 0));
  }
  DistanceList(DistanceList const&) = delete;
  DistanceList& operator=(DistanceList const&) = delete;
  ~DistanceList() {
    for (hwloc_distances_s* const one : all_) {
      if (one != nullptr) hwloc_distances_release(topology_, one);
    }
  }

  [[nodiscard]] std::vector<hwloc_distances_s*> const& all() const { return all_; }
  [[nodiscard]] std::string_view name_of(hwloc_distances_s* one) const {
    char const* const name = hwloc_distances_get_name(topology_, one);
    return name == nullptr ? std::string_view{} : name;
  }
  void remove(std::string_view name) {
    for (hwloc_distances_s*& one : all_) {
      if (one == nullptr || name_of(one) != name) continue;
      check(hwloc_distances_release_remove(topology_, one));
      // It is released with it, and must not be once more in the end.
      one = nullptr;
    }
  }

 private:
  static void check(int status) {
    if (status != 0) refuse_hwloc("the machine's distances", "is there memory left?");
  }

  hwloc_topology_t topology_;
  std::vector<hwloc_distances_s*> all_{};
};

std::optional<std::vector<int>> find_places(Machine::Handle const& handle,
                                            hwloc_distances_s const& distances) {
  std::vector<int> places;
  for (unsigned i = 0; i < distances.nbobjs; ++i) {
    auto const found = std::ranges::find(handle.objects, distances.objs[i]);
    // Over objects that are no places here, as bridges would be.
    if (found == handle.objects.end()) return std::nullopt;
    places.push_back(static_cast<int>(found - handle.objects.begin()));
  }
  return places;
}

// Which rows and columns of a square are the matrix.
struct Part {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
};

// All, unless each place of the square has either a row or a column that holds something: then it
// is a matrix between two sets. Those are of different types.
Part part_of(hwloc_distances_s const& distances) {
  std::size_t const size = distances.nbobjs;
  std::vector<bool> row_used(size);
  std::vector<bool> column_used(size);
  for (std::size_t pair = 0; pair < size * size; ++pair) {
    if (distances.values[pair] == 0) continue;
    row_used[pair / size] = true;
    column_used[pair % size] = true;
  }
  bool const is_between = (distances.kind & HWLOC_DISTANCES_KIND_HETEROGENEOUS_TYPES) != 0 &&
                          std::ranges::equal(row_used, column_used, std::not_equal_to<>());
  Part part{};
  for (std::size_t i = 0; i < size; ++i) {
    if (!is_between || row_used[i]) part.rows.push_back(i);
    if (!is_between || column_used[i]) part.columns.push_back(i);
  }
  return part;
}

CostMatrix matrix_of(std::string_view name, std::vector<int> const& places,
                     hwloc_distances_s const& distances) {
  CostMatrix matrix{.name = std::string(name), .kind = kind_of(distances.kind)};
  Part const part = part_of(distances);
  for (std::size_t const row : part.rows) matrix.from.push_back(places[row]);
  for (std::size_t const column : part.columns) matrix.to.push_back(places[column]);
  double const unit = unit_of(matrix);
  for (std::size_t const row : part.rows) {
    for (std::size_t const column : part.columns) {
      auto const value = distances.values[row * places.size() + column];
      matrix.values.push_back(static_cast<double>(value) * unit);
    }
  }
  return matrix;
}

// The places of a matrix, each once, and the square over them.
struct Square {
  std::vector<int> places;
  std::vector<hwloc_uint64_t> values;
};

enum class Side { from, to };

// Numbers of the rows, or columns, that hold something.
std::vector<std::size_t> measured(CostMatrix const& matrix, Side side) {
  bool const rows = side == Side::from;
  std::vector<bool> used(rows ? matrix.from.size() : matrix.to.size());
  for (std::size_t pair = 0; pair < matrix.values.size(); ++pair) {
    std::size_t const line = rows ? pair / matrix.to.size() : pair % matrix.to.size();
    if (matrix.values[pair] > 0.0) used[line] = true;
  }
  std::vector<std::size_t> lines;
  for (std::size_t line = 0; line < used.size(); ++line) {
    if (used[line]) lines.push_back(line);
  }
  return lines;
}

hwloc_uint64_t whole(double value, CostMatrix const& matrix) {
  double const units = std::round(value / unit_of(matrix));
  // 2^64, which hwloc's type does not hold.
  if (units < 0x1p64) return static_cast<hwloc_uint64_t>(units);
  throw InputError("matrix '" + matrix.name + "'", "it has the value " + std::to_string(value),
                   "hwloc keeps whole numbers below 2^64, and of latencies picoseconds");
}

Square square_of(CostMatrix const& matrix) {
  if (matrix.from == matrix.to) {
    Square square{.places = matrix.from, .values = {}};
    for (double const value : matrix.values) square.values.push_back(whole(value, matrix));
    return square;
  }
  // Only what holds something: by that part_of() knows rows from columns when it is read.
  auto const rows = measured(matrix, Side::from);
  auto const columns = measured(matrix, Side::to);
  Square square{};
  for (std::size_t const row : rows) square.places.push_back(matrix.from[row]);
  for (std::size_t const column : columns) square.places.push_back(matrix.to[column]);
  std::size_t const size = square.places.size();
  square.values.resize(size * size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      square.values[i * size + rows.size() + j] = whole(matrix.at(rows[i], columns[j]), matrix);
    }
  }
  return square;
}

}  // namespace

std::vector<CostMatrix> matrices_in(Machine::Handle const& handle) {
  DistanceList const list(handle.topology);
  std::vector<CostMatrix> matrices;
  for (hwloc_distances_s* const one : list.all()) {
    auto const places = find_places(handle, *one);
    std::string_view const name = list.name_of(one);
    // Files of other programs may have two of a name, or none; a Topology has each name once.
    bool const is_new = std::ranges::find(matrices, name, &CostMatrix::name) == matrices.end();
    if (places && is_new) matrices.push_back(matrix_of(name, *places, *one));
  }
  return matrices;
}

void hand_over(Machine::Handle& handle, CostMatrix const& matrix) {
  constexpr std::string_view suggestion = "a matrix is over at least two places of one machine";
  check(matrix, handle.objects.size());
  Square square = square_of(matrix);
  std::vector<hwloc_obj_t> objects;
  objects.reserve(square.places.size());
  for (int const place : square.places) {
    objects.push_back(handle.objects[static_cast<std::size_t>(place)]);
  }
  // Before the old one of that name is gone.
  if (objects.size() < 2) {
    throw InputError("matrix '" + matrix.name + "'",
                     "something was measured between " + std::to_string(objects.size()) + " places",
                     suggestion);
  }
  // Those of before: hwloc would keep both under the one name. The old one goes when the new one is
  // there, and stays where hwloc refuses it.
  DistanceList before(handle.topology);
  // Without flags: one of them has hwloc group objects by these values, and groups would be new
  // objects of its tree, which handle.objects does not have.
  hwloc_distances_add_handle_t const added = hwloc_distances_add_create(
      handle.topology, matrix.name.c_str(), hwloc_kind_of(matrix.kind), 0);
  if (added == nullptr ||
      hwloc_distances_add_values(handle.topology, added, checked_cast<unsigned>(objects.size()),
                                 objects.data(), square.values.data(), 0) != 0 ||
      hwloc_distances_add_commit(handle.topology, added, 0) != 0) {
    refuse_hwloc("matrix '" + matrix.name + "'", suggestion);
  }
  before.remove(matrix.name);
}

}  // namespace makespan::machine

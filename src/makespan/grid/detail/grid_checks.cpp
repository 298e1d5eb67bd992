// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/grid_checks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/grid/cut/host_layers.hpp"

namespace makespan::grid {

namespace {

// What a device keeps takes 40 MiB then; traces keep some thousands.
constexpr std::int64_t phases_kept_max = std::int64_t{1} << 20;

constexpr std::array<std::string_view, face_count> face_names{"x_low",  "x_high", "y_low",
                                                              "y_high", "z_low",  "z_high"};

std::string text_of(Point const& point) {
  return std::to_string(point.x) + " x " + std::to_string(point.y) + " x " +
         std::to_string(point.z);
}

void check_faces(GridProblem const& problem, std::size_t fields) {
  for (std::size_t face = 0; face < problem.faces.kinds.size(); face += 2) {
    bool const low = problem.faces.kinds[face] == FaceKind::periodic;
    bool const high = problem.faces.kinds[face + 1] == FaceKind::periodic;
    if (low == high) continue;
    throw InputError(std::string(face_names[low ? face : face + 1]) + " is periodic, and " +
                         std::string(face_names[low ? face + 1 : face]) + " is not",
                     "beyond each lies the other", "make both periodic, or none");
  }
  if (problem.values.size() != fields) {
    throw InputError("face values of " + std::to_string(problem.values.size()) + " fields",
                     "the stencil has " + std::to_string(fields), "give one set for each");
  }
  for (std::size_t field = 0; field < fields; ++field) {
    for (std::size_t face = 0; face < problem.faces.kinds.size(); ++face) {
      double const value = problem.values[field][face];
      if (problem.faces.kinds[face] != FaceKind::value || std::isfinite(value)) continue;
      throw InputError("the value at " + std::string(face_names[face]) + " of field " +
                           std::to_string(field) + " = " + short_text(value),
                       "it is a finite number", "give one");
    }
  }
}

void check_halo(GridProblem const& problem, StencilShape const& shape, int steps_at_once) {
  if (steps_at_once < 1 || steps_at_once > shape.steps_max) {
    throw InputError("steps_at_once = " + std::to_string(steps_at_once),
                     "the stencil makes 1 to " + std::to_string(shape.steps_max) + " at once",
                     "take as many");
  }
  std::int64_t const width = shape.halo.width * steps_at_once;
  if (width > halo_width_max) {
    throw InputError("a halo of " + std::to_string(width) + " points",
                     "it is at most " + std::to_string(halo_width_max) + " wide",
                     "take fewer steps at once");
  }
  Point const size = problem.box.extent();
  Wraps const wraps = problem.faces.wraps();
  if ((wraps.x && width > size.x) || (wraps.y && width > size.y) || (wraps.z && width > size.z)) {
    throw InputError("a periodic grid of " + text_of(size) + " points",
                     "its halo is " + std::to_string(width) + " points wide, and would wrap twice",
                     "take more points, or fewer steps at once");
  }
}

bool are_alike(StencilShape const& a, StencilShape const& b) {
  return a.fields == b.fields && a.halo.width == b.halo.width && a.halo.shape == b.halo.shape &&
         a.reads_row_ends == b.reads_row_ends && a.steps_max == b.steps_max;
}

void check_accelerator(GridDevice const& device, StencilShape const& shape, int steps_at_once) {
  if (!device.accelerator) return;
  if (steps_at_once > 1) {
    throw InputError("steps_at_once = " + std::to_string(steps_at_once),
                     "a GPU makes one step at a time", "take 1, or leave the GPU out");
  }
  if (!device.slowdowns.empty()) {
    throw InputError("slowdowns of a GPU", "only threads can be made slower", "leave them out");
  }
  if (device.point_time != Seconds{}) {
    throw InputError("a point_time of a GPU", "only threads can be made slower", "leave it out");
  }
  if (shape.reads_row_ends) {
    throw InputError("a GPU for a stencil that reads beyond its rows' ends",
                     "they are not filled there", "let its kernel ask the view's sides");
  }
}

void check_point_time(Seconds time, int steps_at_once) {
  if (!(time >= Seconds{0.0} && time <= Seconds{1e-3})) {
    throw InputError("a device's point_time = " + short_text(time.value()), "it is 0 to 1 ms",
                     "leave it out where a core computes as fast as it can");
  }
  // What both sides of a boundary compute in between would cost nothing.
  if (time > Seconds{0.0} && steps_at_once > 1) {
    throw InputError("steps_at_once = " + std::to_string(steps_at_once),
                     "a device of a given point_time makes one step at a time",
                     "take 1, or leave point_time out");
  }
}

void check_cut(GridProblem const& problem, GridOptions const& options) {
  check_layers(options.layers, options.steps_at_once);
  if (options.blocks < 1) {
    throw InputError("layers in " + std::to_string(options.blocks) + " blocks",
                     "each has one at least", "4 suits most");
  }
  std::int64_t const planes = problem.box.extent().z;
  if (!options.plane_weights.empty() && std::ssize(options.plane_weights) != planes) {
    throw InputError(std::to_string(options.plane_weights.size()) + " plane_weights",
                     "the grid has " + std::to_string(planes) + " planes along z",
                     "give one for each");
  }
  static_cast<void>(PlaneWeights(options.plane_weights));
  if (options.rebalance.steps < 0 || options.rebalance.first < 0) {
    throw InputError(
        "rebalance every " +
            std::to_string(std::min(options.rebalance.steps, options.rebalance.first)) + " steps",
        "it is 0 for never, or at least 1", "100 suits most");
  }
  if (options.phases_kept < 0 || options.phases_kept > phases_kept_max) {
    throw InputError(
        "phases_kept = " + std::to_string(options.phases_kept),
        "it is how many of the last phases are kept, 0 to " + std::to_string(phases_kept_max),
        "leave it out");
  }
}

// Values one after the other, as bytes.
class Bytes {
 public:
  template <class T>
  void add(T const& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    for (std::byte const byte : std::bit_cast<std::array<std::byte, sizeof(T)>>(value)) {
      bytes_.push_back(byte);
    }
  }
  [[nodiscard]] std::uint64_t hash() const { return fnv1a(bytes_); }

 private:
  std::vector<std::byte> bytes_{};
};

}  // namespace

void check_box(Box const& domain, Box const& box) {
  if (!box.is_empty() && intersection(domain, box) == box) return;
  throw InputError(
      "a box from (" + text_of(box.begin) + ") to (" + text_of(box.end) + ")",
      "the grid's goes from (" + text_of(domain.begin) + ") to (" + text_of(domain.end) + ")",
      "take points of the grid, one at least");
}

void check_field(int field, std::size_t fields) {
  if (field >= 0 && static_cast<std::size_t>(field) < fields) return;
  throw InputError("field " + std::to_string(field),
                   "the grid has " + std::to_string(fields) + ", from 0 on", "take one of them");
}

void check_grid(GridProblem const& problem, GridOptions const& options,
                std::span<GridDevice const> devices, int threads) {
  if (problem.box.is_empty()) {
    throw InputError("a grid of " + text_of(problem.box.extent()) + " points",
                     "it has one at least along each axis", "give it some");
  }
  std::int64_t const hosts = options.route == Route::relayed ? 1 : 0;
  if (devices.empty() || std::ssize(devices) + hosts > threads) {
    throw InputError(std::to_string(devices.size()) + " devices of an image",
                     "it has one at least, and its runtime a thread for each (" +
                         std::to_string(threads) + "), and one more where halos are relayed",
                     "give the runtime as many threads");
  }
  if (std::ranges::any_of(devices, [](GridDevice const& device) { return !device.stencil; })) {
    throw InputError("a device without a stencil", "it would have nothing to compute",
                     "give it one that outlives the grid");
  }
  StencilShape const shape = devices.front().stencil->shape();
  for (GridDevice const& device : devices) {
    check_accelerator(device, shape, options.steps_at_once);
    if (!are_alike(shape, device.stencil->shape())) {
      throw InputError("devices with stencils of different shapes",
                       "all compute the same fields from the same halo",
                       "give all the same stencil, or one that differs in its instructions only");
    }
    if (!(device.speed > Speed{0.0}) || !std::isfinite(device.speed.value())) {
      throw InputError("a device's speed = " + short_text(device.speed.value()),
                       "it is a finite number above 0", "leave it out where you do not know it");
    }
    check_point_time(device.point_time, options.steps_at_once);
  }
  check_faces(problem, shape.fields.size());
  check_halo(problem, shape, options.steps_at_once);
  check_cut(problem, options);
}

void check_memory(GridProblem const& problem, StencilShape const& shape, double bytes) {
  Point const size = problem.box.extent();
  double const points =
      static_cast<double>(size.x) * static_cast<double>(size.y) * static_cast<double>(size.z);
  int copies = 0;
  for (FieldRole const role : shape.fields) copies += copies_of(role);
  double const needed = points * copies * static_cast<double>(sizeof(double));
  if (needed <= bytes) return;
  constexpr double gib = 0x1p30;
  throw InputError("a grid of " + text_of(size) + " points",
                   "its fields take " + short_text(std::ceil(needed / gib)) +
                       " GiB, and hosts have " + short_text(std::floor(bytes / gib)),
                   "take fewer points, or more images on other hosts");
}

std::uint64_t fingerprint_of(GridProblem const& problem, GridOptions const& options,
                             StencilShape const& shape) {
  Bytes bytes;
  // Member by member: bytes between members may have any value.
  for (Point const& point : {problem.box.begin, problem.box.end}) {
    for (std::int64_t const at : {point.x, point.y, point.z}) bytes.add(at);
  }
  bytes.add(problem.faces.kinds);
  for (FaceValues const& values : problem.values) bytes.add(values);
  bytes.add(options.schedule);
  bytes.add(options.route);
  bytes.add(options.cut);
  bytes.add(options.layers.share);
  bytes.add(options.layers.thickness);
  bytes.add(options.layers.thickness_y);
  bytes.add(options.layers.thickness_x);
  bytes.add(options.layers.is_free);
  for (double const weight : options.plane_weights) bytes.add(weight);
  bytes.add(options.blocks);
  bytes.add(options.block_order);
  bytes.add(options.steps_at_once);
  bytes.add(options.rebalance.steps);
  bytes.add(options.rebalance.first);
  bytes.add(options.rebalance.options.gain_min);
  for (FieldRole const role : shape.fields) bytes.add(role);
  bytes.add(shape.halo.width);
  bytes.add(shape.halo.shape);
  return bytes.hash();
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/field/slab_fields.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::grid {

namespace {

constexpr std::int64_t line = 8;       // doubles of a cache line
constexpr std::int64_t gpu_line = 16;  // of a GPU's
static_assert(2 * row_margin % gpu_line == 0);

std::int64_t row_pitch_of(SlabPlan const& plan, std::int64_t line_there) {
  return row_margin + (plan.box.extent().x + line_there - 1) / line_there * line_there + row_margin;
}
std::int64_t rows_of(SlabPlan const& plan) {
  return plan.box.extent().y + 2 * plan.halo_width;
}
// The same point of all fields at the same place of its page would be kept in the same few lines of
// a cache: each memory begins so much later in its page than the one before. A sweep of five fields
// is 15 % faster for it. Lines of a GPU are twice as long: an even number.
constexpr std::int64_t skew = 6 * line;
static_assert(skew % gpu_line == 0);

// In doubles first, where nothing runs over; so that the bytes of a thousand such fields are
// counted in 64 bits.
SlabPlan countable(SlabPlan plan) {
  constexpr double doubles_max = 0x1p50;
  Point const size = plan.box.extent();
  auto const halos = static_cast<double>(2 * halo_width_max);
  auto const margins = static_cast<double>(2 * row_margin + gpu_line);
  double const doubles = (static_cast<double>(size.x) + margins) *
                         (static_cast<double>(size.y) + halos) *
                         (static_cast<double>(size.z) + halos);
  if (doubles <= doubles_max) return plan;
  throw InputError("fields of " + std::to_string(size.x) + " x " + std::to_string(size.y) + " x " +
                       std::to_string(size.z) + " points in one memory",
                   "with its margins and halos none is larger than 2^53 bytes",
                   "take fewer points, or more devices");
}

// One margin more at each end: kernels read a vector beyond the outermost rows.
std::int64_t doubles_of(SlabPlan const& plan, std::int64_t row_pitch) {
  return row_pitch * rows_of(plan) * (plan.box.extent().z + 2 * plan.halo_width) + 2 * row_margin;
}
// Of the planes in a slab's memory number `i`.
std::int64_t begin_of(std::size_t i) {
  return row_margin + skew * static_cast<std::int64_t>(i);
}
FieldMemory memory_of(FieldSource const& source, std::int64_t doubles) {
  return source ? source(doubles) : FieldMemory(doubles);
}

}  // namespace

SlabFields::SlabFields(SlabPlan plan, FieldSource const& source)
    : plan_{countable(std::move(plan))},
      row_pitch_{row_pitch_of(plan_, source ? gpu_line : line)},
      plane_pitch_{row_pitch_ * rows_of(plan_)},
      value_rows_(row_pitch_ * face_count * static_cast<std::int64_t>(plan_.roles.size())) {
  MAKESPAN_EXPECT(!plan_.box.is_empty());
  if (plan_.domain.is_empty()) plan_.domain = plan_.box;
  MAKESPAN_EXPECT(plan_.halo_width >= 0 && plan_.halo_width <= halo_width_max);
  MAKESPAN_EXPECT(plan_.values.size() == plan_.roles.size());
  std::int64_t const first = plan_.halo_width * (plane_pitch_ + row_pitch_) + row_margin;
  double* values = value_rows_.data();
  for (std::size_t field = 0; field < plan_.roles.size(); ++field) {
    FieldView view{.box = plan_.box,
                   .domain = moved(plan_.domain, Point{} - plan_.box.begin),
                   .row_pitch = row_pitch_,
                   .plane_pitch = plane_pitch_,
                   .sides = plan_.sides,
                   .values = plan_.values[field],
                   .value_rows = values + row_margin};
    for (double const value : plan_.values[field]) {
      values = std::fill_n(values, row_pitch_, value);
    }
    for (int copy = 0; copy < 2; ++copy) {
      if (copy < copies_of(plan_.roles[field])) {
        memories_.push_back(memory_of(
            source, begin_of(memories_.size()) - row_margin + doubles_of(plan_, row_pitch_)));
      }
      view.first = memories_.back().data() + begin_of(memories_.size() - 1) + first;
      views_[copy].push_back(view);
      if (plan_.roles[field] == FieldRole::spreads) spreading_[copy].push_back(view);
    }
  }
}

void SlabFields::clear(std::int64_t first, std::int64_t last) {
  MAKESPAN_EXPECT(first >= first_plane() && last <= last_plane());
  if (first >= last) return;
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    FieldMemory& memory = memories_[i];
    auto const plane = [&](std::int64_t z) {
      return begin_of(i) + (z + plan_.halo_width) * plane_pitch_;
    };
    // Margins go with the first plane and the last one.
    std::int64_t const begin = first == first_plane() ? 0 : plane(first);
    std::int64_t const end = last == last_plane() ? memory.count() : plane(last);
    std::fill(memory.data() + begin, memory.data() + end, 0.0);
  }
}

std::int64_t SlabFields::bytes_of(SlabPlan const& plan) {
  std::size_t copies = 0;
  std::int64_t doubles = 0;
  SlabPlan const counted = countable(plan);
  for (FieldRole const role : counted.roles) {
    for (int copy = 0; copy < copies_of(role); ++copy) {
      doubles +=
          begin_of(copies++) - row_margin + doubles_of(counted, row_pitch_of(counted, gpu_line));
    }
  }
  return doubles * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace makespan::grid

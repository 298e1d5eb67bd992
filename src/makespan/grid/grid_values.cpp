// SPDX-License-Identifier: Apache-2.0
// Values of a grid that come to image 0 and from there, and those that are none.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/agreement.hpp"
#include "makespan/grid/detail/box_mover.hpp"
#include "makespan/grid/detail/device_run.hpp"
#include "makespan/grid/detail/gathered_numbers.hpp"
#include "makespan/grid/detail/grid_checks.hpp"
#include "makespan/grid/detail/halo_exchange.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/grid/grid.hpp"

namespace makespan::grid {

namespace {

// Of a part of the view's box: its points alone, and no halo.
FieldView view_of_part(FieldView view, Box const& part) {
  Point const by = part.begin - view.box.begin;
  view.first = view.at(by.y, by.z) + by.x;
  view.domain = moved(view.domain, Point{} - by);
  view.box = part;
  return view;
}

}  // namespace

std::vector<double> Grid::gather_all(int field, Box const& box) {
  check_field(field, shape_.fields.size());
  check_box(problem_.box, box);
  std::vector<BoxMove> moves;
  for (int number = 0; number < std::ssize(slabs_); ++number) {
    SlabPlace const& slab = slabs_[static_cast<std::size_t>(number)];
    Box const met = intersection(slab.box, box);
    if (met.is_empty()) continue;
    moves.push_back({.from_image = slab.owner.image, .box = met, .source = number});
  }
  std::vector<double> values(image() == 0 ? static_cast<std::size_t>(box.points()) : 0);
  auto const at = static_cast<std::size_t>(field);
  // The mover carries as many values a point as there are fields; one of them is used.
  mover_->move_all(
      moves,
      [&](BoxMove const& move, Box const& part, std::span<double> to) {
        Slab const& slab = slab_here(move.source);
        read_values(slab, slab.fields.now().subspan(at, 1), part, to.data());
      },
      [&](BoxMove const&, Box const& part, std::span<double const> from) {
        place_rows(from.data(), part, box, values.data());
      });
  return values;
}

void Grid::scatter_all(int field, Box const& box, std::span<double const> values) {
  check_field(field, shape_.fields.size());
  check_box(problem_.box, box);
  MAKESPAN_EXPECT(image() != 0 || std::ssize(values) == box.points());
  std::vector<BoxMove> moves;
  for (int number = 0; number < std::ssize(slabs_); ++number) {
    SlabPlace const& slab = slabs_[static_cast<std::size_t>(number)];
    Box const met = intersection(slab.box, box);
    if (met.is_empty()) continue;
    moves.push_back({.to_image = slab.owner.image, .box = met, .target = number});
  }
  auto const at = static_cast<std::size_t>(field);
  has_halos_ = false;  // also if a device fails
  mover_->move_all(
      moves,
      [&](BoxMove const&, Box const& part, std::span<double> to) {
        take_rows(values.data(), box, part, to.data());
      },
      [&](BoxMove const& move, Box const& part, std::span<double const> from) {
        Slab const& slab = slab_here(move.target);
        write_values(from.data(), slab, slab.fields.now().subspan(at, 1), part);
      });
}

std::optional<BadValue> Grid::find_bad_value_all() {
  FoundValue first{found_none};
  auto const look = [&] {
    for (auto const& device : devices_) {
      for (Slab const& slab : device->slabs()) {
        auto const views = slab.fields.now();
        auto const bad =
            slab.accelerator ? slab.accelerator->find_bad_value(views) : find_bad_value(views);
        if (!bad) continue;
        FoundValue const found{static_cast<double>(bad->field), static_cast<double>(bad->at.z),
                               static_cast<double>(bad->at.y), static_cast<double>(bad->at.x),
                               bad->value};
        // Not by the value too: NaN is neither less nor more than another.
        auto const key = [](FoundValue const& a) { return std::array{a[0], a[1], a[2], a[3]}; };
        if (key(found) < key(first)) first = found;
      }
    }
  };
  // Here and below: where an accelerator fails, no image is left alone in what all must come to.
  stop_all(runtime_.team(), failure_of(look));
  std::vector<double> const all = runtime_.team().all_gather_all(std::span<double const>(first));
  for (std::size_t at = 0; at < all.size(); at += first.size()) {
    ImageId const image{static_cast<std::int64_t>(at / first.size())};
    expect_found(image, std::span(all).subspan(at, first.size()), shape_.fields.size(),
                 problem_.box);
    if (std::lexicographical_compare(&all[at], &all[at] + 4, first.begin(), first.begin() + 4)) {
      std::copy_n(&all[at], first.size(), first.begin());
    }
  }
  if (first[0] == found_none) return std::nullopt;
  return BadValue{.field = static_cast<int>(first[0]),
                  .at = {static_cast<std::int64_t>(first[3]), static_cast<std::int64_t>(first[2]),
                         static_cast<std::int64_t>(first[1])},
                  .value = first[4]};
}

// Of what slabs have of the box, by each device's threads, or its accelerator: `of_part(view,
// part)` and `of_slab(accelerator, view)`, and `add` of what they give, one at a time.
template <class OfPart, class OfSlab, class Add>
void Grid::for_each_view(int field, Box const& box, OfPart&& of_part, OfSlab&& of_slab, Add&& add) {
  auto const at = static_cast<std::size_t>(field);
  std::mutex mutex;
  for (auto const& device : devices_) {
    for (Slab const& slab : device->slabs()) {
      FieldView const& view = slab.fields.now()[at];
      Box const met = intersection(view.box, box);
      if (met.is_empty()) continue;
      if (slab.accelerator != nullptr) {
        add(of_slab(*slab.accelerator, view_of_part(view, met)));
        continue;
      }
      device->for_each_part(met, [&](Box const& part) {
        auto const found = of_part(view, part);
        std::scoped_lock const lock(mutex);
        add(found);
      });
    }
  }
}

FieldSummary Grid::summary_all(int field, Box const& box) {
  check_field(field, shape_.fields.size());
  check_box(problem_.box, box);
  pgas::Team& team = runtime_.team();
  ValueRange range;
  stop_all(team, failure_of([&] {
             for_each_view(
                 field, box,
                 [](FieldView const& view, Box const& part) { return range_of(view, part); },
                 [](Accelerator& accelerator, FieldView const& view) {
                   return accelerator.range_of(view);
                 },
                 [&](ValueRange const& found) { range += found; });
           }));
  FieldSummary summary{.least = value_of_key(team.all_reduce_all(pgas::ReduceOp::min, range.least)),
                       .most = value_of_key(team.all_reduce_all(pgas::ReduceOp::max, range.most))};
  // One that is no number lies beyond either end, by its sign: it shows at both.
  if (std::isnan(summary.least) || std::isnan(summary.most)) {
    summary.least = summary.most = std::numeric_limits<double>::quiet_NaN();
  }
  // All images have the same range, and so the same scale.
  if (!std::isfinite(summary.least) || !std::isfinite(summary.most)) return summary;
  int const scale = scale_for(summary.least, summary.most);
  FixedSum sum;
  stop_all(team, failure_of([&] {
             for_each_view(
                 field, box,
                 [&](FieldView const& view, Box const& part) { return sum_of(view, part, scale); },
                 [&](Accelerator& accelerator, FieldView const& view) {
                   return accelerator.sum_of(view, scale);
                 },
                 [&](FixedSum const& found) { sum += found; });
           }));
  summary.scale = scale;
  team.all_reduce_all(pgas::ReduceOp::sum, std::span<std::int64_t const>(sum.limbs),
                      std::span<std::int64_t>(summary.sum.limbs));
  return summary;
}

std::vector<Digest> Grid::digests_all() {
  auto const planes = static_cast<std::size_t>(problem_.box.extent().z);
  std::vector<Digest> digests(shape_.fields.size() * planes);
  auto const add = [&] {
    for (auto const& device : devices_) {
      for (Slab const& slab : device->slabs()) {
        if (slab.accelerator != nullptr) {
          slab.accelerator->add_digests(slab.fields.now(), problem_.box, digests);
        } else {
          add_digests(slab.fields.now(), problem_.box, digests);
        }
      }
    }
  };
  stop_all(runtime_.team(), failure_of(add));
  std::vector<std::uint64_t> mine;
  mine.reserve(2 * digests.size());
  for (Digest const& digest : digests) mine.insert(mine.end(), {digest.first, digest.second});
  std::vector<std::uint64_t> all(mine.size());
  runtime_.team().all_reduce_all(pgas::ReduceOp::sum, std::span<std::uint64_t const>(mine),
                                 std::span(all));
  for (std::size_t at = 0; at < digests.size(); ++at) {
    digests[at] = {.first = all[2 * at], .second = all[2 * at + 1]};
  }
  return digests;
}

}  // namespace makespan::grid

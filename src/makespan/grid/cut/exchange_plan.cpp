// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/exchange_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "makespan/base/contracts.hpp"

namespace makespan::grid {

namespace {

// Kernels take so many planes at once.
constexpr std::int64_t planes_per_part_min = 4;
// And points along x.
constexpr std::int64_t line_points = 8;

bool is_covered(std::span<Box const> boxes, Box const& box) {
  // `boxes` share no point, so that those of each add up.
  std::int64_t covered = 0;
  for (Box const& other : boxes) {
    Box const met = intersection(other, box);
    covered += met.points();
  }
  return covered == box.points();
}

// Cuts layers off a slab, where messages come from.
class Layers {
 public:
  Layers(Box const& slab, std::span<HaloMessage const> sent, std::int64_t width)
      : slab_{slab}, left_{slab}, sent_{sent}, width_{width} {}

  void take(std::int64_t Point::* axis) {
    // Along x layers begin and end where kernels' vectors do, counted from the slab's first point:
    // at both ends they may be thicker than asked for.
    std::int64_t const unit = axis == &Point::x ? line_points : 1;
    std::int64_t const thickness = (width_ + unit - 1) / unit * unit;
    Box low = slab_;
    low.end.*axis = std::min(slab_.begin.*axis + thickness, slab_.end.*axis);
    if (take_if_asked_for(low, axis)) left_.begin.*axis = std::min(low.end.*axis, left_.end.*axis);
    Box high = slab_;
    high.begin.*axis =
        slab_.begin.*axis + std::max<std::int64_t>(0, slab_.extent().*axis - width_) / unit * unit;
    if (take_if_asked_for(high, axis)) {
      left_.end.*axis = std::max(high.begin.*axis, left_.begin.*axis);
    }
  }

  [[nodiscard]] SlabRegions regions() const { return {boundary_, left_, across_}; }

 private:
  // Takes what is left of a layer, if a message lies in it along the axis, and not all in layers
  // that were taken before.
  bool take_if_asked_for(Box const& layer, std::int64_t Point::* axis) {
    bool const is_asked_for = std::ranges::any_of(sent_, [&](HaloMessage const& message) {
      return message.from.begin.*axis >= layer.begin.*axis &&
             message.from.end.*axis <= layer.end.*axis && !is_covered(boundary_, message.from);
    });
    Box const left = intersection(layer, left_);
    if (!is_asked_for || left.is_empty()) return false;
    boundary_.push_back(left);
    across_.push_back(axis == &Point::x ? 0 : axis == &Point::y ? 1 : 2);
    return true;
  }

  Box slab_;
  Box left_;
  std::span<HaloMessage const> sent_;
  std::int64_t width_;
  std::vector<Box> boundary_{};
  std::vector<std::size_t> across_{};
};

// Rows or planes that a part of a message has at least.
constexpr std::int64_t block_rows_min = 2;

// Across y or z, whichever is longer: rows stay whole.
std::vector<Box> blocks_of(Box const& box, int count) {
  auto const axis = box.extent().z > box.extent().y ? &Point::z : &Point::y;
  std::int64_t const extent = box.extent().*axis;
  std::int64_t const parts = std::clamp<std::int64_t>(extent / block_rows_min, 1, count);
  std::vector<Box> blocks;
  for (std::int64_t part = 0; part < parts; ++part) {
    Box block = box;
    block.begin.*axis = box.begin.*axis + extent * part / parts;
    block.end.*axis = box.begin.*axis + extent * (part + 1) / parts;
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace

std::vector<HaloMessage> ExchangePlan::sent_by(int slab) const {
  std::vector<HaloMessage> sent;
  std::ranges::copy_if(messages, std::back_inserter(sent),
                       [&](HaloMessage const& message) { return message.from_slab == slab; });
  return sent;
}

std::vector<HaloMessage> ExchangePlan::received_by(int slab) const {
  std::vector<HaloMessage> received;
  std::ranges::copy_if(messages, std::back_inserter(received),
                       [&](HaloMessage const& message) { return message.to_slab == slab; });
  return received;
}

ExchangePlan exchange_plan(std::span<SlabPlace const> slabs, PeriodicBox const& domain,
                           Halo const& halo) {
  std::vector<Box> boxes;
  boxes.reserve(slabs.size());
  for (SlabPlace const& slab : slabs) boxes.push_back(slab.box);
  ExchangePlan plan;
  for (int receiver = 0; receiver < std::ssize(slabs); ++receiver) {
    std::int64_t points = 0;
    for (HaloPart const& part : halo_parts(boxes, receiver, domain, halo)) {
      plan.messages.push_back({.number = static_cast<int>(plan.messages.size()),
                               .from_slab = part.owner,
                               .to_slab = receiver,
                               .from = part.from,
                               .shift = part.shift,
                               .offset = points});
      points += part.from.points();
    }
    plan.points_of_slab.push_back(points);
  }
  return plan;
}

SlabRegions regions_of(Box const& slab, std::span<HaloMessage const> sent, std::int64_t width) {
  Layers layers(slab, sent, width);
  // Across z first: those layers are whole planes, and what is cut later is cut off what they
  // leave.
  layers.take(&Point::z);
  layers.take(&Point::y);
  layers.take(&Point::x);
  SlabRegions const regions = layers.regions();
  for (HaloMessage const& message : sent) {
    MAKESPAN_ENSURE(is_covered(regions.boundary, message.from));
  }
  return regions;
}

ExchangePlan in_blocks(ExchangePlan const& plan, int blocks) {
  MAKESPAN_EXPECT(blocks > 0);
  ExchangePlan cut{.points_of_slab = plan.points_of_slab};
  for (HaloMessage const& whole : plan.messages) {
    // Parts lie one behind the other where the whole message would: receivers have the same memory.
    std::int64_t offset = whole.offset;
    for (Box const& block : blocks_of(whole.from, blocks)) {
      HaloMessage part = whole;
      part.number = static_cast<int>(cut.messages.size());
      part.from = block;
      part.offset = offset;
      offset += block.points();
      cut.messages.push_back(part);
    }
  }
  return cut;
}

std::vector<Stage> stages_of(SlabRegions const& regions, std::span<HaloMessage const> sent,
                             int blocks, BlockOrder order, std::vector<bool> const& is_far) {
  std::vector<Box> boxes;
  for (Box const& layer : regions.boundary) {
    auto const parts = blocks_of(layer, blocks);
    boxes.insert(boxes.end(), parts.begin(), parts.end());
  }
  bool const far_first = order == BlockOrder::far_first;
  // Stable: within either kind in the order of the layers, across z first.
  std::ranges::stable_partition(boxes, [&](Box const& box) {
    bool const has_far = std::ranges::any_of(sent, [&](HaloMessage const& message) {
      return is_far[static_cast<std::size_t>(message.to_slab)] &&
             !intersection(message.from, box).is_empty();
    });
    return has_far == far_first;
  });
  std::vector<Stage> stages;
  std::vector<HaloMessage> left(sent.begin(), sent.end());
  std::vector<Box> done;
  for (Box const& box : boxes) {
    // With it: a message goes behind the first block with which all of it is computed.
    done.push_back(box);
    Stage& stage = stages.emplace_back(Stage{.boxes = {box}});
    std::erase_if(left, [&](HaloMessage const& message) {
      if (!is_covered(done, message.from)) return false;
      stage.messages.push_back(message);
      return true;
    });
  }
  MAKESPAN_ENSURE(left.empty());
  return stages;
}

std::vector<Box> parts_for_threads(Box const& box, int count) {
  MAKESPAN_EXPECT(count > 0);
  std::vector<Box> parts;
  // Across y where planes are too few for whole groups: never across x, so that rows stay whole.
  auto const axis = box.extent().z >= count * planes_per_part_min ? &Point::z : &Point::y;
  std::int64_t const extent = std::max<std::int64_t>(0, box.extent().*axis);
  // Whole groups of planes, the last part may have fewer.
  std::int64_t const unit = axis == &Point::z ? planes_per_part_min : 1;
  std::int64_t const units = (extent + unit - 1) / unit;
  for (int i = 0; i < count; ++i) {
    Box part = box;
    part.begin.*axis = box.begin.*axis + std::min(extent, units * i / count * unit);
    part.end.*axis = box.begin.*axis + std::min(extent, units * (i + 1) / count * unit);
    parts.push_back(part);
  }
  return parts;
}

}  // namespace makespan::grid

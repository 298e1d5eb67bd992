// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/grids/detail/grid_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "makespan/grid/cut/host_layers.hpp"

namespace makespan::sim {

namespace {

// `at`-th of `count` equal parts along an axis.
void take_part(grid::Box& box, std::int64_t grid::Point::* axis, std::int64_t at,
               std::int64_t count) {
  std::int64_t const begin = box.begin.*axis;
  std::int64_t const extent = box.extent().*axis;
  box.begin.*axis = begin + extent * at / count;
  box.end.*axis = begin + extent * (at + 1) / count;
}

// `box` with the ends of another one along an axis.
grid::Box along(std::int64_t grid::Point::* axis, grid::Box const& ends, grid::Box box) {
  box.begin.*axis = ends.begin.*axis;
  box.end.*axis = ends.end.*axis;
  return box;
}

std::vector<grid::DeviceStack> equal_boxes(GridJob const& job, grid::ImageDevices const& images) {
  grid::Point const counts = *job.images_along;
  std::vector<grid::DeviceStack> stacks;
  for (std::int64_t image = 0; image < std::ssize(images); ++image) {
    grid::Box part = job.box;
    take_part(part, &grid::Point::x, image % counts.x, counts.x);
    take_part(part, &grid::Point::y, image / counts.x % counts.y, counts.y);
    take_part(part, &grid::Point::z, image / (counts.x * counts.y), counts.z);
    for (grid::DeviceStack& stack :
         grid::stacks_of(part, {images[as_index(image)]}, grid::ImageCut::stack, job.layers)) {
      for (grid::DeviceName& name : stack.devices) name.image = static_cast<int>(image);
      stacks.push_back(std::move(stack));
    }
  }
  return stacks;
}

}  // namespace

GridRoster::GridRoster(GridJob const& job) : first_device{0} {
  for (std::size_t image = 0; image < job.images.size(); ++image) {
    for (GridDeviceModel const& model : job.images[image].devices) {
      models.push_back(&model);
      image_of.push_back(static_cast<int>(image));
    }
    first_device.push_back(static_cast<int>(models.size()));
  }
}

std::vector<grid::DeviceStack> first_stacks(GridJob const& job) {
  grid::ImageDevices images;
  for (GridImageModel const& image : job.images) {
    std::vector<grid::SlabDevice>& devices = images.emplace_back();
    for (GridDeviceModel const& model : image.devices) {
      devices.push_back(
          {.speed = job.knows_speeds ? model.speed : Speed{1.0}, .planes_max = model.planes_max});
    }
  }
  if (job.images_along) return equal_boxes(job, images);
  return grid::stacks_of(job.box, images, job.cut, job.layers);
}

GridLayout::GridLayout(GridJob const& job, GridRoster const& roster,
                       std::vector<grid::DeviceStack> stacks)
    : job_{job}, roster_{roster}, stacks_{std::move(stacks)} {
  std::vector<grid::SlabPlace> const places = grid::slabs_of(stacks_);
  std::int64_t const width = job.halo_width * job.steps_at_once;
  if (job.steps_at_once > 1 && !job.wraps.x) grid::check_row_ends(job.box, stacks_, width);
  // For several steps at once a halo is as many steps wide, and has edges and corners: within those
  // steps their values reach the slab by way of its neighbours.
  plan_ = grid::exchange_plan(
      places, {job.box, job.wraps},
      {.width = width, .shape = job.steps_at_once > 1 ? grid::HaloShape::box : job.halo_shape});
  std::vector<std::vector<grid::HaloMessage>> sent(places.size());
  slabs_.resize(places.size());
  for (grid::HaloMessage const& message : plan_.messages) {
    sent[as_index(message.from_slab)].push_back(message);
    slabs_[as_index(message.from_slab)].sent.push_back(message.number);
    slabs_[as_index(message.to_slab)].received.push_back(message.number);
  }
  for (std::size_t slab = 0; slab < places.size(); ++slab) {
    slabs_[slab].device = roster.number(places[slab].owner);
    slabs_[slab].box = places[slab].box;
    slabs_[slab].regions = grid::regions_of(places[slab].box, sent[slab], width);
  }
  // Slabs come stack by stack.
  std::size_t slab = 0;
  for (grid::DeviceStack const& stack : stacks_) {
    grid::Point const size = stack.box.extent();
    for (grid::SlabPlace const& place : grid::slabs_of(std::span(&stack, 1))) {
      slabs_[slab++].planes =
          static_cast<double>(place.box.points()) / static_cast<double>(size.x * size.y);
    }
  }
}

// Of each of the steps but the last as many points more as those after it need.
double GridLayout::points_of(grid::Box const& box, std::int64_t steps) const {
  if (box.is_empty()) return 0.0;
  double sum = 0.0;
  for (std::int64_t after = 0; after < steps; ++after) {
    grid::Box const wide = grid::grown(box, job_.halo_width * after);
    // Beyond ends that do not wrap there is nothing to compute.
    grid::Box domain = job_.box;
    if (job_.wraps.x) domain = along(&grid::Point::x, wide, domain);
    if (job_.wraps.y) domain = along(&grid::Point::y, wide, domain);
    if (job_.wraps.z) domain = along(&grid::Point::z, wide, domain);
    sum += static_cast<double>(grid::intersection(wide, domain).points());
  }
  return sum;
}

double GridLayout::points(int slab, Part part, std::int64_t steps) const {
  LaidSlab const& laid = slabs_[as_index(slab)];
  if (part == Part::interior) return points_of(laid.regions.interior, steps);
  if (part == Part::all) return points_of(laid.box, steps);
  auto const& factors = roster_.models[as_index(laid.device)]->boundary_factor;
  double sum = 0.0;
  for (std::size_t layer = 0; layer < laid.regions.boundary.size(); ++layer) {
    sum += points_of(laid.regions.boundary[layer], steps) * factors[laid.regions.across[layer]];
  }
  return sum;
}

}  // namespace makespan::sim

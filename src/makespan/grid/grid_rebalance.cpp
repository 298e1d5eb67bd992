// SPDX-License-Identifier: Apache-2.0
// When planes of a grid move from device to device: what devices were measured to do, cuts that are
// worth it, and slabs that are laid anew.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/agreement.hpp"
#include "makespan/grid/cut/restack.hpp"
#include "makespan/grid/detail/box_mover.hpp"
#include "makespan/grid/detail/device_run.hpp"
#include "makespan/grid/detail/gathered_numbers.hpp"
#include "makespan/grid/detail/grid_checks.hpp"
#include "makespan/grid/detail/halo_exchange.hpp"
#include "makespan/grid/grid.hpp"

namespace makespan::grid {

namespace {

using Clock = std::chrono::steady_clock;

Slab& slab_in(std::vector<Slab>& slabs, int number) {
  return *std::ranges::find(slabs, number, &Slab::number);
}

}  // namespace

void Grid::gather_loads_all() {
  std::vector<Measured> mine(static_cast<std::size_t>(devices_max_));
  for (std::size_t device = 0; device < devices_.size(); ++device) {
    DeviceRun::Load const load = devices_[device]->take_load();
    mine[device] = {load.planes, load.busy.value(), load.steps, load.besides.value()};
  }
  // Gathered before anything is decided: all images decide by the same numbers, and alike.
  auto const all = runtime_.team().all_gather_all(std::span<Measured const>(mine));
  double const planes = weights_.between(problem_.box.begin.z, problem_.box.end.z);
  for (std::size_t at = 0; at < all.size(); ++at) {
    expect_measured(ImageId{static_cast<std::int64_t>(at) / devices_max_}, all[at], planes);
  }
  for (std::size_t at = 0; at < all.size(); ++at) {
    meters_[at].tell(all[at].planes, Seconds{all[at].busy});
    if (all[at].steps > 0) {
      // What a step takes besides its planes counts as the device's start.
      starts_[at] = Seconds{all[at].besides / static_cast<double>(all[at].steps)};
    }
  }
}

ImageDevices Grid::measured_devices() const {
  std::vector<Speed> const speeds = present_speeds(meters_, speeds_);
  ImageDevices all(devices_of_image_.size());
  for (std::size_t image = 0; image < all.size(); ++image) {
    for (int device = 0; device < devices_of_image_[image]; ++device) {
      std::size_t const at =
          image * static_cast<std::size_t>(devices_max_) + static_cast<std::size_t>(device);
      all[image].push_back(
          {.speed = speeds[at], .start = starts_[at], .planes_max = planes_max_[at]});
    }
  }
  return all;
}

bool Grid::rebalance_all(std::int64_t steps_left) {
  gather_loads_all();
  auto better = better_stacks(stacks_, {.domain = problem_.box,
                                        .cut = resolved(options_.cut, runtime_.images()),
                                        .layers = options_.layers,
                                        .weights = weights_,
                                        .measured = measured_devices(),
                                        .steps_left = steps_left,
                                        .fields = std::ssize(shape_.fields),
                                        .fixed = relay_time_,
                                        .options = options_.rebalance.options});
  // One that is refused is none: the cut that there is goes on.
  return better && relay_all(std::move(*better)) == nullptr;
}

void Grid::restack_all(std::vector<std::vector<std::int64_t>> const& planes) {
  MAKESPAN_EXPECT(planes.size() == stacks_.size());
  std::vector<DeviceStack> stacks = stacks_;
  for (std::size_t at = 0; at < stacks.size(); ++at) stacks[at].planes = planes[at];
  if (auto const refusal = relay_all(std::move(stacks))) std::rethrow_exception(refusal);
}

std::exception_ptr Grid::relay_all(std::vector<DeviceStack> stacks) {
  auto const begin = Clock::now();
  std::vector<SlabPlace> const before = slabs_;
  std::vector<DeviceStack> const stacks_before = std::exchange(stacks_, std::move(stacks));
  if (auto refusal = lay_all(before)) {
    stacks_ = stacks_before;
    return refusal;
  }
  Point const size = problem_.box.extent();
  planes_moved_ += points_moved(stacks_before, stacks_) / (size.x * size.y);
  ++rebalances_;
  // The next one is expected to take as long, planes aside.
  double const mine = std::chrono::duration<double>(Clock::now() - begin).count();
  relay_time_ = Seconds{runtime_.team().all_reduce_all(pgas::ReduceOp::max, mine)};
  return nullptr;
}

std::exception_ptr Grid::lay_all(std::vector<SlabPlace> const& before) {
  slabs_ = slabs_of(stacks_);
  ExchangePlan plan = plan_halos();
  std::vector<Slab> sources;
  for (auto const& device : devices_) {
    std::ranges::move(std::exchange(device->slabs(), {}), std::back_inserter(sources));
  }
  // One image alone may lack memory: then all give up, and none waits for it. Old and new slabs are
  // there together until the values have moved.
  std::exception_ptr const mine = failure_of([&] { make_slabs(plan); });
  if (runtime_.team().all_reduce_all(pgas::ReduceOp::max, mine ? 1 : 0) > 0) {
    put_back(before, std::move(sources));
    return failure_of([&] { refuse_part_all(runtime_.team(), mine); });
  }
  is_laid_ = false;  // if a device fails: the old exchange knows nothing of these slabs
  if (!before.empty()) move_values_all(before, sources);
  sources.clear();
  // No image may still be at the halos of the old slabs.
  runtime_.team().barrier_all();
  // What has been closed is there no longer, also if the new one cannot be made.
  if (auto const old = std::exchange(exchange_, nullptr)) old->close_all();
  // After the old one has given back its part of the heap, which has room for one.
  auto const accelerators = accelerators_by_slab();
  exchange_ = std::make_unique<HaloExchange>(
      runtime_, slabs_, std::move(plan), exchanged_fields(shape_),
      HaloPath{.route = options_.route, .accelerators = accelerators});
  // Its words count from 0, and no halo has come by it.
  exchanges_ = 0;
  has_halos_ = false;
  is_laid_ = true;
  return nullptr;
}

void Grid::put_back(std::vector<SlabPlace> const& places, std::vector<Slab> slabs) {
  slabs_ = places;
  for (auto const& device : devices_) device->slabs().clear();
  for (Slab& slab : slabs) {
    auto const owner =
        static_cast<std::size_t>(places[static_cast<std::size_t>(slab.number)].owner.device);
    devices_[owner]->slabs().push_back(std::move(slab));
  }
}

// What stays with a device its own threads copy, or its accelerator.
void Grid::copy_here(Slab const& from, int target, Box const& box) {
  Slab const& to = slab_here(target);
  if (from.accelerator == nullptr) {
    DeviceName const& owner = slabs_[static_cast<std::size_t>(target)].owner;
    devices_[static_cast<std::size_t>(owner.device)]->for_each_part(
        box, [&](Box const& part) { copy(from.fields.now(), to.fields.now(), part); });
    return;
  }
  from.accelerator->copy(from.fields.now(), to.fields.now(), box);
  while (!from.accelerator->is_done()) {  // milliseconds
  }
}

void Grid::move_values_all(std::vector<SlabPlace> const& from, std::vector<Slab>& sources) {
  std::vector<BoxMove> moves;
  std::exception_ptr failure;
  for (int source = 0; source < std::ssize(from); ++source) {
    for (int target = 0; target < std::ssize(slabs_); ++target) {
      SlabPlace const& a = from[static_cast<std::size_t>(source)];
      SlabPlace const& b = slabs_[static_cast<std::size_t>(target)];
      Box const box = intersection(a.box, b.box);
      if (box.is_empty()) continue;
      if (a.owner == b.owner) {
        if (a.owner.image != image() || failure) continue;
        failure = failure_of([&] { copy_here(slab_in(sources, source), target, box); });
        continue;
      }
      moves.push_back({.from_image = a.owner.image,
                       .to_image = b.owner.image,
                       .box = box,
                       .source = source,
                       .target = target});
    }
  }
  stop_all(runtime_.team(), failure);
  // All images have made the same list, in the same order: see BoxMover.
  mover_->move_all(
      moves,
      [&](BoxMove const& move, Box const& part, std::span<double> to) {
        Slab const& slab = slab_in(sources, move.source);
        read_values(slab, slab.fields.now(), part, to.data());
      },
      [&](BoxMove const& move, Box const& part, std::span<double const> values) {
        Slab const& slab = slab_here(move.target);
        write_values(values.data(), slab, slab.fields.now(), part);
      });
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// When planes of a grid move from device to device: what devices were measured to do, and cuts that
// are worth it.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/cut/restack.hpp"
#include "makespan/grid/detail/box_mover.hpp"
#include "makespan/grid/detail/device_run.hpp"
#include "makespan/grid/detail/halo_exchange.hpp"
#include "makespan/grid/grid.hpp"

namespace makespan::grid {

namespace {
using Clock = std::chrono::steady_clock;
}  // namespace

struct Grid::Measured {
  std::int64_t planes;
  double busy;
  std::int64_t steps;
  double besides;
};

void Grid::gather_loads_all() {
  std::vector<Measured> mine(static_cast<std::size_t>(devices_max_));
  for (std::size_t device = 0; device < devices_.size(); ++device) {
    DeviceRun::Load const load = devices_[device]->take_load();
    mine[device] = {load.planes, load.busy.value(), load.steps, load.besides.value()};
  }
  auto const all = runtime_.team().all_gather_all(std::span<Measured const>(mine));
  for (std::size_t at = 0; at < all.size(); ++at) {
    meters_[at].tell(all[at].planes, Seconds{all[at].busy});
    if (all[at].steps > 0) {
      // What a step takes besides its planes counts as the device's start.
      starts_[at] = Seconds{all[at].besides / static_cast<double>(all[at].steps)};
    }
  }
}

SlabDevice Grid::measured(DeviceName const& name) const {
  auto const at = static_cast<std::size_t>(name.image) * static_cast<std::size_t>(devices_max_) +
                  static_cast<std::size_t>(name.device);
  return {.speed = meters_[at].speed().value_or(speeds_[at]),
          .start = starts_[at],
          .planes_max = planes_max_[at]};
}

ImageDevices Grid::measured_devices() const {
  ImageDevices all(devices_of_image_.size());
  for (std::size_t image = 0; image < all.size(); ++image) {
    for (int device = 0; device < devices_of_image_[image]; ++device) {
      all[image].push_back(measured({static_cast<int>(image), device}));
    }
  }
  return all;
}

bool Grid::rebalance_all(std::int64_t steps_left) {
  gather_loads_all();
  ImageDevices const measured = measured_devices();
  RebalanceCosts const costs{.plane = plane_time(problem_.box, std::ssize(shape_.fields)),
                             .fixed = relay_time_};
  std::vector<std::vector<std::int64_t>> cuts;
  bool is_better = false;
  for (DeviceStack const& stack : stacks_) {
    auto const cut = better_planes(stack, measured, options_.layers, steps_left, costs,
                                   options_.rebalance.options);
    is_better = is_better || cut.has_value();
    cuts.push_back(cut.value_or(stack.planes));
  }
  if (is_better) restack_all(cuts);
  return is_better;
}

void Grid::restack_all(std::vector<std::vector<std::int64_t>> const& planes) {
  MAKESPAN_EXPECT(planes.size() == stacks_.size());
  auto const begin = Clock::now();
  std::vector<SlabPlace> const before = slabs_;
  for (std::size_t at = 0; at < stacks_.size(); ++at) {
    planes_moved_ += grid::planes_moved(stacks_[at].planes, planes[at]);
    stacks_[at].planes = planes[at];
  }
  lay_all(before);
  ++rebalances_;
  // The next one is expected to take as long, planes aside.
  double const mine = std::chrono::duration<double>(Clock::now() - begin).count();
  relay_time_ = Seconds{runtime_.team().all_reduce_all(pgas::ReduceOp::max, mine)};
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// When planes of a grid move from device to device: what devices were measured to do, and cuts that
// are worth it.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
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
  double planes;
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
  // Gathered before anything is decided: all images decide by the same numbers, and alike.
  auto const all = runtime_.team().all_gather_all(std::span<Measured const>(mine));
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
  if (better) relay_all(std::move(*better));
  return better.has_value();
}

void Grid::restack_all(std::vector<std::vector<std::int64_t>> const& planes) {
  MAKESPAN_EXPECT(planes.size() == stacks_.size());
  std::vector<DeviceStack> stacks = stacks_;
  for (std::size_t at = 0; at < stacks.size(); ++at) stacks[at].planes = planes[at];
  relay_all(std::move(stacks));
}

void Grid::relay_all(std::vector<DeviceStack> stacks) {
  auto const begin = Clock::now();
  std::vector<SlabPlace> const before = slabs_;
  Point const size = problem_.box.extent();
  planes_moved_ += points_moved(stacks_, stacks) / (size.x * size.y);
  stacks_ = std::move(stacks);
  lay_all(before);
  ++rebalances_;
  // The next one is expected to take as long, planes aside.
  double const mine = std::chrono::duration<double>(Clock::now() - begin).count();
  relay_time_ = Seconds{runtime_.team().all_reduce_all(pgas::ReduceOp::max, mine)};
}

}  // namespace makespan::grid

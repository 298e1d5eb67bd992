// SPDX-License-Identifier: Apache-2.0
// When planes of a grid move from device to device: what devices were measured to do, and cuts that
// are worth it.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/cut/host_layers.hpp"
#include "makespan/grid/detail/box_mover.hpp"
#include "makespan/grid/detail/device_run.hpp"
#include "makespan/grid/detail/grid_checks.hpp"
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
  auto const all = runtime_.team().all_gather_all(std::span<Measured const>(mine));
  for (std::size_t at = 0; at < all.size(); ++at) {
    meters_[at].tell(all[at].planes, Seconds{all[at].busy});
    if (all[at].steps > 0) {
      // What a step takes besides its planes counts as the device's start.
      starts_[at] = Seconds{all[at].besides / static_cast<double>(all[at].steps)};
    }
  }
}

// One that has computed nothing yet counts as fast as was said of it, beside the others.
SlabDevice Grid::measured(DeviceName const& name) const {
  auto const at = static_cast<std::size_t>(name.image) * static_cast<std::size_t>(devices_max_) +
                  static_cast<std::size_t>(name.device);
  double said = 0;
  double known = 0;
  for (std::size_t each = 0; each < meters_.size(); ++each) {
    if (auto const speed = meters_[each].speed()) {
      said += speeds_[each].value();
      known += speed->value();
    }
  }
  double const scale = said > 0 ? known / said : 1;
  return {.speed = meters_[at].speed().value_or(scale * speeds_[at]),
          .start = starts_[at],
          .planes_max = planes_max_[at]};
}

DeviceStack Grid::best_stack(DeviceStack const& stack,
                             std::vector<SlabDevice> const& devices) const {
  HostLayers layers = options_.layers;
  if (layers.share == HostShare::device) {
    DeviceStack best = stack;
    best.planes = planes_by_weight(stack.box.begin.z, stack.box.extent().z, devices, weights_);
    return best;
  }
  int const image = stack.devices.front().image;
  // A host beside its devices has as much as was said, or as costs nothing by what was measured of
  // all of them.
  if (layers.is_free) layers = free_layers(stack.box, image, devices, layers, weights_);
  return stack_beside_host(stack.box, image, devices, layers, weights_);
}

std::optional<DeviceStack> Grid::better_stack(DeviceStack const& stack,
                                              std::int64_t steps_left) const {
  RebalanceCosts const costs{.plane = plane_time(stack.box, shape_), .fixed = relay_time_};
  bool const is_plain = options_.layers.share == HostShare::device;
  std::vector<SlabDevice> devices;
  if (is_plain) {
    for (DeviceName const& name : stack.devices) devices.push_back(measured(name));
  } else {
    int const image = stack.devices.front().image;
    int const count = devices_of_image_[static_cast<std::size_t>(image)];
    for (int device = 0; device < count; ++device) devices.push_back(measured({image, device}));
  }
  DeviceStack const best = best_stack(stack, devices);
  // The stack of all images has devices of several; each is one of its own there.
  auto const time_of = [&](DeviceStack const& one) {
    if (!is_plain) return longest_step(one, devices, weights_);
    Seconds longest{0.0};
    std::int64_t at = one.box.begin.z;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      longest = std::max(longest, work_time(devices[i], weights_.between(at, at + one.planes[i])));
      at += one.planes[i];
    }
    return longest;
  };
  Point const size = stack.box.extent();
  CutChange const change{
      .now = time_of(stack),
      .then = time_of(best),
      .planes = points_moved(std::span(&stack, 1), std::span(&best, 1)) / (size.x * size.y)};
  if (!is_worth_it(change, steps_left, costs, options_.rebalance.options)) return std::nullopt;
  return best;
}

ImageDevices Grid::measured_images() const {
  ImageDevices images;
  for (std::size_t image = 0; image < devices_of_image_.size(); ++image) {
    std::vector<SlabDevice>& devices = images.emplace_back();
    for (int device = 0; device < devices_of_image_[image]; ++device) {
      devices.push_back(measured({static_cast<int>(image), device}));
    }
  }
  return images;
}

std::optional<std::vector<DeviceStack>> Grid::better_parts(std::int64_t steps_left) const {
  ImageDevices const images = measured_images();
  auto const time_of = [&](std::vector<DeviceStack> const& stacks) {
    Seconds longest{0.0};
    for (DeviceStack const& stack : stacks) {
      auto const image = static_cast<std::size_t>(stack.devices.front().image);
      longest = std::max(longest, longest_step(stack, images[image], weights_));
    }
    return longest;
  };
  std::vector<DeviceStack> best =
      stacks_of(problem_.box, images, ImageCut::stack, options_.layers, weights_);
  Point const size = problem_.box.extent();
  CutChange const change{.now = time_of(stacks_),
                         .then = time_of(best),
                         .planes = points_moved(stacks_, best) / (size.x * size.y)};
  RebalanceCosts const costs{.plane = plane_time(problem_.box, shape_), .fixed = relay_time_};
  if (!is_worth_it(change, steps_left, costs, options_.rebalance.options)) return std::nullopt;
  return best;
}

bool Grid::rebalance_all(std::int64_t steps_left) {
  gather_loads_all();
  bool const is_layered = options_.layers.share != HostShare::device;
  if (is_layered && resolved(options_.cut, runtime_.images()) == ImageCut::stack) {
    auto better = better_parts(steps_left);
    if (better) relay_all(std::move(*better));
    return better.has_value();
  }
  std::vector<DeviceStack> stacks;
  bool is_better = false;
  for (DeviceStack const& stack : stacks_) {
    auto const better = better_stack(stack, steps_left);
    is_better = is_better || better.has_value();
    stacks.push_back(better.value_or(stack));
  }
  if (is_better) relay_all(std::move(stacks));
  return is_better;
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

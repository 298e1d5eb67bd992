// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/restack.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/grid/cut/host_layers.hpp"
#include "makespan/grid/cut/slab_cut.hpp"

namespace makespan::grid {

namespace {

// The devices of a stack without a host beside it, which may be of several images, in its order.
std::vector<SlabDevice> devices_of(DeviceStack const& stack, ImageDevices const& measured) {
  std::vector<SlabDevice> devices;
  devices.reserve(stack.devices.size());
  for (DeviceName const& name : stack.devices) {
    devices.push_back(
        measured[static_cast<std::size_t>(name.image)][static_cast<std::size_t>(name.device)]);
  }
  return devices;
}

Seconds longest_of(DeviceStack const& stack, std::vector<SlabDevice> const& devices,
                   PlaneWeights const& weights) {
  Seconds longest{0.0};
  std::int64_t at = stack.box.begin.z;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    std::int64_t const end = at + stack.planes[i];
    longest = std::max(longest, work_time(devices[i], weights.between(at, end)));
    at = end;
  }
  return longest;
}

// As many whole ones of a box as points that move come to.
std::int64_t planes_between(std::span<DeviceStack const> now, std::span<DeviceStack const> then,
                            Box const& box) {
  Point const size = box.extent();
  return points_moved(now, then) / (size.x * size.y);
}

RebalanceCosts costs_of(CutQuestion const& question, Box const& box) {
  return {.plane = plane_time(box, question.fields), .fixed = question.fixed};
}

std::optional<DeviceStack> better_stack(DeviceStack const& stack, CutQuestion const& question) {
  PlaneWeights const& weights = question.weights;
  DeviceStack best = stack;
  CutChange change{};
  if (question.layers.share == HostShare::device) {
    std::vector<SlabDevice> const devices = devices_of(stack, question.measured);
    best.planes = planes_by_weight(stack.box.begin.z, stack.box.extent().z, devices, weights);
    change.now = longest_of(stack, devices, weights);
    change.then = longest_of(best, devices, weights);
  } else {
    int const image = stack.devices.front().image;
    auto const& devices = question.measured[static_cast<std::size_t>(image)];
    HostLayers const layers = question.layers.is_free
                                  ? free_layers(stack.box, image, devices, question.layers, weights)
                                  : question.layers;
    best = stack_beside_host(stack.box, image, devices, layers, weights);
    change.now = longest_step(stack, devices, weights);
    change.then = longest_step(best, devices, weights);
  }
  change.planes =
      planes_between(std::span(&stack, 1), std::span(&std::as_const(best), 1), stack.box);
  RebalanceCosts const costs = costs_of(question, stack.box);
  if (!is_worth_it(change, question.steps_left, costs, question.options)) return std::nullopt;
  return best;
}

std::optional<std::vector<DeviceStack>> better_parts(std::span<DeviceStack const> stacks,
                                                     CutQuestion const& question) {
  auto const time_of = [&](std::span<DeviceStack const> all) {
    Seconds longest{0.0};
    for (DeviceStack const& stack : all) {
      auto const image = static_cast<std::size_t>(stack.devices.front().image);
      longest = std::max(longest, longest_step(stack, question.measured[image], question.weights));
    }
    return longest;
  };
  std::vector<DeviceStack> best;
  try {
    best = stacks_of(question.domain, question.measured, ImageCut::stack, question.layers,
                     question.weights);
  } catch (InputError const&) {
    // A part with fewer planes than its layers take leaves its devices more than these hold,
    // rarely: the cut that there is fits.
    return std::nullopt;
  }
  CutChange const change{.now = time_of(stacks),
                         .then = time_of(best),
                         .planes = planes_between(stacks, best, question.domain)};
  RebalanceCosts const costs = costs_of(question, question.domain);
  if (!is_worth_it(change, question.steps_left, costs, question.options)) return std::nullopt;
  return best;
}

}  // namespace

std::optional<std::vector<DeviceStack>> better_stacks(std::span<DeviceStack const> stacks,
                                                      CutQuestion const& question) {
  if (question.layers.share != HostShare::device && question.cut == ImageCut::stack) {
    return better_parts(stacks, question);
  }
  std::vector<DeviceStack> found;
  bool is_better = false;
  for (DeviceStack const& stack : stacks) {
    auto const better = better_stack(stack, question);
    is_better = is_better || better.has_value();
    found.push_back(better.value_or(stack));
  }
  if (!is_better) return std::nullopt;
  return found;
}

Seconds plane_time(Box const& box, std::int64_t fields) {
  constexpr double bytes_per_second = 1e9;
  Point const size = box.extent();
  auto const values = static_cast<double>(size.x * size.y * fields);
  return Seconds{values * sizeof(double) / bytes_per_second};
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/pricing_settings.hpp"

#include <algorithm>
#include <utility>

#include "makespan/apps/asian/gpu/block_device.hpp"
#include "makespan/apps/asian/run/detail/worker_kind.hpp"
#include "makespan/base/error.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::asian {

namespace {

// No worker that ever finishes an item is slower, and none is faster.
constexpr Speed speed_min{1.0};
constexpr Speed speed_max{1e18};

}  // namespace

void check(PricingSettings const& settings) {
  check(static_cast<EstimatorSettings const&>(settings));
  if (settings.threads < 0 || settings.threads > 4096) {
    throw InputError("threads = " + std::to_string(settings.threads) + " is out of range",
                     "0 means one per core that the process may use", "use 0 to 4096");
  }
  if (!(settings.confidence > 0 && settings.confidence < 1)) {
    throw InputError("confidence = " + std::to_string(settings.confidence) + " is out of range",
                     "it is the share of intervals that contain the price",
                     "use a value like 0.95");
  }
  for (auto const& [kind, speed] : settings.speeds) {
    if (speed >= speed_min && speed <= speed_max) continue;
    throw InputError("speed " + std::to_string(speed.value()) + " of '" + kind + "'",
                     "speeds are 1 to 1e18 path-steps per second",
                     "leave it out: it is learned then");
  }
}

namespace {

// Pieces take milliseconds; a machine that is busy with something else delays them by less.
constexpr Seconds overdue_floor{2.0};
// In some modes pieces are whole options, which may take longer than any limit in seconds.
constexpr double limit_multiple = 10.0;

// One prepares launches while another's runs. Options of few paths take as long to prepare as their
// paths take a large GPU: it has more threads where there are many cores.
int threads_per_gpu(int cores) {
  return std::clamp(cores / 4, 2, 8);
}

int cores_here() {
  return static_cast<int>(machine::allowed_cores().size());
}

// A launch's tables and messages are taken to cost 20 us (docs/decisions/0052). It takes so long
// that this is lost in it, and so short that a device which slows down is late by no more than it
// takes.
constexpr Seconds launch_cost{2e-5};
constexpr Seconds launch_time{4e-3};
// Moments of so many blocks, 18 MB with Greeks and controls, have room on any GPU.
constexpr std::int64_t launch_blocks_max = 1 << 15;

// What threads that feed GPUs have of the cores, beside a CPU's that would take all of them: at
// most half, and none of fewer than four.
int cores_for_gpus(int gpus, int cores) {
  return std::min(gpus * std::min(threads_per_gpu(cores), cores / 4), cores / 2);
}

// Throws if it is one that is not there.
void expect_gpu(machine::DeviceSpec const& device, BlockGpus const& gpus) {
  auto const count = std::ssize(gpus.list());
  if (count == 0) {
    throw InputError("device '" + device.text + "'", gpus.why_none(),
                     "leave it out, or run where there is a GPU");
  }
  if (device.index < count) return;
  throw InputError(
      "device '" + device.text + "'",
      "there " + std::string(count == 1 ? "is 1 GPU" : "are " + std::to_string(count) + " GPUs") +
          " here",
      "GPUs are numbered from 0, as CUDA_VISIBLE_DEVICES lets them be seen");
}

// With one device for each GPU instead of one for all.
std::vector<machine::DeviceSpec> with_single_gpus(std::vector<machine::DeviceSpec> const& devices,
                                                  BlockGpus const& gpus) {
  std::vector<machine::DeviceSpec> single;
  for (machine::DeviceSpec const& device : devices) {
    bool const is_gpu = device.kind == machine::DeviceKind::cuda;
    if (is_gpu) expect_gpu(device, gpus);
    if (!is_gpu || device.index != machine::every_gpu) {
      single.push_back(device);
      continue;
    }
    for (int gpu = 0; gpu < std::ssize(gpus.list()); ++gpu) {
      single.push_back(
          {.kind = machine::DeviceKind::cuda, .index = gpu, .text = "cuda:" + std::to_string(gpu)});
    }
  }
  return single;
}

bag::TeamDevice team_device(machine::DeviceSpec const& device, BlockGpus const& gpus) {
  bag::Mode const mode = bag::mode_named(device.mode);
  if (device.kind == machine::DeviceKind::cpu) {
    return {.threads = device.threads, .cores = device.cores, .mode = mode};
  }
  BlockGpu const& gpu = gpus.list()[static_cast<std::size_t>(device.index)];
  return {.threads = device.threads,
          .mode = mode,
          .pieces = {.time = launch_time,
                     .items_min = std::min<std::int64_t>(gpu.blocks_at_once, launch_blocks_max),
                     .items_max = launch_blocks_max,
                     .cost = launch_cost,
                     .spans_tasks = true}};
}

}  // namespace

std::vector<machine::DeviceSpec> listed_devices(PricingSettings const& settings) {
  auto devices = with_single_gpus(settings.devices, *settings.gpus);
  if (devices.empty()) devices.push_back({.text = "cpu"});
  for (machine::DeviceSpec& device : devices) {
    if (device.kind == machine::DeviceKind::cuda) {
      device.threads = threads_per_gpu(cores_here());
      device.isa = settings.gpus->list()[static_cast<std::size_t>(device.index)].name;
      device.mode = name_of(bag::Mode::automatic);
      continue;
    }
    if (device.threads == 0) device.threads = settings.threads;
    if (device.isa.empty()) device.isa = settings.isa;
    if (device.mode.empty()) device.mode = name_of(settings.mode);
  }
  return devices;
}

std::vector<machine::DeviceSpec> beside_gpus(std::vector<machine::DeviceSpec> devices, int gpus,
                                             int cores) {
  int const cores_of_gpus = cores_for_gpus(gpus, cores);
  for (machine::DeviceSpec& device : devices) {
    bool const takes_all =
        device.kind == machine::DeviceKind::cpu && device.threads == 0 && device.cores.empty();
    if (takes_all && cores_of_gpus > 0) device.threads = cores - cores_of_gpus;
  }
  return devices;
}

std::vector<machine::DeviceSpec> devices_of(PricingSettings const& settings) {
  auto devices = listed_devices(settings);
  auto const gpus = static_cast<int>(
      std::ranges::count(devices, machine::DeviceKind::cuda, &machine::DeviceSpec::kind));
  return beside_gpus(std::move(devices), gpus, cores_here());
}

namespace {

// By worker of the team that will be; 0 where nothing is known. A GPU's first piece would say
// nothing of it, so small is an item: until more is known it is as fast as its kind is.
std::vector<Speed> speeds_before(PricingSettings const& settings, bag::TeamOptions const& options) {
  // Workers are numbered in the modes that the dispatcher takes, which may be other than asked for.
  auto const devices = devices_of(settings);
  bag::TeamLayout const layout(bag::with_choices_of_dispatcher(options).devices);
  std::vector<Speed> speeds;
  for (std::string const& kind : worker_kinds(devices, layout)) {
    auto const worker = static_cast<int>(speeds.size());
    auto const device = layout.role(layout.claiming_thread(worker)).device;
    machine::DeviceSpec const& spec = devices[static_cast<std::size_t>(device)];
    auto const known = settings.speeds.find(kind);
    if (known != settings.speeds.end()) {
      speeds.push_back(known->second);
    } else if (spec.kind == machine::DeviceKind::cuda) {
      BlockGpu const& gpu = settings.gpus->list()[static_cast<std::size_t>(spec.index)];
      speeds.push_back(gpu.nominal_speed / spec.threads);
    } else {
      speeds.emplace_back();
    }
  }
  return speeds;
}

}  // namespace

bag::TeamOptions team_options(PricingSettings const& settings) {
  bag::TeamOptions options{.devices = {},
                           .policy = settings.policy,
                           .policy_options = settings.policy_options,
                           .dispatcher = settings.dispatcher,
                           .injections = settings.injections,
                           .overdue = {.floor = overdue_floor,
                                       .limit = settings.device_timeout,
                                       .limit_multiple = limit_multiple,
                                       .run_again = true}};
  for (machine::DeviceSpec const& device : devices_of(settings)) {
    options.devices.push_back(team_device(device, *settings.gpus));
  }
  options.speeds = speeds_before(settings, options);
  return options;
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// How a book is to be priced: what holds for all of its rows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/apps/asian/estimate/estimator_settings.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/machine/device_list.hpp"

namespace makespan::asian {

class BlockGpus;               // gpu/block_device.hpp
BlockGpus const& cuda_gpus();  // those of NVIDIA

// In path-steps per second, by kind of worker: its instruction set, threads and cores.
using SpeedByKind = std::map<std::string, Speed>;

struct PricingSettings : EstimatorSettings {
  std::vector<machine::DeviceSpec> devices;  // none: the CPU as one device
  // Of devices that do not say it themselves.
  // 0: every core that the device, or the process, may use; beside GPUs without those of the
  // threads that feed them.
  int threads = 0;
  std::string isa = "auto";
  bag::Mode mode = bag::Mode::automatic;
  std::string policy = "equal_time";
  OptionValues policy_options;
  bag::Dispatcher dispatcher = bag::Dispatcher::steal;
  std::vector<bag::Injection> injections;
  double confidence = 0.95;  // of ci_low and ci_high
  bool trace = false;        // keep who did what, when
  // A thread that is at one piece for so long, and for ten times its prediction too, is taken as
  // lost.
  Seconds device_timeout{300.0};
  BlockGpus const* gpus = &cuda_gpus();
  SpeedByKind speeds;  // remembered, of an earlier run; others are learned
};

// Throws InputError if a value is out of range.
void check(PricingSettings const& settings);

// The devices of a list with what they did not say themselves filled in, as `isa` of a GPU its
// name; at least one. A CPU that would take all cores has 0 threads. Throws InputError for GPUs
// that are not there.
std::vector<machine::DeviceSpec> listed_devices(PricingSettings const& settings);
// The same devices, where a CPU that would take all `cores` leaves some to the threads that feed so
// many `gpus` from these cores.
std::vector<machine::DeviceSpec> beside_gpus(std::vector<machine::DeviceSpec> devices, int gpus,
                                             int cores);
// Both for a process alone, whose GPUs are those of its list; and for devices that are an image's
// own already.
std::vector<machine::DeviceSpec> devices_of(PricingSettings const& settings);
// What the bag needs to know of them. Throws InputError on an unknown mode.
bag::TeamOptions team_options(PricingSettings const& settings);

}  // namespace makespan::asian

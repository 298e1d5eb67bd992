// SPDX-License-Identifier: Apache-2.0
// How a book is to be priced: what holds for all of its rows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/apps/asian/gpu/block_device.hpp"
#include "makespan/apps/asian/worker_kind.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/machine/device_list.hpp"

namespace makespan::asian {

enum class Method : std::uint8_t { mc, mc_plain, rqmc };

struct MethodEntry {
  Method method;
  std::string_view name;
  std::string_view summary;
};

// All estimators, the default first.
std::span<MethodEntry const> methods();
// Throws InputError naming the ones there are.
Method method_named(std::string_view name);

// automatic: single, unless the target error or the variance is out of its reach
// (option_worker.hpp).
enum class PrecisionChoice : std::uint8_t { automatic, fp32, fp64 };

struct PricingSettings {
  Method method = Method::mc;
  bool greeks = false;
  int replicates = 32;  // of rqmc, at least 16
  PrecisionChoice precision = PrecisionChoice::automatic;
  int philox_rounds = 10;                    // or 7
  std::vector<machine::DeviceSpec> devices;  // none: the CPU as one device
  // Of devices that do not say it themselves.
  int threads = 0;  // 0: every core that the device, or the process, may use
  std::string isa = "auto";
  bag::Mode mode = bag::Mode::automatic;
  std::string policy = "equal_time";
  OptionValues policy_options;
  bag::Dispatcher dispatcher = bag::Dispatcher::steal;
  std::vector<bag::Injection> injections;
  double confidence = 0.95;       // of ci_low and ci_high
  bool trace = false;             // keep who did what, when
  Seconds device_timeout{300.0};  // a device that is at one piece for so long is taken as lost
  BlockGpus const* gpus = &cuda_gpus();
  SpeedByKind speeds;  // remembered, of an earlier run; others are learned
};

// Throws InputError if a value is out of range.
void check(PricingSettings const& settings);

// The devices of a run with what they did not say themselves filled in, as `isa` of a GPU its name;
// at least one. Throws InputError for GPUs that are not there.
std::vector<machine::DeviceSpec> devices_of(PricingSettings const& settings);
// What the bag needs to know of them. Throws InputError on an unknown mode.
bag::TeamOptions team_options(PricingSettings const& settings);

}  // namespace makespan::asian

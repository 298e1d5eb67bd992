// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/pricing_settings.hpp"

#include <array>

#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

constexpr std::array<MethodEntry, 3> method_table{{
    {Method::mc, "mc",
     "antithetic Monte Carlo with three fitted controls whose means are known in closed form"},
    {Method::mc_plain, "mc_plain", "plain Monte Carlo: the mean of the discounted payoffs"},
    {Method::rqmc, "rqmc",
     "scrambled Sobol points through a Brownian bridge, with the controls of mc; error from "
     "replicates"},
}};

// No worker that ever finishes an item is slower, and none is faster.
constexpr Speed speed_min{1.0};
constexpr Speed speed_max{1e18};

}  // namespace

std::span<MethodEntry const> methods() {
  return method_table;
}

Method method_named(std::string_view name) {
  for (MethodEntry const& entry : method_table) {
    if (entry.name == name) return entry.method;
  }
  throw InputError("unknown method '" + std::string(name) + "'",
                   "the estimators are mc, mc_plain and rqmc", "use one of these");
}

void check(PricingSettings const& settings) {
  if (settings.method == Method::rqmc && (settings.replicates < 16 || settings.replicates > 4096)) {
    throw InputError("replicates = " + std::to_string(settings.replicates) + " is out of range",
                     "the error is the spread of the replicates, which fewer than 16 do not show",
                     "use 16 to 4096");
  }
  if (settings.philox_rounds != 7 && settings.philox_rounds != 10) {
    throw InputError(
        "philox_rounds = " + std::to_string(settings.philox_rounds) + " is not available",
        "the kernels are built for 10 rounds (recommended) and 7 (faster)", "use 10 or 7");
  }
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

std::vector<machine::DeviceSpec> devices_of(PricingSettings const& settings) {
  auto devices = settings.devices;
  if (devices.empty()) devices.push_back({.text = "cpu"});
  for (machine::DeviceSpec& device : devices) {
    if (device.kind == machine::DeviceKind::cuda) not_configured("CUDA");
    if (device.threads == 0) device.threads = settings.threads;
    if (device.isa.empty()) device.isa = settings.isa;
    if (device.mode.empty()) device.mode = name_of(settings.mode);
  }
  return devices;
}

namespace {

// By worker of the team that will be; 0 where none is remembered.
std::vector<Speed> remembered_speeds(PricingSettings const& settings,
                                     bag::TeamOptions const& options) {
  if (settings.speeds.empty()) return {};
  bag::TeamLayout const layout(bag::with_choices_of_dispatcher(options).devices);
  std::vector<Speed> speeds;
  for (std::string const& kind : worker_kinds(devices_of(settings), layout)) {
    auto const known = settings.speeds.find(kind);
    speeds.push_back(known == settings.speeds.end() ? Speed{} : known->second);
  }
  return speeds;
}

}  // namespace

bag::TeamOptions team_options(PricingSettings const& settings) {
  bag::TeamOptions options{.devices = {},
                           .policy = settings.policy,
                           .policy_options = settings.policy_options,
                           .dispatcher = settings.dispatcher,
                           .injections = settings.injections};
  for (machine::DeviceSpec const& device : devices_of(settings)) {
    options.devices.push_back(
        {.threads = device.threads, .cores = device.cores, .mode = bag::mode_named(device.mode)});
  }
  options.speeds = remembered_speeds(settings, options);
  return options;
}

}  // namespace makespan::asian

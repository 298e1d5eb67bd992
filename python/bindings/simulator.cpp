// SPDX-License-Identifier: Apache-2.0
// makespan._simulator: bags in virtual time, a job as a dict, the result as one. An extension of
// its own: only the process of a simulation loads SimGrid, which takes longer than all that the
// engine needs.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/given.hpp"
#include "bindings/module.hpp"
#include "bindings/python_thread.hpp"
#include "makespan/base/unknown_name.hpp"
#include "makespan/sim/bag_simulation.hpp"
#include "makespan/sim/platform.hpp"

namespace bindings {

namespace nb = nanobind;

namespace bag = makespan::bag;
namespace sim = makespan::sim;
using makespan::Seconds;
using makespan::Speed;
using makespan::Work;

namespace {

Seconds seconds_from(double value) {
  return Seconds{value};
}

sim::Progress progress_named(std::string const& name) {
  // In the order of sim::Progress.
  constexpr std::array<std::string_view, 4> names{"network", "helper", "hand", "none"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<sim::Progress>(i);
  }
  throw makespan::unknown_name("progress", name, names);
}

sim::FabricModel fabric_from(nb::dict const& given) {
  sim::FabricModel fabric;
  Given const from(given);
  from.take("platform", fabric.platform);
  from.take_as<Seconds, double>("latency", fabric.latency, seconds_from);
  from.take("bandwidth", fabric.bandwidth);
  from.take_as<Seconds, double>("node_latency", fabric.node_latency, seconds_from);
  from.take_as<Seconds, double>("atomic", fabric.atomic, seconds_from);
  from.take_as<Seconds, double>("message", fabric.message, seconds_from);
  from.take_as<sim::Progress, std::string>("progress", fabric.progress, progress_named);
  return fabric;
}

sim::DeviceModel device_from(nb::dict const& given) {
  sim::DeviceModel device;
  Given const from(given);
  from.take("kind", device.kind);
  from.take("threads", device.threads);
  auto const speed = [](double value) { return Speed{value}; };
  from.take_as<Speed, double>("speed", device.speed, speed);
  from.take_as<Speed, double>("together", device.together, speed);
  from.take_as<Seconds, double>("claim", device.claim, seconds_from);
  from.take_as<Seconds, double>("launch", device.launch, seconds_from);
  from.take_as<Seconds, double>("piece", device.piece, seconds_from);
  from.take("noise", device.noise);
  from.take_as<bag::Mode, std::string>("mode", device.mode, bag::mode_named);
  return device;
}

sim::MachineModel machine_from(nb::dict const& given) {
  sim::MachineModel machine;
  Given const from(given);
  from.take_as<sim::FabricModel, nb::dict>("network", machine.network, fabric_from);
  from.take("seed", machine.seed);
  from.take_as<Seconds, double>("losses_noticed_after", machine.losses_noticed_after, seconds_from);
  for (nb::handle const image : given["images"]) {
    auto const& fields = nb::cast<nb::dict>(image);
    sim::ImageModel model{.node = nb::cast<int>(fields["node"])};
    for (nb::handle const device : fields["devices"]) {
      model.devices.push_back(device_from(nb::cast<nb::dict>(device)));
    }
    machine.images.push_back(std::move(model));
  }
  if (given.contains("changes")) {
    for (nb::handle const change : given["changes"]) {
      auto const [device, at, factor] = nb::cast<std::tuple<int, double, double>>(change);
      machine.changes.push_back({.device = device, .at = Seconds{at}, .factor = factor});
    }
  }
  if (given.contains("losses")) {
    for (nb::handle const loss : given["losses"]) {
      auto const [image, at] = nb::cast<std::tuple<int, double>>(loss);
      machine.losses.push_back({.image = image, .at = Seconds{at}});
    }
  }
  return machine;
}

sim::BagJob job_from(nb::dict const& given) {
  sim::BagJob job;
  Given const from(given);
  from.take_as<sim::MachineModel, nb::dict>("machine", job.machine, machine_from);
  auto const counts = nb::cast<std::vector<std::int64_t>>(given["items"]);
  auto const costs = nb::cast<std::vector<double>>(given["costs"]);
  for (std::size_t task = 0; task < counts.size(); ++task) {
    job.segments.push_back(
        {makespan::TaskId{static_cast<std::int64_t>(task)}, counts[task], Work{costs.at(task)}});
  }
  from.take("cost_factors", job.cost_factors);
  from.take("policy", job.policy);
  std::map<std::string, double> options;
  from.take("policy_options", options);
  for (auto const& [name, value] : options) job.policy_options.emplace(name, value);
  from.take_as<bag::Dispatcher, std::string>("dispatcher", job.dispatcher, bag::dispatcher_named);
  from.take_as<std::vector<Speed>, std::vector<double>>(
      "speeds", job.speeds, [](std::vector<double> const& values) {
        return std::vector<Speed>(values.begin(), values.end());
      });
  from.take("result_bytes_per_item", job.result_bytes_per_item);
  from.take("spans_kept", job.spans_kept);
  return job;
}

char const* name_of(sim::SpanKind kind) {
  switch (kind) {
    case sim::SpanKind::run:
      return "run";
    case sim::SpanKind::claim:
      return "claim";
    case sim::SpanKind::steal:
      return "steal";
    case sim::SpanKind::wait:
      return "wait";
  }
  return "";
}

nb::dict dict_of(sim::BagResult const& result) {
  nb::dict dict;
  dict["complete"] = result.complete;
  dict["makespan_s"] = result.makespan.value();
  dict["ideal_s"] = result.ideal.value();
  dict["claims"] = result.claims;
  dict["steals"] = result.steals;
  dict["operations"] = result.operations;
  dict["messages"] = result.messages;
  nb::list workers;
  for (sim::WorkerUse const& use : result.workers) {
    nb::dict worker;
    worker["device"] = use.device;
    worker["running_s"] = use.running.value();
    worker["claiming_s"] = use.claiming.value();
    worker["waiting_s"] = use.waiting.value();
    worker["items"] = use.items;
    workers.append(worker);
  }
  dict["workers"] = workers;
  nb::list spans;
  for (sim::JobSpan const& span : result.spans) {
    spans.append(nb::make_tuple(span.worker, name_of(span.kind), span.begin.value(),
                                span.end.value(), span.items));
  }
  dict["spans"] = spans;
  return dict;
}

nb::dict simulate_bag(nb::dict const& job) {
  sim::BagJob const asked = job_from(job);
  sim::BagResult result;
  {
    ReleasedGil const released;
    result = sim::simulate(asked);
  }
  return dict_of(result);
}

nb::list platform_hosts(std::string const& path) {
  nb::list hosts;
  for (sim::PlatformHost const& host : sim::platform_hosts(path)) {
    hosts.append(nb::make_tuple(host.name, host.speed.value(), host.cores));
  }
  return hosts;
}

}  // namespace

NB_MODULE(_simulator, module) {
  begin_module();
  module.doc() =
      "Bags in virtual time, by SimGrid. Use makespan.simulate, which checks its inputs.";
  module.def("simulate_bag", &simulate_bag, nb::arg("job"),
             "Runs a bag in virtual time. Once in a process. ValueError for an invalid job.");
  module.def(
      "platform_hosts", &platform_hosts, nb::arg("path"),
      "Name, speed of a core and cores of each host of a SimGrid platform. As simulate_bag.");
}

}  // namespace bindings

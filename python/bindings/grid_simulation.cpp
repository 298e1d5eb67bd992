// SPDX-License-Identifier: Apache-2.0
// Simulated grids: a job as a dict, the result as one.
#include "bindings/grid_simulation.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/given.hpp"
#include "bindings/grid_options.hpp"
#include "bindings/python_thread.hpp"
#include "makespan/sim/grids/grid_simulation.hpp"

namespace bindings {

namespace nb = nanobind;
namespace grid = makespan::grid;
namespace sim = makespan::sim;
using makespan::Seconds;
using makespan::Speed;

namespace {

constexpr std::array<char const*, sim::grid_phases> phase_names{"boundary", "interior", "send",
                                                                "wait", "unpack"};

Seconds time_from(double value) {
  return Seconds{value};
}

sim::LinkModel link_from(nb::dict const& given) {
  sim::LinkModel link;
  Given const from(given);
  from.take_as<Seconds, double>("latency", link.latency, time_from);
  from.take("bandwidth", link.bandwidth);
  from.take("message_bandwidth", link.message_bandwidth);
  from.take("burst", link.burst);
  return link;
}

sim::GridDeviceModel grid_device_from(nb::dict const& given) {
  sim::GridDeviceModel device;
  Given const from(given);
  from.take("kind", device.kind);
  from.take_as<Speed, double>("speed", device.speed, [](double value) { return Speed{value}; });
  from.take_as<Seconds, double>("start", device.start, time_from);
  from.take("boundary_factor", device.boundary_factor);
  from.take("pack_bandwidth", device.pack_bandwidth);
  from.take_as<Seconds, double>("message", device.message, time_from);
  from.take("planes_max", device.planes_max);
  from.take("has_memory", device.has_memory);
  from.take_as<sim::LinkModel, nb::dict>("to_host", device.to_host, link_from);
  from.take_as<sim::LinkModel, nb::dict>("to_device", device.to_device, link_from);
  from.take("peer_bandwidth", device.peer_bandwidth);
  from.take("is_queued", device.is_queued);
  return device;
}

sim::GridNetworkModel grid_network_from(nb::dict const& given) {
  sim::GridNetworkModel network;
  Given const from(given);
  from.take_as<sim::LinkModel, nb::dict>("out", network.out, link_from);
  from.take_as<sim::LinkModel, nb::dict>("in", network.in, link_from);
  from.take("piece_bytes", network.piece_bytes);
  from.take_as<Seconds, double>("send", network.send, time_from);
  from.take_as<Seconds, double>("receive", network.receive, time_from);
  from.take("copy_bandwidth", network.copy_bandwidth);
  from.take_as<Seconds, double>("relay", network.relay, time_from);
  from.take("relay_bandwidth", network.relay_bandwidth);
  return network;
}

void take_machine(nb::dict const& given, sim::GridJob& job) {
  std::vector<sim::GridDeviceModel> kinds;
  for (nb::handle const kind : given["kinds"]) {
    kinds.push_back(grid_device_from(nb::cast<nb::dict>(kind)));
  }
  for (nb::handle const image : given["images"]) {
    auto const& fields = nb::cast<nb::dict>(image);
    sim::GridImageModel model{.node = nb::cast<int>(fields["node"])};
    for (auto const kind : nb::cast<std::vector<std::size_t>>(fields["devices"])) {
      // By number: thousands of nodes have few kinds, and each is described once.
      model.devices.push_back(kinds.at(kind));
    }
    job.images.push_back(std::move(model));
  }
  for (nb::handle const change : given["changes"]) {
    auto const [device, at, factor] = nb::cast<std::tuple<int, double, double>>(change);
    job.changes.push_back({.device = device, .at = Seconds{at}, .factor = factor});
  }
  Given(given).take_as<sim::GridNetworkModel, nb::dict>("network", job.network, grid_network_from);
}

grid::Point point_from(std::array<std::int64_t, 3> const& given) {
  return {given[0], given[1], given[2]};
}

sim::GridJob grid_job_from(nb::dict const& given) {
  sim::GridJob job;
  Given const from(given);
  job.box.end = point_from(nb::cast<std::array<std::int64_t, 3>>(given["points"]));
  auto const wraps = nb::cast<std::array<bool, 3>>(given["periodic"]);
  job.wraps = {wraps[0], wraps[1], wraps[2]};
  from.take_as<grid::HaloShape, bool>("corners", job.halo_shape, [](bool has_corners) {
    return has_corners ? grid::HaloShape::box : grid::HaloShape::faces;
  });
  from.take("halo_width", job.halo_width);
  from.take("fields", job.fields);
  from.take("fields_all", job.fields_all);
  from.take("steps", job.steps);
  from.take("steps_at_once", job.steps_at_once);
  from.take("rebalance_steps", job.rebalance_steps);
  from.take("gain_min", job.rebalance.gain_min);
  from.take("knows_speeds", job.knows_speeds);
  from.take("spans_kept", job.spans_kept);
  take_ways(from, job);
  auto const along = nb::cast<std::vector<std::int64_t>>(given["images_along"]);
  if (!along.empty()) job.images_along = {along.at(0), along.at(1), along.at(2)};
  take_machine(given, job);
  return job;
}

nb::dict dict_of(sim::GridDeviceUse const& use) {
  nb::dict dict;
  dict["image"] = use.image;
  dict["device"] = use.device;
  dict["planes"] = use.planes;
  dict["points"] = use.points;
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
    dict[(std::string(phase_names[phase]) + "_s").c_str()] = use.times[phase].value();
  }
  dict["interior_busy_s"] = use.interior_busy.value();
  return dict;
}

nb::dict dict_of(sim::GridResult const& result) {
  nb::dict dict;
  dict["time_s"] = result.time.value();
  dict["ideal_s"] = result.ideal.value();
  dict["step_s"] = result.last_step.value();
  nb::list devices;
  for (sim::GridDeviceUse const& use : result.devices) devices.append(dict_of(use));
  dict["devices"] = devices;
  dict["looks"] = result.looks;
  dict["rebalances"] = result.rebalances;
  dict["planes_moved"] = result.planes_moved;
  dict["moving_s"] = result.moving.value();
  dict["messages"] = result.messages;
  dict["bytes"] = result.bytes;
  dict["network_bytes"] = result.network_bytes;
  nb::list spans;
  for (sim::GridSpan const& span : result.spans) {
    spans.append(nb::make_tuple(span.device, phase_names[static_cast<std::size_t>(span.phase)],
                                span.step, span.begin.value(), span.end.value()));
  }
  dict["spans"] = spans;
  return dict;
}

}  // namespace

void bind_grid_simulation(nb::module_& module) {
  module.def(
      "simulate_grid",
      [](nb::dict const& given) -> nb::dict {
        sim::GridJob const job = grid_job_from(given);
        sim::GridResult result;
        {
          ReleasedGil const released;
          result = sim::simulate_grid(job);
        }
        return dict_of(result);
      },
      nb::arg("job"), "Runs a grid in virtual time. ValueError for an invalid job.");
}

}  // namespace bindings

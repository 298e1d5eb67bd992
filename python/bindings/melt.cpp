// SPDX-License-Identifier: Apache-2.0
// Melts: settings as a dict, lines and frames as they come, a report.
#include "bindings/melt.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/balance_when.hpp"
#include "bindings/digests.hpp"
#include "bindings/given.hpp"
#include "bindings/pricing.hpp"
#include "bindings/python_thread.hpp"
#include "makespan/apps/melt/cell_grid.hpp"
#include "makespan/apps/melt/objects/melt_team.hpp"
#include "makespan/apps/melt/settings.hpp"
#include "makespan/base/unknown_name.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"

namespace bindings {

namespace nb = nanobind;
namespace graph = makespan::graph;
namespace melt = makespan::melt;

namespace {

// --- in

graph::InitialMap first_map_named(std::string const& name) {
  if (name == "block") return graph::InitialMap::block;
  if (name == "round-robin") return graph::InitialMap::round_robin;
  throw makespan::unknown_name("first map", name,
                               std::vector<std::string_view>{"block", "round-robin"});
}

melt::MeltSettings melt_settings_from(nb::dict const& given) {
  melt::MeltSettings settings;
  Given const from(given);
  from.take("lattice_cells", settings.lattice_cells);
  from.take("density", settings.density);
  from.take("temperature", settings.temperature);
  from.take("cutoff", settings.cutoff);
  from.take("skin", settings.skin);
  from.take("time_step", settings.time_step);
  from.take("cells", settings.cells);
  from.take("rebuild_steps", settings.rebuild_steps);
  from.take("steps", settings.steps);
  from.take("thermo_steps", settings.thermo_steps);
  from.take("seed", settings.seed);
  return settings;
}

melt::MeltOptions melt_options_from(nb::dict const& given) {
  melt::MeltOptions options;
  graph::TriggerOptions& trigger = options.world.balance.trigger;
  Given const from(given);
  from.take("isa", options.isa);
  from.take("phase_steps", options.phase_steps);
  from.take("frame_steps", options.frame_steps);
  from.take_as<graph::InitialMap, std::string>("first_map", options.first_map, first_map_named);
  from.take_as<graph::BalanceWhen, std::string>("balance", trigger.when, balance_when);
  from.take("balance_phases", trigger.every);
  from.take("balancer", options.world.balance.balancer);
  std::map<std::string, double> balancer_options;
  from.take("balancer_options", balancer_options);
  options.world.balance.balancer_options.insert(balancer_options.begin(), balancer_options.end());
  from.take("machine", options.world.machine.from);
  from.take("checkpoint_phases", options.world.checkpoint.every);
  from.take("checkpoint_folder", options.world.checkpoint.folder);
  from.take("from", options.world.checkpoint.from);
  return options;
}

// --- out

template <class Row, class Value>
nb::object row_column(std::vector<Row> const& rows, Value Row::* member) {
  std::vector<Value> values(rows.size());
  std::ranges::transform(rows, values.begin(), member);
  return owned(std::move(values));
}

nb::dict line_of(melt::Thermo const& thermo) {
  nb::dict line;
  line["step"] = thermo.step;
  line["temperature"] = thermo.temperature;
  line["pair_energy"] = thermo.pair_energy;
  line["total_energy"] = thermo.total_energy;
  line["pressure"] = thermo.pressure;
  line["shifted_energy"] = thermo.shifted_energy;
  return line;
}

// A numpy array of shape (atoms, 3), of its own memory.
nb::object positions_of(melt::Frame const& frame) {
  auto kept = std::make_unique<std::vector<melt::Vector3>>(frame.positions);
  double* const first = kept->empty() ? nullptr : kept->front().data();
  // Asked before release() gives the memory to the array.
  std::size_t const atoms = kept->size();
  nb::capsule const owner(kept.release(), [](void* memory) noexcept {
    delete static_cast<std::vector<melt::Vector3>*>(memory);
  });
  return nb::cast(
      nb::ndarray<nb::numpy, double, nb::shape<-1, 3>, nb::c_contig>(first, {atoms, 3}, owner));
}

nb::dict shares_of(melt::PhaseShares const& of) {
  nb::dict out;
  out["phase"] = of.phase;
  out["index"] = row_column(of.shares, &melt::ObjectShare::index);
  out["place"] = row_column(of.shares, &melt::ObjectShare::place);
  out["cpu_s"] = row_column(of.shares, &melt::ObjectShare::cpu_s);
  return out;
}

nb::dict phases_of(std::vector<graph::PhaseReport> const& phases) {
  using graph::PhaseReport;
  nb::dict out;
  out["phase"] = row_column(phases, &PhaseReport::phase);
  out["time_s"] = row_column(phases, &PhaseReport::time_s);
  out["busy_s_longest"] = row_column(phases, &PhaseReport::busy_s_longest);
  out["busy_s_mean"] = row_column(phases, &PhaseReport::busy_s_mean);
  out["messages"] = row_column(phases, &PhaseReport::messages);
  out["moved"] = row_column(phases, &PhaseReport::moved);
  out["moved_bytes"] = row_column(phases, &PhaseReport::moved_bytes);
  out["decision_s"] = row_column(phases, &PhaseReport::decision_s);
  return out;
}

// What the run knew of its machine.
nb::dict machine_of(graph::MachineFacts const& facts) {
  nb::list messages;
  for (graph::MachineFacts::Class const& one : facts.classes) {
    nb::dict message;
    message["between"] = one.label;
    message["latency_s"] = one.cost.latency_s;
    message["send_s"] = one.cost.send_s;
    message["receive_s"] = one.cost.receive_s;
    message["bytes_per_s"] = 1.0 / one.cost.byte_s;
    message["source"] = std::string(graph::name_of(one.source));
    messages.append(message);
  }
  nb::dict out;
  out["from"] = facts.from;
  out["levels"] = nb::cast(facts.levels);
  out["domains"] = nb::cast(facts.domain);
  out["cpus"] = nb::cast(facts.cpu);
  out["messages"] = messages;
  return out;
}

nb::dict report_of(melt::MeltReport const& report) {
  nb::dict out;
  out["machine"] = machine_of(report.machine);
  out["phases"] = phases_of(report.phases);
  out["first_shares"] = shares_of(report.first_shares);
  out["last_shares"] = shares_of(report.last_shares);
  out["first_step"] = report.first_step;
  out["steps"] = report.steps;
  out["seconds"] = report.seconds;
  out["places"] = report.places;
  out["digests"] = digest_words(report.digests);
  return out;
}

// What is known before a step is made.
nb::dict melt_system(nb::dict const& given) {
  melt::MeltSettings const settings = melt_settings_from(given);
  melt::CellGrid const grid(settings);
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
  for (int index = 0; index < grid.computes(); ++index) {
    melt::ComputeCells const cells = grid.compute(index);
    first.push_back(cells.first);
    second.push_back(cells.second);
  }
  nb::dict out;
  out["atoms"] = melt::atom_count(settings);
  out["box"] = nb::cast(grid.box());
  out["cells"] = nb::cast(settings.cells);
  out["compute_first"] = owned(std::move(first));
  out["compute_second"] = owned(std::move(second));
  return out;
}

melt::MeltOptions options_with(nb::dict const& given, nb::object const& listener) {
  melt::MeltOptions options = melt_options_from(given);
  // Called by the engine, which holds no GIL; `listener` is the caller's, who waits for the run.
  options.on_thermo = [&](melt::Thermo const& thermo) {
    with_gil([&] { listener.attr("thermo")(line_of(thermo)); });
  };
  options.on_frame = [&](melt::Frame const& frame) {
    with_gil([&] { listener.attr("frame")(frame.step, positions_of(frame)); });
  };
  options.on_phase = [&](std::int64_t steps) {
    bool const is_enough = with_gil([&] { return nb::cast<bool>(listener.attr("phase")(steps)); });
    return is_enough ? graph::Next::stop : graph::Next::go_on;
  };
  return options;
}

nb::dict run(melt::MeltTeam& team, nb::dict const& given_settings, nb::dict const& given_options,
             nb::object const& listener) {
  melt::MeltSettings const settings = melt_settings_from(given_settings);
  melt::MeltOptions const options = options_with(given_options, listener);
  melt::MeltReport report;
  {
    ReleasedGil const released;
    report = team.run(settings, options);
  }
  return report_of(report);
}

nb::dict run_in_virtual_time(graph::Places const& places, nb::dict const& given_settings,
                             nb::dict const& given_options, nb::object const& listener) {
  melt::MeltSettings const settings = melt_settings_from(given_settings);
  melt::MeltOptions const options = options_with(given_options, listener);
  melt::MeltReport report;
  {
    ReleasedGil const released;
    // The same program: only the world that objects are in is another one.
    graph::VirtualObjectWorld world(places, options.world);
    report = melt::run_melt_all(world, settings, options);
  }
  return report_of(report);
}

}  // namespace

void bind_melt(nb::module_& module) {
  using namespace nb::literals;
  using Released = nb::call_guard<ReleasedGil>;
  module.def("melt_system", &melt_system, "settings"_a,
             "Checks settings (ValueError): atoms, box, cells, and the two cells of each compute.");
  module.def("melt_in_virtual_time", &run_in_virtual_time, "places"_a, "settings"_a, "options"_a,
             "listener"_a,
             "As MeltTeam.run, on places of kind 0 and in one thread; times are those of the "
             "machine.");
  nb::class_<melt::MeltTeam>(module, "MeltTeam",
                             "Collective: threads of all images of a job, for melts.")
      .def(nb::init<int>(), "threads"_a, Released())
      .def_prop_ro("image", &melt::MeltTeam::image)
      .def_prop_ro("images", &melt::MeltTeam::images)
      .def_prop_ro("threads", &melt::MeltTeam::threads, "Of each image.")
      .def("run", &run, "settings"_a, "options"_a, "listener"_a,
           "On image 0: runs a melt; blocks, without the GIL. Calls listener.thermo(line), "
           ".frame(step, positions) and .phase(steps), which returns whether to stop.")
      .def("serve", &melt::MeltTeam::serve, Released(), "On the others: until image 0 finishes.")
      .def("finish", &melt::MeltTeam::finish_all, Released(), "Collective: the end of the job.");
}

}  // namespace bindings

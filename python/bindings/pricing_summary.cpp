// SPDX-License-Identifier: Apache-2.0
#include "bindings/pricing_summary.hpp"

#include <nanobind/stl/string.h>

namespace bindings {

namespace nb = nanobind;
namespace asian = makespan::asian;

namespace {

nb::dict plain(asian::DeviceSummary const& device) {
  nb::dict out;
  out["name"] = nb::cast(device.name);
  out["isa"] = nb::cast(device.isa);
  out["mode"] = nb::cast(device.mode);
  out["image"] = device.image;
  out["first_thread"] = device.first_thread;
  out["threads"] = device.threads;
  out["busy_s"] = device.busy.value();
  out["work"] = device.work.value();
  out["failed"] = device.failed;
  out["lost_threads"] = device.lost_threads;
  out["remembered"] = device.remembered;
  return out;
}

}  // namespace

nb::dict plain(asian::OverdueNote const& note) {
  nb::dict out;
  out["device"] = nb::cast(note.device);
  out["image"] = note.image;
  out["row"] = note.row;
  out["seconds"] = note.at_it.value();
  out["predicted_s"] = note.predicted.value();
  out["lost"] = note.is_lost;
  return out;
}

nb::dict plain(asian::RunSummary const& summary) {
  nb::list busy;
  for (makespan::Seconds const seconds : summary.busy) busy.append(seconds.value());
  nb::list devices;
  for (asian::DeviceSummary const& device : summary.devices) devices.append(plain(device));
  nb::list overdue;
  for (asian::OverdueNote const& note : summary.overdue) overdue.append(plain(note));
  nb::dict out;
  out["overdue"] = overdue;
  out["isa"] = nb::cast(summary.isa);
  out["threads"] = summary.threads;
  out["images"] = summary.images;
  out["wall_s"] = summary.wall.value();
  out["busy_s"] = busy;
  out["path_steps"] = summary.path_steps;
  out["makespan_s"] = summary.makespan.value();
  out["ideal_s"] = summary.ideal.value();
  out["claims"] = summary.claims;
  out["steals"] = summary.steals;
  out["devices"] = devices;
  out["philox_rounds"] = summary.philox_rounds;
  out["rounds"] = summary.rounds;
  out["rows_double"] = summary.rows_fp64;
  out["complete"] = summary.complete;
  return out;
}

}  // namespace bindings

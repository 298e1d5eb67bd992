// SPDX-License-Identifier: Apache-2.0
// How Python has a grid run, whatever the grid computes: a dict, as RunOptions.of_team() of
// makespan/grid/input.py makes it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings/given.hpp"
#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace bindings {

// What is left out keeps its default. Throws InputError for unknown names.
[[nodiscard]] makespan::grid::TeamOptions options_from(nanobind::dict const& given);

// Throw InputError for unknown names.
[[nodiscard]] makespan::grid::Schedule schedule_named(std::string const& name);
[[nodiscard]] makespan::grid::Route route_named(std::string const& name);
[[nodiscard]] makespan::grid::ImageCut cut_named(std::string const& name);

// `host`, `host_thickness` along x, y, z, and `host_is_free`.
void take_layers(Given const& from, makespan::grid::HostLayers& layers);

// What running and simulated grids are told alike.
template <class Options>
void take_ways(Given const& from, Options& options) {
  from.take_as<makespan::grid::Schedule, std::string>("schedule", options.schedule, schedule_named);
  from.take_as<makespan::grid::Route, std::string>("route", options.route, route_named);
  from.take_as<makespan::grid::ImageCut, std::string>("cut", options.cut, cut_named);
  take_layers(from, options.layers);
}

}  // namespace bindings

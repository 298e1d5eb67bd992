// SPDX-License-Identifier: Apache-2.0
#include "bindings/grid_options.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <string>

#include "bindings/given.hpp"
#include "bindings/named_as.hpp"

namespace bindings {

namespace nb = nanobind;
namespace grid = makespan::grid;

grid::Schedule schedule_named(std::string const& name) {
  return named_as<grid::Schedule>(
      "schedule", name,
      std::array<Name<grid::Schedule>, 3>{{{"none", grid::Schedule::none},
                                           {"overlap", grid::Schedule::overlap},
                                           {"pipeline", grid::Schedule::pipeline}}});
}
grid::ImageCut cut_named(std::string const& name) {
  return named_as<grid::ImageCut>(
      "cut", name,
      std::array<Name<grid::ImageCut>, 3>{{{"auto", grid::ImageCut::automatic},
                                           {"slabs", grid::ImageCut::stack},
                                           {"boxes", grid::ImageCut::boxes}}});
}
grid::Route route_named(std::string const& name) {
  return named_as<grid::Route>(
      "route", name,
      std::array<Name<grid::Route>, 2>{
          {{"direct", grid::Route::direct}, {"relayed", grid::Route::relayed}}});
}

namespace {

grid::BlockOrder block_order_named(std::string const& name) {
  return named_as<grid::BlockOrder>(
      "block_order", name,
      std::array<Name<grid::BlockOrder>, 2>{{{"far-first", grid::BlockOrder::far_first},
                                             {"near-first", grid::BlockOrder::near_first}}});
}
// Left and right are ends of the other devices' rows and of their planes, as thick as is said.
grid::HostShare host_named(std::string const& name) {
  return named_as<grid::HostShare>(
      "host", name,
      std::array<Name<grid::HostShare>, 5>{{{"device", grid::HostShare::device},
                                            {"none", grid::HostShare::none},
                                            {"front-back", grid::HostShare::front_back},
                                            {"left-right", grid::HostShare::front_back},
                                            {"all", grid::HostShare::all}}});
}

}  // namespace

void take_layers(Given const& from, grid::HostLayers& layers) {
  from.take_as<grid::HostShare, std::string>("host", layers.share, host_named);
  std::array<std::int64_t, 3> thickness{};
  from.take("host_thickness", thickness);
  layers.thickness_x = thickness[0];
  layers.thickness_y = thickness[1];
  layers.thickness = thickness[2];
  from.take("host_is_free", layers.is_free);
}

grid::TeamOptions options_from(nb::dict const& given) {
  grid::TeamOptions options;
  Given const from(given);
  from.take("devices", options.devices);
  from.take("gpus", options.gpus);
  take_ways(from, options);
  from.take("blocks", options.blocks);
  from.take_as<grid::BlockOrder, std::string>("block_order", options.block_order,
                                              block_order_named);
  from.take("speeds", options.speeds);
  from.take("plane_weights", options.plane_weights);
  from.take("point_times", options.point_times);
  from.take("steps_at_once", options.steps_at_once);
  from.take("rebalance_steps", options.rebalance_steps);
  from.take("first_look", options.first_look);
  from.take("phases_kept", options.phases_kept);
  return options;
}

}  // namespace bindings

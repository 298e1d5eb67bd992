// SPDX-License-Identifier: Apache-2.0
#include "bindings/grid_settings.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings/given.hpp"
#include "bindings/named_as.hpp"
#include "makespan/apps/calcium/geometry.hpp"
#include "makespan/apps/calcium/pumps.hpp"
#include "makespan/apps/calcium/settings.hpp"

namespace bindings {

namespace {

grid::FaceKind face_named(std::string const& name) {
  return named_as<grid::FaceKind>(
      "face", name,
      std::array<Name<grid::FaceKind>, 3>{{{"no-flux", grid::FaceKind::no_flux},
                                           {"value", grid::FaceKind::value},
                                           {"periodic", grid::FaceKind::periodic}}});
}

using FaceNames = std::array<std::string, grid::face_count>;
grid::Faces faces_named(FaceNames const& names) {
  grid::Faces faces;
  for (std::size_t face = 0; face < names.size(); ++face) {
    faces.kinds[face] = face_named(names[face]);
  }
  return faces;
}
grid::KernelChoice kernel_named(std::string const& name) {
  return named_as<grid::KernelChoice>(
      "kernel", name,
      std::array<Name<grid::KernelChoice>, 3>{{{"auto", grid::KernelChoice::automatic},
                                               {"compiled", grid::KernelChoice::compiled},
                                               {"interpreted", grid::KernelChoice::interpreted}}});
}

// Operations, as lists of their parts.
grid::PointProgram program_from(nb::dict const& given) {
  grid::PointProgram program;
  Given const from(given);
  from.take("fields", program.fields);
  from.take("parameters", program.parameters);
  from.take("updates", program.updates);
  std::vector<std::string> names;
  std::vector<std::array<std::int32_t, 3>> operands;
  std::vector<double> values;
  std::vector<std::int32_t> numbers;
  std::vector<std::array<int, 3>> offsets;
  from.take("ops", names);
  from.take("operands", operands);
  from.take("values", values);
  from.take("numbers", numbers);
  from.take("offsets", offsets);
  for (std::size_t at = 0; at < names.size(); ++at) {
    // at(): the lists come one by one, and may differ in length.
    auto const [x, y, z] = offsets.at(at);
    program.nodes.push_back({.op = grid::point_op_named(names[at]),
                             .operands = operands.at(at),
                             .value = values.at(at),
                             .field = numbers.at(at),
                             .offset = {x, y, z}});
  }
  return program;
}

calcium::Species species_named(std::string const& name) {
  using Make = calcium::Species (*)();
  return named_as<Make>("species", name,
                        std::array<Name<Make>, 3>{{{"hake", &calcium::hake_species},
                                                   {"walker", &calcium::walker_species},
                                                   {"smith", &calcium::smith_species}}})();
}

// [total, diffusion, on, off]
calcium::Buffer buffer_from(std::array<double, 4> const& numbers) {
  return {.total = numbers[0], .diffusion = numbers[1], .k_on = numbers[2], .k_off = numbers[3]};
}

void take_species(Given const& from, calcium::Species& species) {
  from.take_as<calcium::Species, std::string>("species", species, species_named);
  from.take("ca_diffusion", species.ca_diffusion);
  from.take("ca_rest", species.ca_rest);
  using Numbers = std::array<double, 4>;
  from.take_as<calcium::Buffer, Numbers>("atp", species.atp, buffer_from);
  from.take_as<calcium::Buffer, Numbers>("cmdn", species.cmdn, buffer_from);
  from.take_as<calcium::Buffer, Numbers>("trpn", species.trpn, buffer_from);
  from.take_as<calcium::Buffer, Numbers>("fluo", species.fluo, buffer_from);
  from.take_as<calcium::Buffer, Numbers>("csqn", species.csqn, buffer_from);
  from.take("sr_ca_diffusion", species.sr_ca_diffusion);
  from.take("sr_ca_rest", species.sr_ca_rest);
  from.take("t_tubule_ca", species.t_tubule_ca);
  from.take("refill_rate", species.refill_rate);
  from.take("network_sr_ca", species.network_sr_ca);
  from.take("serca_total", species.serca.total);
  from.take("membrane_pump_max", species.membrane.pump_max);
  from.take("exchanger_max", species.membrane.exchanger_max);
  from.take("membrane_voltage", species.membrane.voltage);
}

void take_pumps(Given const& from, calcium::Pumps& pumps) {
  from.take("serca", pumps.serca);
  from.take("membrane_pump", pumps.membrane_pump);
  from.take("exchanger", pumps.exchanger);
  from.take("leaks", pumps.leaks);
  from.take("network_sr", pumps.network_sr);
}

void take_geometry(Given const& from, calcium::Geometry& geometry) {
  from.take_as<calcium::Layout, std::string>(
      "layout", geometry.layout, [](std::string const& name) {
        return named_as<calcium::Layout>("layout", name,
                                         std::array<Name<calcium::Layout>, 2>{
                                             {{"plain", calcium::Layout::plain},
                                              {"release-unit", calcium::Layout::release_unit}}});
      });
  from.take("tubule_radius", geometry.tubule_radius);
  from.take("cleft_height", geometry.cleft_height);
  from.take("jsr_length", geometry.jsr_length);
  from.take("jsr_width", geometry.jsr_width);
  from.take("jsr_thickness", geometry.jsr_thickness);
  from.take("troponin_radius", geometry.troponin_radius);
  from.take("ryr_per_side", geometry.ryr_per_side);
  from.take("ryr_pitch", geometry.ryr_pitch);
  from.take("lcc_count", geometry.lcc_count);
}

// [channel, from, to] of each.
std::vector<calcium::Opening> openings_from(calcium::ChannelKind kind,
                                            std::vector<std::array<double, 3>> const& rows) {
  std::vector<calcium::Opening> openings;
  openings.reserve(rows.size());
  for (auto const& row : rows) {
    openings.push_back(
        {.kind = kind, .channel = static_cast<int>(row[0]), .open_ms = row[1], .close_ms = row[2]});
  }
  return openings;
}

void take_openings(Given const& from, calcium::CalciumSettings& unit) {
  using Rows = std::vector<std::array<double, 3>>;
  Rows ryr;
  Rows lcc;
  from.take("ryr_open", ryr);
  from.take("lcc_open", lcc);
  unit.openings = openings_from(calcium::ChannelKind::ryr, ryr);
  for (auto const& opening : openings_from(calcium::ChannelKind::lcc, lcc)) {
    unit.openings.push_back(opening);
  }
  // [x, y, z, current, from, to] of each.
  std::vector<std::array<double, 6>> currents;
  from.take("currents", currents);
  for (auto const& row : currents) {
    unit.currents.push_back(
        {.voxel = {static_cast<std::int64_t>(row[0]), static_cast<std::int64_t>(row[1]),
                   static_cast<std::int64_t>(row[2])},
         .current_pa = row[3],
         .open_ms = row[4],
         .close_ms = row[5]});
  }
  from.take("ryr_conductance", unit.ryr_conductance);
  from.take("lcc_current", unit.lcc_current_pa);
}

}  // namespace

diffusion::DiffusionSettings diffusion_from(nb::dict const& given) {
  diffusion::DiffusionSettings settings;
  Given const from(given);
  from.take_as<grid::Point, Triple>("points", settings.points, point_from);
  from.take_as<diffusion::Lambdas, std::array<double, 3>>(
      "lambdas", settings.lambdas,
      [](auto const& by_axis) { return diffusion::Lambdas{by_axis[0], by_axis[1], by_axis[2]}; });
  from.take_as<grid::Faces, FaceNames>("faces", settings.faces, faces_named);
  from.take("values", settings.values);
  from.take("isa", settings.isa);
  from.take("steps_at_once", settings.steps_at_once);
  return settings;
}

equations::EquationSettings equations_from(nb::dict const& given) {
  equations::EquationSettings settings;
  Given const from(given);
  from.take_as<grid::Point, Triple>("points", settings.points, point_from);
  from.take_as<grid::Faces, FaceNames>("faces", settings.faces, faces_named);
  from.take("values", settings.values);
  from.take_as<grid::PointProgram, nb::dict>("program", settings.program, program_from);
  from.take("parameters", settings.parameters);
  from.take_as<grid::KernelChoice, std::string>("kernel", settings.kernel, kernel_named);
  from.take("steps_at_once", settings.steps_at_once);
  return settings;
}

calcium::CalciumModelSettings calcium_from(nb::dict const& given) {
  calcium::CalciumModelSettings settings;
  calcium::CalciumSettings& unit = settings.unit;
  Given const from(given);
  from.take_as<grid::Point, Triple>("points", unit.voxels.points, point_from);
  from.take("spacing", unit.voxels.spacing);
  from.take("time_step", unit.time_step);
  from.take("isa", settings.isa);
  std::string boundary = "no-flux";
  from.take("boundary", boundary);
  if (boundary == "periodic") {
    unit.voxels.wraps = {true, true, true};
  } else {
    settings.outside = named_as<calcium::Outside>(
        "boundary", boundary,
        std::array<Name<calcium::Outside>, 3>{{{"no-flux", calcium::Outside::nothing},
                                               {"rest", calcium::Outside::at_rest},
                                               {"periodic", calcium::Outside::nothing}}});
  }
  take_species(from, unit.species);
  take_pumps(from, unit.pumps);
  take_geometry(from, unit.geometry);
  take_openings(from, unit);
  return settings;
}

}  // namespace bindings

// SPDX-License-Identifier: Apache-2.0
// Grids: settings as dicts, boxes of values as arrays of (z, y, x), a report.
#include "bindings/grid.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/given.hpp"
#include "makespan/apps/calcium/geometry.hpp"
#include "makespan/apps/calcium/model/calcium_model.hpp"
#include "makespan/apps/calcium/settings.hpp"
#include "makespan/apps/diffusion/model/diffusion_model.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/unknown_name.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace bindings {

namespace nb = nanobind;
namespace calcium = makespan::calcium;
namespace diffusion = makespan::diffusion;
namespace grid = makespan::grid;

namespace {

using Triple = std::array<std::int64_t, 3>;
using Values = nb::ndarray<double const, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// --- in

template <class Value>
struct Name {
  std::string_view name;
  Value value;
};

template <class Value, std::size_t count>
Value named_as(std::string_view kind, std::string const& name,
               std::array<Name<Value>, count> const& known) {
  std::vector<std::string_view> names;
  for (auto const& entry : known) {
    if (entry.name == name) return entry.value;
    names.push_back(entry.name);
  }
  throw makespan::unknown_name(kind, name, names);
}

grid::Point point_from(Triple const& at) {
  return {at[0], at[1], at[2]};
}
nb::tuple tuple_of(grid::Point at) {
  return nb::make_tuple(at.x, at.y, at.z);
}
grid::Box box_from(Triple const& begin, Triple const& end) {
  return {point_from(begin), point_from(end)};
}

grid::Schedule schedule_named(std::string const& name) {
  return named_as<grid::Schedule>(
      "schedule", name,
      std::array<Name<grid::Schedule>, 2>{
          {{"none", grid::Schedule::none}, {"overlap", grid::Schedule::overlap}}});
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
grid::FaceKind face_named(std::string const& name) {
  return named_as<grid::FaceKind>(
      "face", name,
      std::array<Name<grid::FaceKind>, 3>{{{"no-flux", grid::FaceKind::no_flux},
                                           {"value", grid::FaceKind::value},
                                           {"periodic", grid::FaceKind::periodic}}});
}

grid::TeamOptions options_from(nb::dict const& given) {
  grid::TeamOptions options;
  Given const from(given);
  from.take("devices", options.devices);
  from.take_as<grid::Schedule, std::string>("schedule", options.schedule, schedule_named);
  from.take_as<grid::Route, std::string>("route", options.route, route_named);
  from.take_as<grid::ImageCut, std::string>("cut", options.cut, cut_named);
  from.take("steps_at_once", options.steps_at_once);
  from.take("rebalance_steps", options.rebalance_steps);
  return options;
}

diffusion::DiffusionSettings diffusion_from(nb::dict const& given) {
  diffusion::DiffusionSettings settings;
  Given const from(given);
  from.take_as<grid::Point, Triple>("points", settings.points, point_from);
  from.take_as<diffusion::Lambdas, std::array<double, 3>>(
      "lambdas", settings.lambdas,
      [](auto const& by_axis) { return diffusion::Lambdas{by_axis[0], by_axis[1], by_axis[2]}; });
  from.take_as<grid::Faces, std::array<std::string, 6>>("faces", settings.faces, [](auto names) {
    grid::Faces faces;
    for (std::size_t face = 0; face < names.size(); ++face) {
      faces.kinds[face] = face_named(names[face]);
    }
    return faces;
  });
  from.take("values", settings.values);
  from.take("isa", settings.isa);
  from.take("steps_at_once", settings.steps_at_once);
  return settings;
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

calcium::CalciumModelSettings calcium_from(nb::dict const& given) {
  calcium::CalciumModelSettings settings;
  calcium::CalciumSettings& unit = settings.unit;
  Given const from(given);
  from.take_as<grid::Point, Triple>("points", unit.voxels.points, point_from);
  from.take("spacing", unit.voxels.spacing);
  from.take("time_step", unit.time_step);
  from.take("isa", settings.isa);
  std::string ends = "no-flux";
  from.take("ends", ends);
  if (ends == "periodic") {
    unit.voxels.wraps = {true, true, true};
  } else {
    settings.outside = named_as<calcium::Outside>(
        "ends", ends,
        std::array<Name<calcium::Outside>, 3>{{{"no-flux", calcium::Outside::nothing},
                                               {"rest", calcium::Outside::at_rest},
                                               {"periodic", calcium::Outside::nothing}}});
  }
  take_species(from, unit.species);
  take_geometry(from, unit.geometry);
  take_openings(from, unit);
  return settings;
}

// --- out

template <class T>
nb::object array_of(std::vector<T> values, grid::Point size) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* const first = kept->data();
  nb::capsule const owner(
      kept.release(), [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
  std::array<std::size_t, 3> const shape{static_cast<std::size_t>(size.z),
                                         static_cast<std::size_t>(size.y),
                                         static_cast<std::size_t>(size.x)};
  return nb::cast(
      nb::ndarray<nb::numpy, T, nb::ndim<3>, nb::c_contig>(first, 3, shape.data(), owner));
}

nb::list voxels_of(std::vector<calcium::Channel> const& channels) {
  nb::list voxels;
  for (calcium::Channel const& channel : channels) voxels.append(tuple_of(channel.voxel));
  return voxels;
}

constexpr std::array<std::string_view, calcium::field_count> field_names{"ca", "ca_atp", "ca_cmdn",
                                                                         "ca_trpn", "ca_fluo"};
constexpr std::array<std::string_view, calcium::region_count> region_names{
    "cytosol", "near_cytosol", "cleft", "t_tubule", "jsr"};

// What is known before a step is made.
nb::dict calcium_unit(nb::dict const& given) {
  calcium::CalciumModelSettings const settings = calcium_from(given);
  calcium::CalciumSettings const& unit = settings.unit;
  calcium::check(unit);
  nb::dict out;
  nb::list fields;
  for (std::string_view const name : field_names) fields.append(nb::cast(std::string(name)));
  nb::list regions;
  for (std::string_view const name : region_names) regions.append(nb::cast(std::string(name)));
  out["fields"] = fields;
  out["regions"] = regions;
  out["rest"] = nb::cast(calcium::cytosol_at_rest(unit.species));
  out["sr_rest"] = unit.species.sr_ca_rest;
  out["ryr"] = voxels_of(calcium::ryr_channels(unit.geometry, unit.voxels));
  out["lcc"] = voxels_of(calcium::lcc_channels(unit.geometry, unit.voxels));
  return out;
}

nb::object calcium_regions(nb::dict const& given, Triple const& begin, Triple const& end) {
  calcium::CalciumSettings const unit = calcium_from(given).unit;
  calcium::check(unit);
  grid::Box const box = box_from(begin, end);
  std::vector<std::uint8_t> regions;
  regions.reserve(static_cast<std::size_t>(box.points()));
  for (std::int64_t z = begin[2]; z < end[2]; ++z) {
    for (std::int64_t y = begin[1]; y < end[1]; ++y) {
      for (std::int64_t x = begin[0]; x < end[0]; ++x) {
        regions.push_back(
            static_cast<std::uint8_t>(calcium::region_at(unit.geometry, unit.voxels, {x, y, z})));
      }
    }
  }
  return array_of(std::move(regions), box.extent());
}

nb::object gather(grid::GridTeam& team, int field, Triple const& begin, Triple const& end) {
  grid::Box const box = box_from(begin, end);
  std::vector<double> values;
  {
    nb::gil_scoped_release const released;
    values = team.gather(field, box);
  }
  return array_of(std::move(values), box.extent());
}

void scatter(grid::GridTeam& team, int field, Triple const& begin, Values const& values) {
  grid::Point const first = point_from(begin);
  grid::Point const size{static_cast<std::int64_t>(values.shape(2)),
                         static_cast<std::int64_t>(values.shape(1)),
                         static_cast<std::int64_t>(values.shape(0))};
  nb::gil_scoped_release const released;
  team.scatter(field, {first, first + size}, {values.data(), values.size()});
}

nb::object find_bad_value(grid::GridTeam& team) {
  std::optional<grid::BadValue> bad;
  {
    nb::gil_scoped_release const released;
    bad = team.find_bad_value();
  }
  if (!bad) return nb::none();
  return nb::make_tuple(bad->field, tuple_of(bad->at), bad->value);
}

nb::dict report(grid::GridTeam& team) {
  grid::TeamReport report;
  {
    nb::gil_scoped_release const released;
    report = team.report();
  }
  nb::list devices;
  for (grid::DeviceReport const& device : report.devices) {
    nb::dict row;
    row["image"] = device.image;
    row["device"] = device.device;
    row["planes"] = device.planes;
    row["boundary_s"] = device.times.boundary.value();
    row["interior_s"] = device.times.interior.value();
    row["send_s"] = device.times.send.value();
    row["wait_s"] = device.times.wait.value();
    row["unpack_s"] = device.times.unpack.value();
    devices.append(row);
  }
  nb::dict out;
  out["devices"] = devices;
  out["rebalances"] = report.rebalances;
  out["planes_moved"] = report.planes_moved;
  return out;
}

std::unique_ptr<grid::GridTeam> team_on(std::vector<int> cores) {
  return std::make_unique<grid::GridTeam>(
      std::move(cores),
      std::vector<grid::GridModelKind>{calcium::calcium_kind(), diffusion::diffusion_kind()});
}

void open(grid::GridTeam& team, grid::ModelOrder const& order, nb::dict const& given) {
  grid::TeamOptions const options = options_from(given);
  nb::gil_scoped_release const released;
  team.open(order, options);
}

}  // namespace

void bind_grid(nb::module_& module) {
  using namespace nb::literals;
  using Released = nb::call_guard<nb::gil_scoped_release>;
  module.def("calcium_unit", &calcium_unit, "settings"_a,
             "Checks settings (ValueError): names of fields and regions, rest, channels' voxels.");
  module.def("calcium_regions", &calcium_regions, "settings"_a, "begin"_a, "end"_a,
             "The region of each voxel of a box, (z, y, x).");
  nb::class_<grid::GridTeam>(module, "GridTeam",
                             "Collective: cores of all images of a job, for grids. But for serve "
                             "and finish, all is for image 0; all blocks, without the GIL.")
      .def(nb::new_(&team_on), "cores"_a)
      .def_prop_ro("image", &grid::GridTeam::image)
      .def_prop_ro("images", &grid::GridTeam::images)
      .def_prop_ro("threads", &grid::GridTeam::threads, "Of this image.")
      .def_prop_ro("step", &grid::GridTeam::step, "Steps made.")
      .def(
          "open_diffusion",
          [](grid::GridTeam& team, nb::dict const& settings, nb::dict const& options) {
            open(team, diffusion::order_of(diffusion_from(settings)), options);
          },
          "settings"_a, "options"_a, "Makes the grid of a diffusion; its values are 0.")
      .def(
          "open_calcium",
          [](grid::GridTeam& team, nb::dict const& settings, nb::dict const& options) {
            open(team, calcium::order_of(calcium_from(settings)), options);
          },
          "settings"_a, "options"_a, "Makes the grid of a calcium release unit.")
      .def("start", &grid::GridTeam::start, Released(), "To what the model begins with.")
      .def("run", &grid::GridTeam::run, "steps"_a, Released())
      .def("gather", &gather, "field"_a, "begin"_a, "end"_a,
           "A field's values in a box, (z, y, x).")
      .def("scatter", &scatter, "field"_a, "begin"_a, "values"_a,
           "Sets a field in the box from `begin` on to values of (z, y, x).")
      .def("find_bad_value", &find_bad_value,
           "(field, (x, y, z), value) of the first that is not finite; None where all are.")
      .def("hash", &grid::GridTeam::hash, Released(), "Of all bits of all fields.")
      .def("report", &report, "Where the time of each device went.")
      .def("set_step", &grid::GridTeam::set_step, "step"_a, Released(), "Steps made before.")
      .def("serve", &grid::GridTeam::serve, Released(), "On the others: until image 0 finishes.")
      .def("finish", &grid::GridTeam::finish_all, Released(), "Collective: the end of the job.");
}

}  // namespace bindings

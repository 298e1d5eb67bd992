// SPDX-License-Identifier: Apache-2.0
// Grids: settings as dicts, boxes of values as arrays of (z, y, x), a report.
#include "bindings/grid.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/digests.hpp"
#include "bindings/grid_options.hpp"
#include "bindings/grid_settings.hpp"
#include "bindings/python_thread.hpp"
#include "makespan/apps/calcium/geometry.hpp"
#include "makespan/apps/calcium/model/calcium_model.hpp"
#include "makespan/apps/calcium/network_sr.hpp"
#include "makespan/apps/calcium/settings.hpp"
#include "makespan/apps/diffusion/model/diffusion_model.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/unknown_name.hpp"
#include "makespan/grid/compile/compiler.hpp"
#include "makespan/grid/compile/gpu_compiler.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace bindings {

namespace {

using Values = nb::ndarray<double const, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::tuple tuple_of(grid::Point at) {
  return nb::make_tuple(at.x, at.y, at.z);
}

template <class T>
nb::object array_of(std::vector<T> values, grid::Point size) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  // Before release(), which leaves nothing to ask.
  T* const first = kept->data();
  nb::capsule const owner(
      kept.release(), [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
  std::array<std::size_t, 3> const shape{static_cast<std::size_t>(size.z),
                                         static_cast<std::size_t>(size.y),
                                         static_cast<std::size_t>(size.x)};
  return nb::cast(
      nb::ndarray<nb::numpy, T, nb::ndim<3>, nb::c_contig>(first, 3, shape.data(), owner));
}

grid::Point size_of(Values const& values) {
  return {static_cast<std::int64_t>(values.shape(2)), static_cast<std::int64_t>(values.shape(1)),
          static_cast<std::int64_t>(values.shape(0))};
}

nb::list voxels_of(std::vector<calcium::IonChannel> const& channels) {
  nb::list voxels;
  for (calcium::IonChannel const& channel : channels) voxels.append(tuple_of(channel.voxel));
  return voxels;
}

constexpr std::array<std::string_view, calcium::field_count> field_names{"ca", "ca_atp", "ca_cmdn",
                                                                         "ca_trpn", "ca_fluo"};
constexpr std::array<std::string_view, calcium::region_count> region_names{
    "cytosol", "near_cytosol", "cleft", "t_tubule", "jsr"};

// The unit while just these release channels are open. Other channels and currents keep the times
// that the settings give them.
calcium::CalciumSettings with_open_ryr(calcium::CalciumSettings unit,
                                       std::vector<int> const& channels) {
  std::erase_if(unit.openings, [](calcium::Opening const& opening) {
    return opening.kind == calcium::ChannelKind::ryr;
  });
  // Longer than any run, and few enough steps for calcium::check(), which counts them in 64 bits.
  double const for_ever_ms = std::min(1e12, 0x1p61 * unit.time_step);
  for (int const channel : channels) {
    unit.openings.push_back(
        {.kind = calcium::ChannelKind::ryr, .channel = channel, .close_ms = for_ever_ms});
  }
  return unit;
}

// Channels that open by chance may all be open at once: such a run ends here, or never for its time
// step.
void check_gated(nb::dict const& given, calcium::CalciumSettings const& unit) {
  calcium::check(unit);
  bool const is_gated = given.contains("gating_ms") && nb::cast<double>(given["gating_ms"]) > 0;
  if (!is_gated) return;
  std::vector<int> all(calcium::ryr_channels(unit.geometry, unit.voxels).size());
  std::iota(all.begin(), all.end(), 0);
  calcium::check(with_open_ryr(unit, all));
}

// What is known before a step is made.
nb::dict calcium_unit(nb::dict const& given) {
  calcium::CalciumModelSettings const settings = calcium_from(given);
  calcium::CalciumSettings const& unit = settings.unit;
  check_gated(given, unit);
  nb::dict out;
  nb::list fields;
  for (std::string_view const name : field_names) fields.append(nb::cast(std::string(name)));
  nb::list regions;
  for (std::string_view const name : region_names) regions.append(nb::cast(std::string(name)));
  out["fields"] = fields;
  out["regions"] = regions;
  out["rest"] = nb::cast(calcium::cytosol_at_rest(unit.species));
  out["sr_rest"] = unit.species.sr_ca_rest;
  out["network_sr_ca"] = unit.species.network_sr_ca;
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
  // x runs fastest: the array is (z, y, x) in C's order.
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

// Throws what a handler of Python's signals has raised, as Ctrl-C has.
bool throw_if_signalled() {
  return with_gil([] { return PyErr_CheckSignals() != 0 ? throw nb::python_error() : false; });
}

// Compiles what a run of these will need.
nb::dict equation_kernel(nb::dict const& given) {
  equations::EquationSettings settings = equations_from(given);
  settings.is_stopped = throw_if_signalled;
  std::string kernel;
  std::string compiler;
  int halo = 0;
  {
    ReleasedGil const released;
    equations::EquationModel const model(settings);
    kernel = model.kernel();
    halo = static_cast<int>(model.stencil().shape().halo.width);
    if (kernel == "compiled") compiler = grid::find_compiler().string();
  }
  nb::dict out;
  out["kernel"] = kernel;
  out["compiler"] = compiler;
  out["halo"] = halo;
  return out;
}

// A variable that names no program is told in place of a path.
nb::dict compilers() {
  nb::dict out;
  auto const note = [&](char const* kind, auto const& find) {
    nb::dict found;
    try {
      found["path"] = find().string();
    } catch (makespan::InputError const& error) {
      found["trouble"] = error.what();
    }
    out[kind] = found;
  };
  note("cpu", [] { return grid::find_compiler(); });
  note("gpu", [] { return grid::find_gpu_compiler(); });
  return out;
}

nb::tuple calcium_network_gain(nb::dict const& given, double network_sr_ca, Triple const& begin,
                               Values const& ca) {
  calcium::CalciumSettings const unit = calcium_from(given).unit;
  calcium::check(unit);
  grid::Point const first = point_from(begin);
  grid::Box const box{first, first + size_of(ca)};
  calcium::NetworkSrGain gain;
  {
    ReleasedGil const released;
    gain = calcium::network_sr_gain(unit, network_sr_ca, box, {ca.data(), ca.size()});
  }
  return nb::make_tuple(gain.rate, gain.cytosol_voxels);
}

nb::object gather(grid::GridTeam& team, int field, Triple const& begin, Triple const& end) {
  grid::Box const box = box_from(begin, end);
  std::vector<double> values;
  {
    ReleasedGil const released;
    values = team.gather(field, box);
  }
  return array_of(std::move(values), box.extent());
}

void scatter(grid::GridTeam& team, int field, Triple const& begin, Values const& values) {
  grid::Point const first = point_from(begin);
  grid::Point const size = size_of(values);
  ReleasedGil const released;
  team.scatter(field, {first, first + size}, {values.data(), values.size()});
}

nb::object find_bad_value(grid::GridTeam& team) {
  std::optional<grid::BadValue> bad;
  {
    ReleasedGil const released;
    bad = team.find_bad_value();
  }
  if (!bad) return nb::none();
  return nb::make_tuple(bad->field, tuple_of(bad->at), bad->value);
}

nb::object summary(grid::GridTeam& team, int field, Triple const& begin, Triple const& end) {
  grid::Box const box = box_from(begin, end);
  grid::FieldSummary found;
  {
    ReleasedGil const released;
    found = team.summary(field, box);
  }
  nb::list limbs;
  for (std::int64_t const limb : found.sum.limbs) limbs.append(limb);
  return nb::make_tuple(found.least, found.most, found.scale, nb::tuple(limbs));
}

nb::object digests(grid::GridTeam& team) {
  std::vector<makespan::Digest> found;
  {
    ReleasedGil const released;
    found = team.digests();
  }
  return digest_words(found);
}

nb::list phases_of(std::vector<grid::PhaseSpan> const& spans) {
  nb::list phases;
  for (grid::PhaseSpan const& span : spans) {
    phases.append(nb::make_tuple(grid::name_of(span.phase), span.step, span.begin.value(),
                                 span.end.value(), span.points));
  }
  return phases;
}

nb::dict report(grid::GridTeam& team) {
  grid::TeamReport report;
  {
    ReleasedGil const released;
    report = team.report();
  }
  nb::list devices;
  for (grid::DeviceReport const& device : report.devices) {
    nb::dict row;
    row["image"] = device.image;
    row["device"] = device.device;
    row["planes"] = device.planes;
    row["points"] = device.points;
    row["busy_s"] = device.times.busy.value();
    row["boundary_s"] = device.times.boundary.value();
    row["interior_s"] = device.times.interior.value();
    row["pack_s"] = device.times.pack.value();
    row["send_s"] = device.times.send.value();
    row["wait_s"] = device.times.wait.value();
    row["unpack_s"] = device.times.unpack.value();
    row["messages"] = device.halos.messages;
    row["bytes"] = device.halos.bytes;
    row["hidden"] = device.halos.hidden;
    row["phases"] = phases_of(device.phases);
    devices.append(row);
  }
  nb::dict out;
  out["devices"] = devices;
  out["rebalances"] = report.rebalances;
  out["planes_moved"] = report.planes_moved;
  return out;
}

void make(grid::GridTeam* team, std::vector<int> cores) {
  ReleasedGil const released;
  new (team) grid::GridTeam(std::move(cores), {calcium::calcium_kind(), diffusion::diffusion_kind(),
                                               equations::equation_kind()});
}

// Release channels that are open from now on, and whatever else the settings let in.
void open_channels(grid::GridTeam& team, nb::dict const& given, std::vector<int> const& channels) {
  calcium::CalciumSettings const unit = with_open_ryr(calcium_from(given).unit, channels);
  ReleasedGil const released;
  calcium::check(unit);
  team.heed(calcium::word_of(calcium::sources_of(unit)));
}

void open(grid::GridTeam& team, grid::ModelOrder const& order, nb::dict const& given) {
  // Dictionaries are Python's, and read with the GIL; only then is it given up.
  grid::TeamOptions const options = options_from(given);
  ReleasedGil const released;
  team.open(order, options);
}

using namespace nb::literals;
using Released = nb::call_guard<ReleasedGil>;
using TeamClass = nb::class_<grid::GridTeam>;

// What is asked of settings, without a team.
void bind_models(nb::module_& module) {
  module.def("calcium_unit", &calcium_unit, "settings"_a,
             "Checks settings (ValueError): names of fields and regions, rest, channels' voxels.");
  module.def("calcium_regions", &calcium_regions, "settings"_a, "begin"_a, "end"_a,
             "The region of each voxel of a box, (z, y, x).");
  module.def("equation_kernel", &equation_kernel, "settings"_a,
             "Checks a program, and compiles it if it can be: kernel, compiler, halo.");
  module.def("compilers", &compilers,
             "Of updates: of a C++ compiler (`cpu`) and of CUDA's (`gpu`) the `path`, empty where "
             "there is none, or what the `trouble` is.");
  module.def("calcium_network_gain", &calcium_network_gain, "settings"_a, "network_sr_ca"_a,
             "begin"_a, "ca"_a,
             "(uM/ms over all voxels, voxels of cytosol): what the network SR gains from the box "
             "at `begin` with free calcium `ca`, (z, y, x).");
}

void bind_opening(TeamClass& bound) {
  bound
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
      .def(
          "open_equations",
          [](grid::GridTeam& team, nb::dict const& settings, nb::dict const& options) {
            open(team, equations::order_of(equations_from(settings)), options);
          },
          "settings"_a, "options"_a, "Makes the grid of a program; its values are 0.");
}

// What is done with a grid that is open.
void bind_running(TeamClass& bound) {
  bound
      .def("open_channels", &open_channels, "settings"_a, "channels"_a,
           "These release channels are open from now on, and no others.")
      .def(
          "set_network_sr",
          [](grid::GridTeam& team, double ca) { team.heed(calcium::word_of_network_sr(ca)); },
          "ca"_a, Released(), "Calcium of the network SR from now on [uM].")
      .def("start", &grid::GridTeam::start, Released(), "To what the model begins with.")
      .def("run", &grid::GridTeam::run, "steps"_a, "later"_a = 0, Released(),
           "`later` steps will be asked for afterwards.")
      .def("gather", &gather, "field"_a, "begin"_a, "end"_a,
           "A field's values in a box, (z, y, x).")
      .def("scatter", &scatter, "field"_a, "begin"_a, "values"_a,
           "Sets a field in the box from `begin` on to values of (z, y, x).")
      .def("find_bad_value", &find_bad_value,
           "(field, (x, y, z), value) of the first that is not finite; None where all are.")
      .def("summary", &summary, "field"_a, "begin"_a, "end"_a,
           "(least, most, scale, limbs) of a field in a box: its values add up to the limbs, of "
           "which one is 2^27 of the next and the last 2^-80, times 2^-scale.")
      .def("digests", &digests,
           "Two words for each plane of each field, by field, then z: of all bits of its values.")
      .def("report", &report, "Where the time of each device went.")
      .def("set_step", &grid::GridTeam::set_step, "step"_a, Released(), "Steps made before.")
      .def("serve", &grid::GridTeam::serve, Released(), "On the others: until image 0 finishes.")
      .def("finish", &grid::GridTeam::finish_all, Released(), "Collective: the end of the job.");
}

}  // namespace

void bind_grid(nb::module_& module) {
  bind_models(module);
  TeamClass team(module, "GridTeam",
                 "Collective: cores of all images of a job, for grids. But for serve "
                 "and finish, all is for image 0; all blocks, without the GIL.");
  team.def("__init__", &make, "cores"_a)
      .def_prop_ro("image", &grid::GridTeam::image)
      .def_prop_ro("images", &grid::GridTeam::images)
      .def_prop_ro("threads", &grid::GridTeam::threads, "Of this image.")
      .def_prop_ro("step", &grid::GridTeam::step, "Steps made.");
  bind_opening(team);
  bind_running(team);
}

}  // namespace bindings

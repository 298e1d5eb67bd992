// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/calcium_unit.hpp"

#include <algorithm>
#include <utility>

#include "makespan/apps/calcium/detail/sweep_rows.hpp"
#include "makespan/apps/calcium/network_sr.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/grid/field/cache_sizes.hpp"

namespace makespan::calcium {

namespace {

bool is_cytosol(Region region) {
  return region == Region::cytosol || region == Region::near_cytosol || region == Region::cleft;
}

Reaction reaction_of(Region region, CalciumSettings const& settings) {
  Species const& species = settings.species;
  double const step = settings.time_step;
  Reaction reaction;
  auto const react = [&](Field field, Buffer const& buffer) {
    auto const b = static_cast<std::size_t>(field) - static_cast<std::size_t>(Field::ca_atp);
    reaction.on[b] = buffer.k_on * step;
    reaction.on_total[b] = buffer.k_on * step * buffer.total;
    reaction.off[b] = buffer.k_off * step;
  };
  if (is_cytosol(region)) {
    react(Field::ca_atp, species.atp);
    react(Field::ca_cmdn, species.cmdn);
    if (region == Region::cytosol) react(Field::ca_trpn, species.trpn);
    react(Field::ca_fluo, species.fluo);
  } else if (region == Region::jsr) {
    react(Field::ca_fluo, species.csqn);
    // Calsequestrin is in the dye's field there (species.hpp).
    reaction.refill = species.refill_rate * step;
    reaction.refill_to = species.network_sr_ca;
  }
  return reaction;
}

// Of mobile fields.
std::array<double, mobile_count> diffusions(Species const& species, Region region) {
  if (is_cytosol(region)) {
    return {species.ca_diffusion, species.atp.diffusion, species.cmdn.diffusion,
            species.fluo.diffusion};
  }
  if (region == Region::jsr) return {species.sr_ca_diffusion, 0, 0, species.csqn.diffusion};
  return {};
}

void add_pumps(CalciumSettings const& settings, double network_sr_ca, Factors& factors) {
  double const step = settings.time_step;
  Pumps const& pumps = settings.pumps;
  Uptake uptake = uptake_beside(settings, network_sr_ca);
  // What these are divided by, `all4` and the like, has no unit of time.
  for (double* const rate : {&uptake.forth4, &uptake.forth2, &uptake.back, &uptake.leak}) {
    *rate *= step;
  }
  factors.membrane = flux_through(settings);
  MembraneFlux& flux = factors.membrane;
  // What comes through a face is spread over a voxel: a side squared over a side cubed.
  for (double* const rate : {&flux.pump, &flux.in, &flux.out, &flux.leak}) {
    *rate *= step / settings.voxels.spacing;
  }
  bool const has_membrane = pumps.membrane_pump || pumps.exchanger;
  factors.has_pumps = pumps.serca || has_membrane;
  for (std::size_t a = 0; a < region_count; ++a) {
    auto const region = static_cast<Region>(a);
    // SERCA is where troponin is: Walker et al.'s mesh.
    if (region == Region::cytosol) {
      factors.pumpings[a] = {.uptake = uptake, .has_uptake = pumps.serca};
    }
    factors.pumpings[a].has_membrane = has_membrane && is_cytosol(region);
  }
}

Kernels const& checked_kernels(CalciumSettings const& settings, CalciumOptions const& options) {
  // Before any member is made of the settings.
  check(settings);
  return Kernels::named(options.isa);
}

CalciumOptions completed(CalciumOptions options) {
  if (options.core_cache <= 0) options.core_cache = grid::cache_sizes().core;
  if (options.shared_cache <= 0) options.shared_cache = grid::cache_sizes().shared;
  return options;
}

// Rows of a tile: three planes of the fields that spread must fit.
std::int64_t tile_rows_in(std::int64_t cache, grid::FieldView const& view) {
  std::int64_t const row = view.row_pitch * 8 * mobile_count;
  return std::max<std::int64_t>(8, cache / (3 * row));
}

}  // namespace

Factors factors_of(CalciumSettings const& settings) {
  double const per_diffusion =
      settings.time_step / (settings.voxels.spacing * settings.voxels.spacing);
  Factors factors;
  add_pumps(settings, settings.species.network_sr_ca, factors);
  for (std::size_t a = 0; a < region_count; ++a) {
    auto const region = static_cast<Region>(a);
    factors.reactions[a] = reaction_of(region, settings);
    auto const constants = diffusions(settings.species, region);
    for (std::size_t field = 0; field < mobile_count; ++field) {
      factors.lambda[a][field] = constants[field] * per_diffusion;
    }
    for (std::size_t b = 0; b < region_count; ++b) {
      // From the SR calcium comes by channels alone, through the tubule's membrane by channels and
      // pumps: these are terms of their own.
      factors.passes[a][b] = a == b || (is_cytosol(region) && is_cytosol(static_cast<Region>(b)));
    }
  }
  return factors;
}

CalciumUnit::CalciumUnit(CalciumSettings const& settings, CalciumOptions const& options)
    : kernels_{checked_kernels(settings, options)},
      settings_{settings},
      map_{voxel_map_of(settings.geometry, settings.voxels)},
      factors_{factors_of(settings)},
      sources_{sources_of(settings)},
      options_{completed(options)} {
}

CalciumUnit::CalciumUnit(CalciumSettings const& settings, VoxelMap map,
                         CalciumOptions const& options)
    : kernels_{checked_kernels(settings, options)},
      settings_{settings},
      map_{std::move(map)},
      factors_{factors_of(settings)},
      sources_{sources_of(settings)},
      options_{completed(options)} {
  MAKESPAN_EXPECT(map_.points() == settings.voxels.points);
}

void CalciumUnit::set_network_sr(double ca) {
  factors_.reactions[static_cast<std::size_t>(Region::jsr)].refill_to = ca;
  add_pumps(settings_, ca, factors_);
  // GPUs keep a copy of the factors beside that of the sources, and make both anew by this number.
  ++sources_set_;
}

grid::StencilShape CalciumUnit::shape() const {
  using grid::FieldRole;
  return {.fields = {FieldRole::spreads, FieldRole::spreads, FieldRole::spreads, FieldRole::stays,
                     FieldRole::spreads},
          .halo = {.width = 1}};
}

void CalciumUnit::sweep(grid::Sweep const& sweep) const {
  MAKESPAN_EXPECT(sweep.steps == 1);
  MAKESPAN_EXPECT(sweep.now.size() == field_count);
  MAKESPAN_EXPECT(sweep.next.size() == field_count);
  if (sweep.box.is_empty()) return;
  grid::FieldView const& view = sweep.now.front();
  // Fields that spread are read from one array and written to another, troponin's where it lies.
  std::int64_t const arrays = 2 * mobile_count + 1;
  std::int64_t const bytes = arrays * view.plane_pitch * view.box.extent().z * 8;
  SweepJob const job{
      .kernels = &kernels_,
      .factors = &factors_,
      .map = &map_,
      .sources = &sources_,
      .finding = options_.finding,
      .tile_rows = tile_rows_in(options_.core_cache, view),
      .storing = bytes > options_.shared_cache ? Storing::past_caches : Storing::in_cache};
  if (options_.passes == Passes::fused) {
    step_in_one_pass(job, sweep);
  } else {
    step_in_two_passes(job, sweep);
  }
}

std::array<double, field_count> CalciumUnit::start_of(Region region) const {
  std::array<double, field_count> values{};
  constexpr auto trpn = static_cast<std::size_t>(Field::ca_trpn);
  constexpr auto fluo = static_cast<std::size_t>(Field::ca_fluo);
  if (is_cytosol(region)) {
    values = cytosol_at_rest(settings_.species);
    if (region != Region::cytosol) values[trpn] = 0;
  } else if (region == Region::jsr) {
    values[0] = settings_.species.sr_ca_rest;
    values[fluo] = bound_at_rest(settings_.species.csqn, settings_.species.sr_ca_rest);
  } else {
    values[0] = settings_.species.t_tubule_ca;
  }
  return values;
}

void CalciumUnit::start(grid::Box const& box, std::span<grid::FieldView const> fields) const {
  MAKESPAN_EXPECT(fields.size() == field_count);
  grid::Point const first = fields.front().box.begin;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
      std::uint32_t const row = map_.row_number(y, z);
      std::int64_t x = box.begin.x;
      for (RegionRun const& run : map_.runs(row)) {
        std::int64_t const end = std::min(run.end, box.end.x);
        if (end <= x) continue;
        auto const values = start_of(run.region);
        for (std::size_t field = 0; field < field_count; ++field) {
          double* const out = fields[field].at(y - first.y, z - first.z);
          std::fill(out + (x - first.x), out + (end - first.x), values[field]);
        }
        x = end;
      }
    }
  }
}

}  // namespace makespan::calcium

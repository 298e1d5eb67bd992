// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::calcium {

namespace {

// Up to what rounding may have added.
constexpr double whole_step = 1 + 4e-16;

double volume_of(CalciumSettings const& settings) {
  double const side = settings.voxels.spacing;
  return side * side * side;
}

std::int64_t step_at(CalciumSettings const& settings, double time_ms) {
  return std::llround(time_ms / settings.time_step);
}

void check_time_span(std::string const& what, double open_ms, double close_ms, double time_step) {
  // So that steps, rounded, are counted by 64 bits.
  double const steps_max = 0x1p62;
  if (open_ms >= 0 && close_ms >= open_ms && close_ms / time_step < steps_max) return;
  throw InputError(
      what + " is open from " + short_text(open_ms) + " to " + short_text(close_ms) + " ms",
      "times are counted from the beginning of the run, and go on", "give 0 to 10, say");
}

std::string name_of(Opening const& opening) {
  return (opening.kind == ChannelKind::ryr ? "RyR " : "LCC ") + std::to_string(opening.channel);
}

void check_openings(CalciumSettings const& settings) {
  bool const is_plain = settings.geometry.layout == Layout::plain;
  int const side = settings.geometry.ryr_per_side;
  for (Opening const& opening : settings.openings) {
    bool const is_ryr = opening.kind == ChannelKind::ryr;
    int const channels = is_plain ? 0 : is_ryr ? side * side : settings.geometry.lcc_count;
    std::string const name = name_of(opening);
    if (opening.channel < 0 || opening.channel >= channels) {
      throw InputError(name + " opens", "there are " + std::to_string(channels),
                       channels > 0 ? "count them from 0" : "open none in this geometry");
    }
    check_time_span(name, opening.open_ms, opening.close_ms, settings.time_step);
  }
  for (PointCurrent const& current : settings.currents) {
    grid::Point const at = current.voxel;
    std::string const name = "the current at (" + std::to_string(at.x) + ", " +
                             std::to_string(at.y) + ", " + std::to_string(at.z) + ")";
    if (!grid::Box{{}, settings.voxels.points}.holds(at)) {
      throw InputError(name, "it is outside of the grid", "count voxels from 0");
    }
    if (region_at(settings.geometry, settings.voxels, at) == Region::t_tubule) {
      throw InputError(name, "it is in the T-tubule, whose calcium is kept",
                       "choose a voxel of the cell");
    }
    if (!std::isfinite(current.current_pa)) {
      throw InputError(name + " of " + short_text(current.current_pa) + " pA", "it is finite",
                       "give a few pA");
    }
    check_time_span(name, current.open_ms, current.close_ms, settings.time_step);
  }
}

// A channel that is open twice at once would carry twice its current.
void check_apart(CalciumSettings const& settings) {
  auto const key = [](Opening const& one) {
    return std::tuple{one.kind, one.channel, one.open_ms};
  };
  std::vector<Opening> all = settings.openings;
  std::erase_if(all, [](Opening const& one) { return one.open_ms == one.close_ms; });
  std::ranges::sort(all, {}, key);
  for (std::size_t at = 0; at < all.size(); ++at) {
    Opening const& one = all[at];
    std::int64_t const end = step_at(settings, one.close_ms);
    if (step_at(settings, one.open_ms) == end) {
      throw InputError(name_of(one) + " is open from " + short_text(one.open_ms) + " to " +
                           short_text(one.close_ms) + " ms",
                       "no step lies between", "give it longer, or a shorter time_step");
    }
    if (at + 1 == all.size()) return;
    Opening const& next = all[at + 1];
    bool const is_same = next.kind == one.kind && next.channel == one.channel;
    if (is_same && step_at(settings, next.open_ms) < end) {
      throw InputError(name_of(one) + " opens at " + short_text(next.open_ms) + " ms",
                       "it is open then, from " + short_text(one.open_ms) + " to " +
                           short_text(one.close_ms) + " ms",
                       "give one interval for both");
    }
  }
}

bool has_sr(CalciumSettings const& settings) {
  return settings.geometry.layout == Layout::release_unit;
}

[[noreturn]] void refuse_time_step(double time_step, double rate, std::string const& why) {
  double const limit = 1 / rate;
  throw InputError("time_step = " + short_text(time_step) + " ms",
                   why + " is stable up to " + short_text(limit) + " ms",
                   "take that, or less; or a larger spacing");
}

// Of what moves fastest [1/ms].
double diffusion_rate(CalciumSettings const& settings) {
  Species const& species = settings.species;
  double fastest = std::max({species.ca_diffusion, species.atp.diffusion, species.cmdn.diffusion,
                             species.fluo.diffusion});
  if (has_sr(settings)) {
    fastest = std::max({fastest, species.sr_ca_diffusion, species.csqn.diffusion});
  }
  return 6 * fastest / (settings.voxels.spacing * settings.voxels.spacing);
}

// Of calcium's diffusion and of the open channels of one voxel.
double channel_rate(CalciumSettings const& settings) {
  double const diffusion =
      std::max(settings.species.ca_diffusion, settings.species.sr_ca_diffusion);
  return 6 * diffusion / (settings.voxels.spacing * settings.voxels.spacing) +
         exchange_max(sources_of(settings)) / settings.time_step;
}

// What calcium loses to free buffers of all there are, and how fast a buffer comes to rest where
// there is most calcium.
double reaction_rate(Species const& species, bool is_with_sr) {
  double const ca_max = std::max(species.sr_ca_rest, species.network_sr_ca);
  double binding = 0;
  double rate = 0;
  for (Buffer const& buffer : {species.atp, species.cmdn, species.trpn, species.fluo}) {
    binding += buffer.k_on * buffer.total;
    if (buffer.total > 0) rate = std::max(rate, buffer.k_on * ca_max + buffer.k_off);
  }
  rate = std::max(rate, binding);
  if (!is_with_sr) return rate;
  Buffer const& csqn = species.csqn;
  return std::max(
      {rate, csqn.k_on * csqn.total, csqn.k_on * ca_max + csqn.k_off, species.refill_rate});
}

bool has_membrane(Pumps const& pumps) {
  return pumps.membrane_pump || pumps.exchanger;
}

// Of free calcium that SERCA takes, and the membrane around a voxel.
double pump_rate(CalciumSettings const& settings) {
  Uptake const uptake = uptake_in(settings);
  double taken = fastest(uptake);
  if (settings.pumps.serca && settings.pumps.network_sr) {
    // It is fastest against nothing.
    taken = std::max(taken, fastest(uptake_of(settings.species.serca, 0)) + uptake.leak);
  }
  // A voxel may have membrane on all its sides.
  return taken + grid::face_count * fastest(flux_through(settings)) / settings.voxels.spacing;
}

void check_pumps(CalciumSettings const& settings) {
  if (!has_membrane(settings.pumps) || has_sr(settings)) return;
  throw InputError(settings.pumps.exchanger ? "exchanger" : "membrane_pump",
                   "in this layout there is no T-tubule in whose membrane it could be",
                   "switch it off, or take the release unit's layout");
}

void check_time_step(CalciumSettings const& settings) {
  double const step = settings.time_step;
  if (!(step > 0) || !std::isfinite(step)) {
    throw InputError("time_step = " + short_text(step) + " ms", "it is a finite time above 0",
                     "0.000015 is usual at a spacing of 0.005 µm");
  }
  double const diffusion = diffusion_rate(settings);
  if (step * diffusion > whole_step) {
    refuse_time_step(step, diffusion, "diffusion, h²/(6 D),");
  }
  double const pumps = pump_rate(settings);
  if (step * pumps > whole_step) refuse_time_step(step, pumps, "pumping");
  double const reaction = reaction_rate(settings.species, has_sr(settings));
  if (step * reaction > whole_step) refuse_time_step(step, reaction, "binding to buffers");
}

}  // namespace

Uptake uptake_in(CalciumSettings const& settings) {
  Species const& species = settings.species;
  if (!settings.pumps.serca) return {};
  Uptake const uptake = uptake_of(species.serca, species.network_sr_ca);
  if (!settings.pumps.leaks) return uptake;
  return at_rest(uptake, species.ca_rest, species.network_sr_ca);
}

MembraneFlux flux_through(CalciumSettings const& settings) {
  Species const& species = settings.species;
  if (!has_membrane(settings.pumps)) return {};
  MembraneFlux flux = membrane_flux(species.membrane, settings.pumps, species.t_tubule_ca);
  if (settings.pumps.leaks) flux = at_rest(flux, species.ca_rest);
  double const share = tubule_area_share(settings.geometry, settings.voxels);
  flux.in *= share;
  flux.out *= share;
  flux.pump *= share;
  flux.leak *= share;
  return flux;
}

std::vector<Source> sources_of(CalciumSettings const& settings) {
  double const per_voxel = settings.time_step / volume_of(settings);
  auto const ryr = ryr_channels(settings.geometry, settings.voxels);
  auto const lcc = lcc_channels(settings.geometry, settings.voxels);
  std::vector<Source> sources;
  for (Opening const& opening : settings.openings) {
    bool const is_ryr = opening.kind == ChannelKind::ryr;
    IonChannel const& channel = (is_ryr ? ryr : lcc)[static_cast<std::size_t>(opening.channel)];
    Source const source{.voxel = channel.voxel,
                        .face = channel.face,
                        .exchange = is_ryr ? settings.ryr_conductance * per_voxel : 0,
                        .amount = is_ryr ? 0 : settings.lcc_current_pa * amount_per_pa * per_voxel,
                        .step_begin = step_at(settings, opening.open_ms),
                        .step_end = step_at(settings, opening.close_ms)};
    // The SR's voxel loses what a RyR brings; the tubule, from which an LCC takes, is kept.
    if (is_ryr) {
      for (Source const& side : both_sides(source)) sources.push_back(side);
    } else {
      sources.push_back(source);
    }
  }
  for (PointCurrent const& current : settings.currents) {
    sources.push_back({.voxel = current.voxel,
                       .amount = current.current_pa * amount_per_pa * per_voxel,
                       .step_begin = step_at(settings, current.open_ms),
                       .step_end = step_at(settings, current.close_ms)});
  }
  return sources;
}

void check(CalciumSettings const& settings) {
  check(settings.geometry, settings.voxels);
  check(settings.species);
  check_number("ryr_conductance", settings.ryr_conductance, "0.0007752 µm³/ms is usual");
  check_number("lcc_current_pa", settings.lcc_current_pa, "0.1 is usual");
  check_pumps(settings);
  check_time_step(settings);
  check_openings(settings);
  check_apart(settings);
  // Last: it lays out sources, which have to be in the grid and of channels that there are.
  double const channels = channel_rate(settings);
  if (settings.time_step * channels > whole_step) {
    refuse_time_step(settings.time_step, channels, "diffusion beside open channels");
  }
}

}  // namespace makespan::calcium

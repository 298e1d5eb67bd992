// SPDX-License-Identifier: Apache-2.0
#pragma once

// What diffuses and reacts around a calcium release unit: calcium, and what binds it.
//
// Units: lengths in µm, times in ms, concentrations in µM. Each buffer B of a total T that is the
// same everywhere binds one calcium ion, Ca + B ⇌ CaB, so that only CaB is stored; free B is
// T - CaB. This needs CaB to diffuse as B does.

#include <array>
#include <cstdint>
#include <string_view>

#include "makespan/apps/calcium/pumps.hpp"

namespace makespan::calcium {

// The arrays of a voxel, in their order. In the sarcoplasmic reticulum (SR) there are no buffers of
// the cytosol: there `fluo` holds calsequestrin with calcium, and those between are 0.
enum class Field : std::uint8_t { ca, ca_atp, ca_cmdn, ca_trpn, ca_fluo };
inline constexpr int field_count = 5;
// Buffers by their fields: Field::ca_atp is buffer 0.
inline constexpr int buffer_count = 4;

// Throws InputError, which names the number and gives the advice, unless it is finite and at least
// 0.
void check_number(std::string_view name, double value, std::string_view advice);

struct Buffer {
  double total{};      // free and bound [µM]; at least 0
  double diffusion{};  // [µm²/ms]; at least 0
  double k_on{};       // [1/(µM·ms)]; at least 0
  double k_off{};      // [1/ms]; at least 0
};

// Defaults: Hake et al., J. Physiol. 590 (2012) 4403, as SMART's example of a calcium release unit
// has them (RangamaniLabUCSD/smart; PMC3477749); the dye is that of Walker et al. 2014, at half its
// concentration.
struct Species {
  double ca_diffusion = 0.220;  // in the cytosol [µm²/ms]
  double ca_rest = 0.14;        // in the cytosol, at rest [µM]
  Buffer atp{.total = 455, .diffusion = 0.140, .k_on = 0.225, .k_off = 45};
  Buffer cmdn{.total = 24, .diffusion = 0.025, .k_on = 0.034, .k_off = 0.238};  // calmodulin
  // Troponin, which does not move: its diffusion must be 0.
  Buffer trpn{.total = 70, .diffusion = 0, .k_on = 0.0327, .k_off = 0.0196};
  Buffer fluo{.total = 25, .diffusion = 0.042, .k_on = 0.100, .k_off = 0.110};  // the dye
  double sr_ca_diffusion = 0.220;
  double sr_ca_rest = 1300;
  Buffer csqn{.total = 6390, .diffusion = 0.025, .k_on = 0.102, .k_off = 65};  // calsequestrin
  double t_tubule_ca = 1800;    // kept; what the exchanger works against
  double refill_rate = 0.095;   // of the junctional SR from the network SR [1/ms]; Walker 2014
  double network_sr_ca = 1300;  // kept
  Serca serca = hake_serca();
  Membrane membrane{};  // of the T-tubule, in all sets
};

// Hake's; Walker et al., Biophys. J. 107 (2014) 3009 (code mwalker174/srs); and the cytosol of
// Smith et al., Biophys. J. 75 (1998) 15, with Hake's SR.
[[nodiscard]] Species hake_species();
[[nodiscard]] Species walker_species();
[[nodiscard]] Species smith_species();

// Throws InputError for the first number that cannot be worked with.
// Tested by tests/apps/calcium/species_test.cpp.
void check(Species const& species);

// Bound [µM] where nothing changes, at free calcium `ca` [µM].
[[nodiscard]] double bound_at_rest(Buffer const& buffer, double ca);

// By field: the cytosol at rest.
[[nodiscard]] std::array<double, field_count> cytosol_at_rest(Species const& species);

}  // namespace makespan::calcium

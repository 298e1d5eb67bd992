// SPDX-License-Identifier: Apache-2.0
#pragma once

// What takes calcium out of the cytosol again, and how fast: SERCA, which pumps it into the network
// SR, and the pump and the exchanger of the T-tubule's membrane, with the leaks that balance them.
//
// Units: µm, ms, µM. Where each number comes from:
//
// - S: RangamaniLabUCSD/smart-comp-sci at 7a65944, cru-example/cru.ipynb, by line: Hake et al., J.
//   Physiol. 590 (2012) 4403, as SMART has it;
// - W: mwalker174/srs at 3726f82, cpu/RunSimulation.cpp and param/DefaultSpark.xml: Walker et al.,
//   Biophys. J. 107 (2014) 3009;
// - R: drgrandilab/Shannon-Bers-Rabbit-Ventricular-Model at 0d3a762, rabbit.m: Shannon et al.,
//   Biophys. J. 87 (2004) 3351.
//
// We deviate from S where it differs from what its own sources say: there the membrane's pump slows
// down as calcium rises (line 323), and the exchanger's saturation multiplies (line 312) where it
// divides (R 544). So we take R's forms with S's constants; then the leak that balances both at
// rest is 0.78 of the conductance that S names (326), where S has to take 7.2 times it (327).
//
// Tested by tests/apps/calcium/pumps_test.cpp.

#include <cstdint>

namespace makespan::calcium {

// What is switched on.
struct Pumps {
  bool serca{};
  bool membrane_pump{};
  bool exchanger{};
  bool leaks{true};   // as much as what is on takes at rest
  bool network_sr{};  // its calcium changes: network_sr.hpp

  friend bool operator==(Pumps const&, Pumps const&) = default;
};

// SERCA by cycles of two ions (Tran et al., Biophys. J. 96 (2009) 2029). With k = c², s of the
// network SR squared, there are so many cycles in a ms:
// ((forth4 k + forth2 + forth2_sr s) k - back_sr s) /
// (((all4 + all4_sr s) k + all2 + all2_sr s) k + all0 + all0_sr s).
struct Serca {
  double total{};  // pumps in the cytosol [µM]
  double forth4{};
  double forth2{};
  double forth2_sr{};
  double back_sr{};
  double all4{};
  double all4_sr{};
  double all2{};
  double all2_sr{};
  double all0{};
  double all0_sr{};
};

// Of two states, at 22 °C and pH 7: S 237-281. Its flux through the SR's membrane is that of
// S_SERCA · rho_SERCA pumps, 112.5 µM, times the cytosol's volume over that area (SR_VtoA).
[[nodiscard]] Serca hake_serca();
// Of three states, of 150 µM: W RunSimulation.cpp 82-89 and A_P, K_D_I, K_D_SR.
[[nodiscard]] Serca walker_serca();

// The T-tubule's membrane. Currents are of a capacitance.
struct Membrane {
  double voltage = -82;             // [mV]; S 284
  double temperature = 295.15;      // [K]; S 241
  double capacitance = 1;           // [µF/cm²]; S 283
  double pump_max = 0.096;          // [pA/pF]; S 316
  double pump_half = 0.289;         // [µM]; S 320; twice the ions with c²: S 323
  double exchanger_max = 3.94;      // [pA/pF]; S 288
  double sodium_in = 14.2e3;        // [µM]; S 292
  double sodium_out = 140e3;        // S 293
  double saturation = 0.27;         // S 296, R 200
  double barrier = 0.35;            // where the voltage acts; S 294, R 201
  double calcium_half = 3.6;        // of the cytosol [µM]; S 300
  double calcium_out_half = 1400;   // S 297
  double sodium_half = 12e3;        // of the cytosol; S 299
  double sodium_out_half = 87.5e3;  // S 298, R 199
};

// What SERCA takes in a ms of the cytosol beside a network SR of one concentration [µM/ms]:
// ((forth4 k + forth2) k - back) / ((all4 k + all2) k + all0); and what leaks from there:
// leak (leak_from - c).
struct Uptake {
  double forth4{};
  double forth2{};
  double back{};
  double all4{};
  double all2{};
  double all0{1};
  double leak{};
  double leak_from{};
};
[[nodiscard]] Uptake uptake_of(Serca const& serca, double network_sr_ca);
// Of what SERCA takes, without the leak.
[[nodiscard]] double taken_by(Uptake const& uptake, double ca);

// What comes into the cytosol in a ms through the membrane [µM µm/ms]:
// leak + (in - out c) / (all + all_ca c) - pump k / (k + pump_half2).
struct MembraneFlux {
  double pump{};
  double pump_half2{1};
  double in{};
  double out{};
  double all{1};
  double all_ca{};
  double leak{};
};
[[nodiscard]] MembraneFlux membrane_flux(Membrane const& membrane, Pumps const& pumps,
                                         double t_tubule_ca);
[[nodiscard]] double flux_into(MembraneFlux const& flux, double ca);

// The same with leaks that balance them at `ca_rest`.
[[nodiscard]] Uptake at_rest(Uptake uptake, double ca_rest, double network_sr_ca);
[[nodiscard]] MembraneFlux at_rest(MembraneFlux flux, double ca_rest);

// At most so much of free calcium is taken in a ms, whatever there is of it: the largest rate over
// c [1/ms], and of the membrane [µm/ms]. A step below one over it leaves none below 0.
[[nodiscard]] double fastest(Uptake const& uptake);
[[nodiscard]] double fastest(MembraneFlux const& flux);

// Throws InputError for the first number that cannot be worked with.
void check(Serca const& serca);
void check(Membrane const& membrane);

}  // namespace makespan::calcium

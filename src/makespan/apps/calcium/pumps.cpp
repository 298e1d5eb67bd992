// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/pumps.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "makespan/apps/calcium/species.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::calcium {

namespace {

constexpr double faraday = 96.5e3;     // [C/mol]; S 283
constexpr double gas_constant = 8.31;  // [J/(mol K)]; S 259

double squared(double x) {
  return x * x;
}
double cubed(double x) {
  return x * x * x;
}

// What a current of 1 pA/pF is, in elementary charges [µM µm/ms]: 1 µF/cm² is 1e-14 F/µm², and
// 1e-18 mol/s are 1 µM µm³/ms.
double charges_per_current(Membrane const& membrane) {
  return membrane.capacitance * 1e4 / faraday;
}

void check_above_0(std::string_view name, double value, std::string_view advice) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError(std::string(name) + " = " + short_text(value), "it is a finite number above 0",
                   advice);
}

// a c / (b + c²) at most, over all c.
// It is at c² = b.
double peak(double a, double b) {
  return a > 0 ? a / (2 * std::sqrt(b)) : 0;
}

}  // namespace

Serca hake_serca() {
  // Binding, S 249-258 [µM, s]; forth and back by 2+, 2-, 3+, 3-.
  double const k2_forth = 2540;
  double const k2_back = 67.2;
  double const k3_forth = 20.5;
  double const k3_back = 0.149;
  double const calcium = squared(910);
  double const sr_calcium = squared(2240);
  double const proton = 0.1;  // pH 7; S 242
  double const mg_adp = 10;   // S 246-248
  double const mg_atp = 2275;
  double const phosphate = 1000;
  double const protons_in = squared(proton) / 3.54e3;
  double const protons_sr = squared(proton) / 1.05e-2;
  double const proton_1 = proton / 1.09e-2;
  double const proton_0 = proton / 7.24e-2;
  // From the free energy of ATP, so that a cycle's equilibrium is that of its chemistry; S 259-261.
  double const energy = 1e6 * simd::portable_exp(11900 / (gas_constant * 295.15));
  double const atp = mg_atp * (k2_back * k3_back * calcium * 1.05e-2 * energy) /
                     (k2_forth * k3_forth * sr_calcium * 3.54e3 * 7.24e-2);
  double const in = protons_in * (1 + atp * (1 + proton_1));  // S 266, 272
  double const sr = protons_sr * (1 + proton_0) + proton_0;   // S 268, 270
  double const per_ms = 1e-3;
  double const forth_1 = per_ms * k2_forth * atp / calcium / in;  // per k
  double const forth_2 = per_ms * k3_forth * protons_sr / sr;
  double const back_1 = per_ms * k2_back * mg_adp * proton_0 / sr_calcium / sr;  // per s
  double const back_2 = per_ms * k3_back * phosphate * protons_in / in;
  return {.total = 1.5 * 75,  // S 243, 244
          .forth2 = forth_1 * forth_2,
          .back_sr = back_1 * back_2,
          .all2 = forth_1,
          .all0 = forth_2 + back_2,
          .all0_sr = back_1};
}

Serca walker_serca() {
  // Theirs are per s, of (c/910)² and (network SR/2240)².
  double const per_k = 1 / squared(910);
  double const per_s = 1 / squared(2240);
  double const per_ms = 1e-3;
  return {.total = 150,
          .forth4 = per_ms * 3.24873e12 * per_k * per_k,
          .forth2 = per_ms * 9.17846e6 * per_k,
          .forth2_sr = -per_ms * 11478.2 * per_k * per_s,
          .back_sr = per_ms * 0.329904 * per_s,
          .all4 = 6.08463e11 * per_k * per_k,
          .all4_sr = 4.50544e11 * per_k * per_k * per_s,
          .all2 = 1.75583e6 * per_k,
          .all2_sr = 7.61673e6 * per_k * per_s,
          .all0 = 0.104217,
          .all0_sr = 17.923 * per_s};
}

Uptake uptake_of(Serca const& serca, double network_sr_ca) {
  double const s = squared(network_sr_ca);
  // Two ions a cycle.
  double const ions = 2 * serca.total;
  return {.forth4 = ions * serca.forth4,
          .forth2 = ions * (serca.forth2 + serca.forth2_sr * s),
          .back = ions * serca.back_sr * s,
          .all4 = serca.all4 + serca.all4_sr * s,
          .all2 = serca.all2 + serca.all2_sr * s,
          .all0 = serca.all0 + serca.all0_sr * s};
}

double taken_by(Uptake const& uptake, double ca) {
  double const k = ca * ca;
  return ((uptake.forth4 * k + uptake.forth2) * k - uptake.back) /
         ((uptake.all4 * k + uptake.all2) * k + uptake.all0);
}

MembraneFlux membrane_flux(Membrane const& membrane, Pumps const& pumps, double t_tubule_ca) {
  double const per_current = charges_per_current(membrane);
  MembraneFlux flux;
  if (pumps.membrane_pump) {
    flux.pump = 0.5 * membrane.pump_max * per_current;  // two charges an ion; S 317
    flux.pump_half2 = squared(membrane.pump_half);
  }
  if (!pumps.exchanger) return flux;
  double const volts = membrane.voltage * 1e-3 * faraday / (gas_constant * membrane.temperature);
  double const inward = simd::portable_exp(membrane.barrier * volts);
  double const outward = simd::portable_exp((membrane.barrier - 1) * volts);
  double const in3 = cubed(membrane.sodium_in);
  double const out3 = cubed(membrane.sodium_out);
  double const half3 = cubed(membrane.sodium_half);
  // One charge an ion.
  double const most = membrane.exchanger_max * per_current / (1 + membrane.saturation * outward);
  flux.in = most * in3 * t_tubule_ca * inward;
  flux.out = most * out3 * outward;
  flux.all = membrane.calcium_out_half * in3 + half3 * t_tubule_ca +
             membrane.calcium_half * out3 * (1 + in3 / half3) + in3 * t_tubule_ca;  // S 301-304
  flux.all_ca = cubed(membrane.sodium_out_half) + half3 * t_tubule_ca / membrane.calcium_half +
                out3;  // S 305, 306
  return flux;
}

double flux_into(MembraneFlux const& flux, double ca) {
  double const k = ca * ca;
  return flux.leak + (flux.in - flux.out * ca) / (flux.all + flux.all_ca * ca) -
         flux.pump * k / (k + flux.pump_half2);
}

Uptake at_rest(Uptake uptake, double ca_rest, double network_sr_ca) {
  double const taken = taken_by(uptake, ca_rest);
  if (taken < 0 || !(network_sr_ca > ca_rest)) {
    throw InputError("ca_rest = " + short_text(ca_rest) + " µM beside a network SR of " +
                         short_text(network_sr_ca) + " µM",
                     "SERCA runs backwards there, and no leak makes that a state of rest",
                     "give a higher ca_rest, or a lower network_sr_ca");
  }
  uptake.leak = taken / (network_sr_ca - ca_rest);
  uptake.leak_from = network_sr_ca;
  return uptake;
}

MembraneFlux at_rest(MembraneFlux flux, double ca_rest) {
  double const into = flux_into(flux, ca_rest);
  if (into > 0) {
    throw InputError("ca_rest = " + short_text(ca_rest) + " µM inside of this membrane",
                     "the exchanger brings more calcium in than is pumped out, and no leak makes "
                     "that a state of rest",
                     "give a higher ca_rest, or a lower t_tubule_ca");
  }
  flux.leak = -into;
  return flux;
}

double fastest(Uptake const& uptake) {
  // With k of what is taken in both parts: each is a c over a sum of which two terms are kept.
  double const high =
      uptake.all4 > 0 ? peak(uptake.forth4 / uptake.all4, uptake.all2 / uptake.all4) : 0;
  double const low =
      uptake.all2 > 0 ? peak(uptake.forth2 / uptake.all2, uptake.all0 / uptake.all2) : 0;
  return high + low + uptake.leak;
}

double fastest(MembraneFlux const& flux) {
  // out c / (all + all_ca c) is steepest at c = 0; what comes in takes nothing.
  return peak(flux.pump, flux.pump_half2) + flux.out / flux.all;
}

void check(Serca const& serca) {
  check_number("serca_total", serca.total, "112.5 µM is usual");
  for (double const number : {serca.forth4, serca.forth2, serca.back_sr, serca.all4, serca.all4_sr,
                              serca.all2, serca.all2_sr, serca.all0, serca.all0_sr}) {
    check_number("a rate of SERCA", number, "take a set's");
  }
  check_above_0("a sum of SERCA's rates", serca.all0, "take a set's");
  if (!std::isfinite(serca.forth2_sr)) check_number("a rate of SERCA", -1, "take a set's");
}

void check(Membrane const& membrane) {
  if (!(std::abs(membrane.voltage) <= 1000)) {
    throw InputError("membrane_voltage = " + short_text(membrane.voltage) + " mV",
                     "it is between -1000 and 1000", "-82 is usual");
  }
  check_number("membrane_pump_max", membrane.pump_max, "0.096 pA/pF is usual");
  check_number("exchanger_max", membrane.exchanger_max, "3.94 pA/pF is usual");
  for (double const number :
       {membrane.temperature, membrane.capacitance, membrane.pump_half, membrane.sodium_in,
        membrane.sodium_out, membrane.saturation, membrane.barrier, membrane.calcium_half,
        membrane.calcium_out_half, membrane.sodium_half, membrane.sodium_out_half}) {
    check_above_0("a constant of the membrane", number, "take the usual ones");
  }
}

}  // namespace makespan::calcium

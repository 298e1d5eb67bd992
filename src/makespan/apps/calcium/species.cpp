// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/species.hpp"

#include <cmath>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::calcium {

namespace {

void check_buffer(std::string const& name, Buffer const& buffer) {
  check_number(name + ".total", buffer.total, "give it in µM");
  check_number(name + ".diffusion", buffer.diffusion, "give it in µm²/ms");
  check_number(name + ".k_on", buffer.k_on, "give it in 1/(µM·ms)");
  check_number(name + ".k_off", buffer.k_off, "give it in 1/ms");
  if (buffer.total > 0 && buffer.k_on > 0 && buffer.k_off <= 0) {
    throw InputError(name + ".k_off = " + short_text(buffer.k_off),
                     "what never unbinds has no state of rest",
                     "give a k_off above 0, or a k_on of 0");
  }
}

}  // namespace

void check_number(std::string_view name, double value, std::string_view advice) {
  if (value >= 0 && std::isfinite(value)) return;
  throw InputError(std::string(name) + " = " + short_text(value),
                   "it is a finite number of at least 0", advice);
}

Species hake_species() {
  return {};
}

Species walker_species() {
  return {.ca_diffusion = 0.250,
          .ca_rest = 0.10,
          .trpn = {.total = 70, .diffusion = 0, .k_on = 0.039, .k_off = 0.020},
          .fluo = {.total = 50, .diffusion = 0.042, .k_on = 0.100, .k_off = 0.110},
          .sr_ca_diffusion = 0.250,
          .sr_ca_rest = 1000,
          .csqn = {.total = 30000, .diffusion = 0, .k_on = 0.100, .k_off = 63.8},
          .t_tubule_ca = 2000,
          .network_sr_ca = 1000,
          .serca = walker_serca()};
}

Species smith_species() {
  return {.ca_diffusion = 0.250,
          .ca_rest = 0.10,
          .atp = {},
          .cmdn = {.total = 24, .diffusion = 0, .k_on = 0.100, .k_off = 0.038},
          .trpn = {.total = 70, .diffusion = 0, .k_on = 0.039, .k_off = 0.020},
          .fluo = {.total = 50, .diffusion = 0.020, .k_on = 0.080, .k_off = 0.090}};
}

void check(Species const& species) {
  check_number("ca_diffusion", species.ca_diffusion, "0.22 µm²/ms is usual");
  check_number("ca_rest", species.ca_rest, "0.14 µM is usual");
  check_buffer("atp", species.atp);
  check_buffer("cmdn", species.cmdn);
  check_buffer("trpn", species.trpn);
  if (species.trpn.diffusion > 0) {
    throw InputError("trpn.diffusion = " + short_text(species.trpn.diffusion),
                     "troponin sits on filaments, and its array is changed where it lies",
                     "give 0");
  }
  check_buffer("fluo", species.fluo);
  check_number("sr_ca_diffusion", species.sr_ca_diffusion, "0.22 µm²/ms is usual");
  check_number("sr_ca_rest", species.sr_ca_rest, "1300 µM is usual");
  check_buffer("csqn", species.csqn);
  check_number("t_tubule_ca", species.t_tubule_ca, "1800 µM is usual");
  check_number("refill_rate", species.refill_rate, "0.095/ms is usual");
  check_number("network_sr_ca", species.network_sr_ca, "1300 µM is usual");
  check(species.serca);
  check(species.membrane);
}

double bound_at_rest(Buffer const& buffer, double ca) {
  double const on = buffer.k_on * ca;
  return on > 0 ? buffer.total * on / (on + buffer.k_off) : 0;
}

std::array<double, field_count> cytosol_at_rest(Species const& species) {
  double const ca = species.ca_rest;
  return {ca, bound_at_rest(species.atp, ca), bound_at_rest(species.cmdn, ca),
          bound_at_rest(species.trpn, ca), bound_at_rest(species.fluo, ca)};
}

}  // namespace makespan::calcium

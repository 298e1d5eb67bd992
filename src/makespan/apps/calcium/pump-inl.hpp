// SPDX-License-Identifier: Apache-2.0
// What SERCA and the T-tubule's membrane take of calcium, along a piece of a row: pointwise.

#if defined(MAKESPAN_CALCIUM_PUMP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_CALCIUM_PUMP_INL_HPP
#undef MAKESPAN_CALCIUM_PUMP_INL_HPP
#else
#define MAKESPAN_CALCIUM_PUMP_INL_HPP
#endif

#include "makespan/apps/calcium/detail/diffuse-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::calcium::MAKESPAN_TARGET {

struct UptakeVectors {
  Doubles forth4;
  Doubles forth2;
  Doubles back;
  Doubles all4;
  Doubles all2;
  Doubles all0;
  Doubles leak;
  Doubles leak_from;
};
MAKESPAN_BODY UptakeVectors VectorsOf(Uptake const& uptake) {
  hn::F64 const d;
  return {hn::Set(d, uptake.forth4), hn::Set(d, uptake.forth2),   hn::Set(d, uptake.back),
          hn::Set(d, uptake.all4),   hn::Set(d, uptake.all2),     hn::Set(d, uptake.all0),
          hn::Set(d, uptake.leak),   hn::Set(d, uptake.leak_from)};
}

struct MembraneVectors {
  Doubles pump;
  Doubles pump_half2;
  Doubles in;
  Doubles out;
  Doubles all;
  Doubles all_ca;
  Doubles leak;
};
MAKESPAN_BODY MembraneVectors VectorsOf(MembraneFlux const& flux) {
  hn::F64 const d;
  return {hn::Set(d, flux.pump), hn::Set(d, flux.pump_half2), hn::Set(d, flux.in),
          hn::Set(d, flux.out),  hn::Set(d, flux.all),        hn::Set(d, flux.all_ca),
          hn::Set(d, flux.leak)};
}

// With SERCA, and with what leaks. The arithmetic of all devices.
MAKESPAN_BODY Doubles WithUptake(UptakeVectors const& uptake, Doubles k, Doubles from, Doubles ca) {
  Doubles const forth = hn::MulAdd(uptake.forth4, k, uptake.forth2);
  Doubles const all = hn::MulAdd(uptake.all4, k, uptake.all2);
  Doubles const taken =
      hn::Div(hn::Sub(hn::Mul(forth, k), uptake.back), hn::MulAdd(all, k, uptake.all0));
  Doubles const leaked = hn::Mul(uptake.leak, hn::Sub(uptake.leak_from, from));
  return hn::Add(ca, hn::Sub(leaked, taken));
}

// With what so many faces let through. The arithmetic of all devices.
MAKESPAN_BODY Doubles WithFlux(MembraneVectors const& membrane, Doubles faces, Doubles k,
                               Doubles from, Doubles ca) {
  Doubles const exchanged = hn::Div(hn::NegMulAdd(membrane.out, from, membrane.in),
                                    hn::MulAdd(membrane.all_ca, from, membrane.all));
  Doubles const pumped = hn::Div(hn::Mul(membrane.pump, k), hn::Add(k, membrane.pump_half2));
  return hn::MulAdd(faces, hn::Add(membrane.leak, hn::Sub(exchanged, pumped)), ca);
}

// Where nothing is switched on.
struct NoPumping {};
MAKESPAN_BODY Doubles Pumped(NoPumping const&, std::int64_t, Doubles ca) {
  return ca;
}

// Of all points of a piece. What it does not have would add 0.
struct PiecePumping {
  UptakeVectors uptake;
  MembraneVectors membrane;
  Doubles faces;
  bool has_uptake;
  bool has_membrane;
};
MAKESPAN_BODY PiecePumping VectorsOf(Pumping const& pumping, MembraneFlux const& membrane,
                                     int faces) {
  return {VectorsOf(pumping.uptake), VectorsOf(membrane),
          hn::Set(hn::F64(), static_cast<double>(faces)), pumping.has_uptake, faces > 0};
}
MAKESPAN_BODY Doubles Pumped(PiecePumping const& piece, std::int64_t, Doubles from) {
  Doubles const k = hn::Mul(from, from);
  Doubles ca = from;
  if (piece.has_uptake) ca = WithUptake(piece.uptake, k, from, ca);
  if (piece.has_membrane) ca = WithFlux(piece.membrane, piece.faces, k, from, ca);
  return ca;
}

// Of each point of a line.
struct LinePumping {
  alignas(64) double forth4[line_points];
  alignas(64) double forth2[line_points];
  alignas(64) double back[line_points];
  alignas(64) double all4[line_points];
  alignas(64) double all2[line_points];
  alignas(64) double all0[line_points];
  alignas(64) double leak[line_points];
  alignas(64) double leak_from[line_points];
  alignas(64) double faces[line_points];
  MembraneVectors membrane;
};
MAKESPAN_BODY Doubles Pumped(LinePumping const& line, std::int64_t i, Doubles from) {
  hn::F64 const d;
  UptakeVectors const uptake{hn::Load(d, line.forth4 + i), hn::Load(d, line.forth2 + i),
                             hn::Load(d, line.back + i),   hn::Load(d, line.all4 + i),
                             hn::Load(d, line.all2 + i),   hn::Load(d, line.all0 + i),
                             hn::Load(d, line.leak + i),   hn::Load(d, line.leak_from + i)};
  Doubles const k = hn::Mul(from, from);
  return WithFlux(line.membrane, hn::Load(d, line.faces + i), k, from,
                  WithUptake(uptake, k, from, from));
}

}  // namespace makespan::calcium::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_CALCIUM_PUMP_INL_HPP

// SPDX-License-Identifier: Apache-2.0
// Lennard-Jones forces of a compute's rows: one atom of the first cell against the eight of a
// cluster of the second, one partner a lane.
//
// With s = 1/r² the force on the first is 24 ε/σ · s⁴ (2 s³ - 1) · (its position - the other's);
// the 24 is left to the caller, once an atom. One division a pair, no root, no gather: a cluster
// lies in memory as vectors want it, the atom's position and the three sums of its force stay in
// registers, and what the eight get is added where it lies. Pairs at or beyond the cutoff, an atom
// with itself, and atoms that are not there are computed like others, and what comes of them is
// replaced by 0: a product with 0 would keep what is not finite.
//
// A row is 3 subtractions, 14 products and fused products (8 of them for s and the two forces' sums
// …), 1 comparison, 1 division, 9 loads and 3 stores of eight doubles. What that should cost, and
// what it does: docs/decisions/0060-clusters-of-eight.md.

#if defined(MAKESPAN_MELT_FORCES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_MELT_FORCES_INL_HPP
#undef MAKESPAN_MELT_FORCES_INL_HPP
#else
#define MAKESPAN_MELT_FORCES_INL_HPP
#endif

#include "makespan/apps/melt/kernels.hpp"
#include "makespan/apps/melt/lanes-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::melt::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Squares of cutoffs of a row within an atom's own cluster: row k is for atom k, and only those
// after it count.
struct alignas(64) OwnCutoffs {
  double squares[cluster_atoms][cluster_atoms];
};

inline void SetOwnCutoffs(double square, OwnCutoffs& cutoffs) {
  for (int atom = 0; atom < cluster_atoms; ++atom) {
    for (int lane = 0; lane < cluster_atoms; ++lane) {
      cutoffs.squares[atom][lane] = lane > atom ? square : 0.0;
    }
  }
}

// What is summed by lane over rows: of one atom, its force; of a whole job, what is measured.
struct AtomForce {
  Doubles axis[3][part_count];
};
struct LaneSums {
  Doubles inverse_12[part_count];
  Doubles inverse_6[part_count];
  Doubles pairs[part_count];
};

// Part `part` of a row: adds to the atom's force and to the cluster's; `cutoffs` are squares.
template <Measure measure>
MAKESPAN_BODY void AddPart(Doubles const (&atom)[3], Doubles cutoffs, int part, double* slot,
                           AtomForce& force, LaneSums& sums) {
  hn::F64 const d;
  double* const lanes = slot + part * part_lanes;
  Doubles const dx = hn::Sub(atom[0], hn::Load(d, lanes));
  Doubles const dy = hn::Sub(atom[1], hn::Load(d, lanes + cluster_atoms));
  Doubles const dz = hn::Sub(atom[2], hn::Load(d, lanes + 2 * cluster_atoms));
  Doubles const square = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
  auto const inside = hn::Gt(cutoffs, square);
  Doubles const s = hn::Div(Of(1), square);
  Doubles const s2 = hn::Mul(s, s);
  Doubles const s3 = hn::Mul(s2, s);
  Doubles const s4 = hn::Mul(s2, s2);
  Doubles const twice = hn::MulAdd(Of(2), s3, Of(-1));
  Doubles const strength = hn::IfThenElse(inside, hn::Mul(s4, twice), hn::Zero(d));
  force.axis[0][part] = hn::MulAdd(strength, dx, force.axis[0][part]);
  force.axis[1][part] = hn::MulAdd(strength, dy, force.axis[1][part]);
  force.axis[2][part] = hn::MulAdd(strength, dz, force.axis[2][part]);
  double* const to = lanes + cluster_doubles;
  hn::Store(hn::NegMulAdd(strength, dx, hn::Load(d, to)), d, to);
  hn::Store(hn::NegMulAdd(strength, dy, hn::Load(d, to + cluster_atoms)), d, to + cluster_atoms);
  hn::Store(hn::NegMulAdd(strength, dz, hn::Load(d, to + 2 * cluster_atoms)), d,
            to + 2 * cluster_atoms);
  if constexpr (measure == Measure::forces_and_sums) {
    Doubles const kept = hn::IfThenElse(inside, s3, hn::Zero(d));
    sums.inverse_12[part] = hn::MulAdd(kept, kept, sums.inverse_12[part]);
    sums.inverse_6[part] = hn::Add(kept, sums.inverse_6[part]);
    sums.pairs[part] =
        hn::Add(hn::IfThenElse(inside, Of(1), hn::Zero(d)), sums.pairs[part]);
  }
}

template <Measure measure>
MAKESPAN_BODY void AddRow(Doubles const (&atom)[3], double const* cutoffs, double* slot,
                          AtomForce& force, LaneSums& sums) {
  MAKESPAN_UNROLL
  for (int part = 0; part < part_count; ++part) {
    Doubles const own = hn::Load(hn::F64(), cutoffs + part * part_lanes);
    AddPart<measure>(atom, own, part, slot, force, sums);
  }
}

MAKESPAN_BODY void StoreForce(AtomForce const& force, double* to) {
  alignas(64) double lanes[3][cluster_atoms];
  for (int axis = 0; axis < 3; ++axis) {
    MAKESPAN_UNROLL
    for (int part = 0; part < part_count; ++part) {
      hn::Store(force.axis[axis][part], hn::F64(), lanes[axis] + part * part_lanes);
    }
  }
  for (int axis = 0; axis < 3; ++axis) to[axis * cluster_atoms] = SumOfEight(lanes[axis]);
}

MAKESPAN_BODY double SumOfParts(Doubles const (&parts)[part_count]) {
  alignas(64) double lanes[cluster_atoms];
  for (int part = 0; part < part_count; ++part) {
    hn::Store(parts[part], hn::F64(), lanes + part * part_lanes);
  }
  return SumOfEight(lanes);
}

template <Pairs pairs, Measure measure>
MAKESPAN_BODY void AddForcesOf(ForceJob const& job) {
  hn::F64 const d;
  OwnCutoffs own;
  SetOwnCutoffs(job.cutoff * job.cutoff, own);
  alignas(64) double cutoffs[cluster_atoms];
  for (double& square : cutoffs) square = job.cutoff * job.cutoff;
  auto* const slots = reinterpret_cast<double*>(job.slots);
  LaneSums sums;
  for (int part = 0; part < part_count; ++part) {
    sums.inverse_12[part] = sums.inverse_6[part] = sums.pairs[part] = hn::Zero(d);
  }
  for (PairEntry const& entry : job.entries) {
    double const* const from = job.first_positions + entry.position;
    Doubles const atom[3] = {Of(from[0]), Of(from[cluster_atoms]), Of(from[2 * cluster_atoms])};
    AtomForce force;
    for (int part = 0; part < part_count; ++part) {
      force.axis[0][part] = force.axis[1][part] = force.axis[2][part] = hn::Zero(d);
    }
    std::uint32_t const* row = job.rows + entry.row_begin;
    std::uint32_t const* const end = row + entry.row_count;
    if constexpr (pairs == Pairs::within_cell) {
      AddRow<measure>(atom, own.squares[entry.position % cluster_atoms], slots + *row++, force,
                      sums);
    }
    for (; row != end; ++row) AddRow<measure>(atom, cutoffs, slots + *row, force, sums);
    StoreForce(force, job.first_forces + entry.force);
  }
  if constexpr (measure == Measure::forces_and_sums) {
    *job.sums = {SumOfParts(sums.inverse_12), SumOfParts(sums.inverse_6), SumOfParts(sums.pairs)};
  }
}

template <Pairs pairs>
MAKESPAN_BODY void AddForcesMeasured(ForceJob const& job, Measure measure) {
  if (measure == Measure::forces) {
    AddForcesOf<pairs, Measure::forces>(job);
  } else {
    AddForcesOf<pairs, Measure::forces_and_sums>(job);
  }
}

inline void AddForces(ForceJob const& job, Measure measure) {
  if (job.pairs == Pairs::within_cell) {
    AddForcesMeasured<Pairs::within_cell>(job, measure);
  } else {
    AddForcesMeasured<Pairs::between_cells>(job, measure);
  }
}

}  // namespace makespan::melt::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_MELT_FORCES_INL_HPP

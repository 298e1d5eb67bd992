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
  Doubles const fx = hn::Mul(strength, dx);
  Doubles const fy = hn::Mul(strength, dy);
  Doubles const fz = hn::Mul(strength, dz);
  force.axis[0][part] = hn::Add(force.axis[0][part], fx);
  force.axis[1][part] = hn::Add(force.axis[1][part], fy);
  force.axis[2][part] = hn::Add(force.axis[2][part], fz);
  double* const to = lanes + cluster_doubles;
  hn::Store(hn::Sub(hn::Load(d, to), fx), d, to);
  hn::Store(hn::Sub(hn::Load(d, to + cluster_atoms), fy), d, to + cluster_atoms);
  hn::Store(hn::Sub(hn::Load(d, to + 2 * cluster_atoms), fz), d, to + 2 * cluster_atoms);
  if constexpr (measure == Measure::forces_and_sums) {
    Doubles const kept = hn::IfThenElse(inside, s3, hn::Zero(d));
    sums.inverse_12[part] = hn::MulAdd(kept, kept, sums.inverse_12[part]);
    sums.inverse_6[part] = hn::Add(kept, sums.inverse_6[part]);
    sums.pairs[part] =
        hn::Add(hn::IfThenElse(inside, Of(1), hn::Zero(d)), sums.pairs[part]);
  }
}

// The second cell's clusters, beside the first cell, with no forces yet.
MAKESPAN_BODY void FillSlots(ForceJob const& job) {
  hn::F64 const d;
  ClusterSlot* slot = job.slots;
  for (std::int32_t const cluster : job.list->second_clusters) {
    MAKESPAN_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      double const* const from = job.second[cluster].axis[axis].data();
      double* const positions = slot->positions.axis[axis].data();
      double* const forces = slot->forces.axis[axis].data();
      MAKESPAN_UNROLL
      for (int lane = 0; lane < cluster_atoms; lane += part_lanes) {
        hn::Store(hn::Add(hn::Load(d, from + lane), Of(job.shift[axis])), d, positions + lane);
        hn::Store(hn::Zero(d), d, forces + lane);
      }
    }
    ++slot;
  }
}

template <Pairs pairs, Measure measure>
MAKESPAN_BODY void AddRows(ForceJob const& job, double* first_forces, LaneSums& sums) {
  hn::F64 const d;
  OwnCutoffs own;
  SetOwnCutoffs(job.cutoff * job.cutoff, own);
  Doubles const cutoff = Of(job.cutoff * job.cutoff);
  double const* const positions = job.first->axis[0].data();
  double* const slots = job.slots->positions.axis[0].data();
  std::uint32_t const* row = job.list->rows.data();
  for (PairEntry const& entry : job.list->entries) {
    double const* const from = positions + entry.position;
    Doubles const atom[3] = {Of(from[0]), Of(from[cluster_atoms]), Of(from[2 * cluster_atoms])};
    AtomForce force;
    for (auto& axis : force.axis) {
      for (Doubles& part : axis) part = hn::Zero(d);
    }
    std::uint32_t const* const end = row + entry.rows;
    if constexpr (pairs == Pairs::within_cell) {
      double const* const after = own.squares[entry.position % cluster_atoms];
      MAKESPAN_UNROLL
      for (int part = 0; part < part_count; ++part) {
        Doubles const cutoffs = hn::Load(d, after + part * part_lanes);
        AddPart<measure>(atom, cutoffs, part, slots + *row, force, sums);
      }
      ++row;
    }
    for (; row != end; ++row) {
      MAKESPAN_UNROLL
      for (int part = 0; part < part_count; ++part) {
        AddPart<measure>(atom, cutoff, part, slots + *row, force, sums);
      }
    }
    double* const to = first_forces + entry.force;
    for (int axis = 0; axis < 3; ++axis) to[axis * cluster_atoms] = hn::SumOfEight(force.axis[axis]);
  }
}

// What the kernel has left out of each force until now.
inline constexpr double force_unit = 24;

// Within a cell the forces of both sides belong to the same atoms.
template <Pairs pairs>
MAKESPAN_BODY void GatherForces(ForceJob const& job) {
  hn::F64 const d;
  Doubles const unit = Of(force_unit);
  auto const slots = static_cast<int>(job.list->second_clusters.size());
  for (int slot = 0; slot < slots; ++slot) {
    double const* const from = job.slots[slot].forces.axis[0].data();
    if constexpr (pairs == Pairs::within_cell) {
      double* const to = job.first_forces[slot].axis[0].data();
      MAKESPAN_UNROLL
      for (int lane = 0; lane < cluster_doubles; lane += part_lanes) {
        Doubles const both = hn::Add(hn::Load(d, to + lane), hn::Load(d, from + lane));
        hn::Store(hn::Mul(unit, both), d, to + lane);
      }
    } else {
      double* const to = job.second_forces[slot].axis[0].data();
      MAKESPAN_UNROLL
      for (int lane = 0; lane < cluster_doubles; lane += part_lanes) {
        hn::Store(hn::Mul(unit, hn::Load(d, from + lane)), d, to + lane);
      }
    }
  }
  if constexpr (pairs == Pairs::between_cells) {
    auto const clusters = static_cast<int>(job.list->first_clusters.size());
    double* const to = job.first_forces->axis[0].data();
    for (int lane = 0; lane < clusters * cluster_doubles; lane += part_lanes) {
      hn::Store(hn::Mul(unit, hn::Load(d, to + lane)), d, to + lane);
    }
  }
}

template <Pairs pairs, Measure measure>
MAKESPAN_BODY void ComputeForcesOf(ForceJob const& job) {
  hn::F64 const d;
  FillSlots(job);
  double* const first_forces = job.first_forces->axis[0].data();
  auto const clusters = static_cast<int>(job.list->first_clusters.size());
  for (int lane = 0; lane < clusters * cluster_doubles; lane += part_lanes) {
    hn::Store(hn::Zero(d), d, first_forces + lane);
  }
  LaneSums sums;
  for (int part = 0; part < part_count; ++part) {
    sums.inverse_12[part] = sums.inverse_6[part] = sums.pairs[part] = hn::Zero(d);
  }
  AddRows<pairs, measure>(job, first_forces, sums);
  GatherForces<pairs>(job);
  if constexpr (measure == Measure::forces_and_sums) {
    *job.sums = {hn::SumOfEight(sums.inverse_12), hn::SumOfEight(sums.inverse_6),
                 hn::SumOfEight(sums.pairs)};
  }
}

inline void ComputeForces(ForceJob const& job, Measure measure) {
  bool const within = job.pairs == Pairs::within_cell;
  if (measure == Measure::forces) {
    within ? ComputeForcesOf<Pairs::within_cell, Measure::forces>(job)
           : ComputeForcesOf<Pairs::between_cells, Measure::forces>(job);
  } else {
    within ? ComputeForcesOf<Pairs::within_cell, Measure::forces_and_sums>(job)
           : ComputeForcesOf<Pairs::between_cells, Measure::forces_and_sums>(job);
  }
}

}  // namespace makespan::melt::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_MELT_FORCES_INL_HPP

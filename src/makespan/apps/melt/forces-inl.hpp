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

// A part of a row from when its division is begun until it is finished.
struct RowPart {
  Doubles delta[3];  // from the partner to the atom
  Doubles square;    // of the distance
  Doubles inverse;   // 1 / square
};

MAKESPAN_BODY void Divide(RowPart& row) {
  row.inverse = hn::Div(Of(1), row.square);
}

// Begins a row whose cluster lies at `lanes`.
MAKESPAN_BODY RowPart Begin(Doubles const (&atom)[3], double const* lanes) {
  hn::F64 const d;
  RowPart row;
  row.delta[0] = hn::Sub(atom[0], hn::Load(d, lanes));
  row.delta[1] = hn::Sub(atom[1], hn::Load(d, lanes + cluster_atoms));
  row.delta[2] = hn::Sub(atom[2], hn::Load(d, lanes + 2 * cluster_atoms));
  Doubles const xy =
      hn::MulAdd(row.delta[1], row.delta[1], hn::Mul(row.delta[0], row.delta[0]));
  row.square = hn::MulAdd(row.delta[2], row.delta[2], xy);
  return row;
}

// Adds what comes of a row to the atom's force and to the cluster's; `cutoff` is a square.
template <Measure measure>
MAKESPAN_BODY void Finish(RowPart const& row, Doubles cutoff, int part, double* lanes,
                          AtomForce& force, LaneSums& sums) {
  hn::F64 const d;
  auto const inside = hn::Gt(cutoff, row.square);
  Doubles const s = row.inverse;
  Doubles const s2 = hn::Mul(s, s);
  Doubles const s3 = hn::Mul(s2, s);
  Doubles const s4 = hn::Mul(s2, s2);
  Doubles const twice = hn::MulAdd(Of(2), s3, Of(-1));
  Doubles const strength = hn::IfThenElse(inside, hn::Mul(s4, twice), hn::Zero(d));
  MAKESPAN_UNROLL
  for (int axis = 0; axis < 3; ++axis) {
    double* const to = lanes + cluster_doubles + axis * cluster_atoms;
    Doubles const push = hn::Mul(strength, row.delta[axis]);
    force.axis[axis][part] = hn::Add(force.axis[axis][part], push);
    hn::Store(hn::Sub(hn::Load(d, to), push), d, to);
  }
  if constexpr (measure == Measure::forces_and_sums) {
    Doubles const kept = hn::IfThenElse(inside, s3, hn::Zero(d));
    sums.inverse_12[part] = hn::MulAdd(kept, kept, sums.inverse_12[part]);
    sums.inverse_6[part] = hn::Add(kept, sums.inverse_6[part]);
    sums.pairs[part] = hn::Add(hn::IfThenElse(inside, Of(1), hn::Zero(d)), sums.pairs[part]);
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
    double* lanes = slots + *row;
    RowPart now[part_count];
    MAKESPAN_UNROLL
    for (int part = 0; part < part_count; ++part) {
      now[part] = Begin(atom, lanes + part * part_lanes);
      if constexpr (pairs == Pairs::within_cell) {
        Doubles const after =
            hn::Load(d, own.squares[entry.position % cluster_atoms] + part * part_lanes);
        now[part].square = hn::IfThenElse(hn::Gt(after, now[part].square), now[part].square, cutoff);
      }
      Divide(now[part]);
    }
    while (++row != end) {
      double* const next_lanes = slots + *row;
      RowPart next[part_count];
      MAKESPAN_UNROLL
      for (int part = 0; part < part_count; ++part) {
        next[part] = Begin(atom, next_lanes + part * part_lanes);
        Divide(next[part]);
      }
      MAKESPAN_UNROLL
      for (int part = 0; part < part_count; ++part) {
        Finish<measure>(now[part], cutoff, part, lanes + part * part_lanes, force, sums);
        now[part] = next[part];
      }
      lanes = next_lanes;
    }
    MAKESPAN_UNROLL
    for (int part = 0; part < part_count; ++part) {
      Finish<measure>(now[part], cutoff, part, lanes + part * part_lanes, force, sums);
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

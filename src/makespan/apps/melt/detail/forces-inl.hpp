// SPDX-License-Identifier: Apache-2.0
// Lennard-Jones forces of a compute's rows: one atom of the first cell against the eight of a
// cluster of the second, one partner a lane.
//
// With s = 1/r² the force on the first is 24 ε/σ · s⁴ (2 s³ - 1) · (its position - the other's);
// the 24 comes in at the end, once a cluster. One division a pair, no root, no gather: a cluster
// lies in memory as vectors want it, the atom's position and the sums of its force stay in
// registers, and what the eight get is added where it lies. Pairs at or beyond the cutoff and atoms
// that are not there are computed like others, and what comes of them is replaced by 0: a product
// with 0 would keep what is not finite.
//
// A row is 11 products and fused products, 9 sums, a comparison, a division, 6 loads and 3 stores
// of eight doubles. What that should cost, and what it does:
// docs/decisions/0060-clusters-of-eight.md.

#if defined(MAKESPAN_MELT_FORCES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_MELT_FORCES_INL_HPP
#undef MAKESPAN_MELT_FORCES_INL_HPP
#else
#define MAKESPAN_MELT_FORCES_INL_HPP
#endif

#include "makespan/apps/melt/detail/lanes-inl.hpp"
#include "makespan/apps/melt/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::melt::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// What is the same for all rows of a job.
struct alignas(64) RowRules {
  // Of a row within an atom's own cluster: row k is for atom k, and only those after it count.
  // First, so that its rows are aligned.
  double after[cluster_atoms][cluster_atoms];
  double cutoff;  // its square, as those above
};

inline void SetRules(double cutoff, RowRules& rules) {
  rules.cutoff = cutoff * cutoff;
  for (int atom = 0; atom < cluster_atoms; ++atom) {
    for (int lane = 0; lane < cluster_atoms; ++lane) {
      rules.after[atom][lane] = lane > atom ? rules.cutoff : 0.0;
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

// A row from when its division is begun until it is finished.
struct OpenRow {
  double* lanes;                 // of the cluster's x; its forces follow its positions
  Doubles delta[3][part_count];  // from the partner to the atom
  Doubles square[part_count];    // of the distance
  Doubles inverse[part_count];   // 1 / square
};

MAKESPAN_BODY void Measured(Doubles const (&atom)[3], double* lanes, OpenRow& row) {
  hn::F64 const d;
  row.lanes = lanes;
  MAKESPAN_UNROLL
  for (int part = 0; part < part_count; ++part) {
    double const* const from = lanes + part * part_lanes;
    Doubles const dx = hn::Sub(atom[0], hn::Load(d, from));
    Doubles const dy = hn::Sub(atom[1], hn::Load(d, from + cluster_atoms));
    Doubles const dz = hn::Sub(atom[2], hn::Load(d, from + 2 * cluster_atoms));
    row.delta[0][part] = dx;
    row.delta[1][part] = dy;
    row.delta[2][part] = dz;
    row.square[part] = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
  }
}

MAKESPAN_BODY void Divide(OpenRow& row) {
  MAKESPAN_UNROLL
  for (int part = 0; part < part_count; ++part) {
    row.inverse[part] = hn::Div(Of(1), row.square[part]);
  }
}

// Puts all but the atoms after this one at the cutoff; the atom itself, whose distance is 0, too.
MAKESPAN_BODY void KeepAfter(double const* after, double cutoff, OpenRow& row) {
  MAKESPAN_UNROLL
  for (int part = 0; part < part_count; ++part) {
    Doubles const limit = hn::Load(hn::F64(), after + part * part_lanes);
    Doubles const square = row.square[part];
    row.square[part] = hn::IfThenElse(hn::Gt(limit, square), square, Of(cutoff));
  }
}

// Adds what comes of a row to the atom's force and to the cluster's.
template <Measure measure>
MAKESPAN_BODY void Finish(OpenRow const& row, Doubles cutoff, AtomForce& force, LaneSums& sums) {
  hn::F64 const d;
  MAKESPAN_UNROLL
  for (int part = 0; part < part_count; ++part) {
    auto const inside = hn::Gt(cutoff, row.square[part]);
    Doubles const s = row.inverse[part];
    Doubles const s2 = hn::Mul(s, s);
    Doubles const s3 = hn::Mul(s2, s);
    Doubles const s4 = hn::Mul(s2, s2);
    Doubles const twice = hn::MulAdd(Of(2), s3, Of(-1));
    Doubles const strength = hn::IfThenElseZero(inside, hn::Mul(s4, twice));
    MAKESPAN_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      double* const to = row.lanes + cluster_doubles + axis * cluster_atoms + part * part_lanes;
      Doubles const push = hn::Mul(strength, row.delta[axis][part]);
      force.axis[axis][part] = hn::Add(force.axis[axis][part], push);
      hn::Store(hn::Sub(hn::Load(d, to), push), d, to);
    }
    if constexpr (measure == Measure::forces_and_sums) {
      Doubles const kept = hn::IfThenElseZero(inside, s3);
      sums.inverse_12[part] = hn::MulAdd(kept, kept, sums.inverse_12[part]);
      sums.inverse_6[part] = hn::Add(kept, sums.inverse_6[part]);
      sums.pairs[part] = hn::Add(hn::IfThenElseZero(inside, Of(1)), sums.pairs[part]);
    }
  }
}

// The rows of one entry. Each row's division is begun before the row before it is finished, so that
// one's wait is the other's work.
template <Pairs pairs, Measure measure>
MAKESPAN_BODY AtomForce ForceOfEntry(ForceJob const& job, PairEntry const& entry,
                                     std::uint32_t const* rows, RowRules const& rules,
                                     LaneSums& sums) {
  double* const slots = job.slots->positions.axis[0].data();
  double const* const from = job.first->axis[0].data() + entry.position;
  Doubles const atom[3] = {Of(from[0]), Of(from[cluster_atoms]), Of(from[2 * cluster_atoms])};
  Doubles const cutoff = Of(rules.cutoff);
  AtomForce force;
  for (auto& axis : force.axis) {
    for (Doubles& part : axis) part = hn::Zero(hn::F64());
  }
  std::uint32_t const* const end = rows + entry.rows;
  OpenRow now;
  Measured(atom, slots + *rows, now);
  if constexpr (pairs == Pairs::within_cell) {
    KeepAfter(rules.after[entry.position % cluster_atoms], rules.cutoff, now);
  }
  Divide(now);
  while (++rows != end) {
    OpenRow next;
    Measured(atom, slots + *rows, next);
    Divide(next);
    Finish<measure>(now, cutoff, force, sums);
    now = next;
  }
  Finish<measure>(now, cutoff, force, sums);
  return force;
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
MAKESPAN_BODY void AddRows(ForceJob const& job, LaneSums& sums) {
  RowRules rules;
  SetRules(job.cutoff, rules);
  double* const forces = job.first_forces->axis[0].data();
  std::uint32_t const* rows = job.list->rows.data();
  for (PairEntry const& entry : job.list->entries) {
    AtomForce const force = ForceOfEntry<pairs, measure>(job, entry, rows, rules, sums);
    rows += entry.rows;
    for (int axis = 0; axis < 3; ++axis) {
      forces[entry.force + axis * cluster_atoms] = hn::SumOfEight(force.axis[axis]);
    }
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
  AddRows<pairs, measure>(job, sums);
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

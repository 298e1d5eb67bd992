// SPDX-License-Identifier: Apache-2.0
// Finds the clusters that have pairs within reach: first by the boxes around clusters, one of the
// first cell against eight of the second; then by distances, eight atoms of the first cluster, one
// a lane, against each atom of the second.

#if defined(MAKESPAN_MELT_SEARCH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_MELT_SEARCH_INL_HPP
#undef MAKESPAN_MELT_SEARCH_INL_HPP
#else
#define MAKESPAN_MELT_SEARCH_INL_HPP
#endif

#include <bit>

#include "makespan/apps/melt/detail/lanes-inl.hpp"
#include "makespan/apps/melt/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::melt::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Squares of the distances from one box to eight others.
MAKESPAN_BODY void BoxDistances(SearchJob const& job, std::int64_t cluster, std::int64_t group,
                                double* squares) {
  hn::F64 const d;
  ClusterVectors const& own_low = job.first->low[cluster / cluster_atoms];
  ClusterVectors const& own_high = job.first->high[cluster / cluster_atoms];
  ClusterVectors const& low = job.second->low[group];
  ClusterVectors const& high = job.second->high[group];
  for (int part = 0; part < part_count; ++part) {
    int const lane = part * part_lanes;
    Doubles square = hn::Zero(d);
    for (int axis = 0; axis < 3; ++axis) {
      Doubles const below = hn::Sub(hn::Load(d, low.axis[axis].data() + lane),
                                    Of(own_high.axis[axis][cluster % cluster_atoms]));
      Doubles const above = hn::Sub(Of(own_low.axis[axis][cluster % cluster_atoms]),
                                    hn::Load(d, high.axis[axis].data() + lane));
      Doubles const gap = hn::Max(hn::Max(below, above), hn::Zero(d));
      square = hn::MulAdd(gap, gap, square);
    }
    hn::Store(square, d, squares + lane);
  }
}

// Squares of the distances from eight atoms each to the nearest of a cluster.
MAKESPAN_BODY void NearestDistances(ClusterVectors const& first, ClusterVectors const& second,
                                    double* squares) {
  hn::F64 const d;
  for (int part = 0; part < part_count; ++part) {
    int const lane = part * part_lanes;
    Doubles const x = hn::Load(d, first.axis[0].data() + lane);
    Doubles const y = hn::Load(d, first.axis[1].data() + lane);
    Doubles const z = hn::Load(d, first.axis[2].data() + lane);
    Doubles nearest = Of(nowhere * nowhere);
    MAKESPAN_UNROLL
    for (int atom = 0; atom < cluster_atoms; ++atom) {
      Doubles const dx = hn::Sub(x, Of(second.axis[0][atom]));
      Doubles const dy = hn::Sub(y, Of(second.axis[1][atom]));
      Doubles const dz = hn::Sub(z, Of(second.axis[2][atom]));
      nearest = hn::Min(nearest, hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx))));
    }
    hn::Store(nearest, d, squares + lane);
  }
}

MAKESPAN_BODY std::uint32_t FirstBits(std::int64_t count) {
  return count >= cluster_atoms ? 0xffU : (1U << count) - 1U;
}

// Bits of the first `count` that are below the limit.
MAKESPAN_BODY std::uint32_t Below(double limit, double const* values, std::int64_t count) {
  std::uint32_t bits = 0;
  for (int i = 0; i < cluster_atoms; ++i) {
    bits |= static_cast<std::uint32_t>(values[i] < limit) << i;
  }
  return bits & FirstBits(count);
}

// Adds a pair of clusters to those found at `to` if any of its `atoms` has a partner; returns how
// many were added.
MAKESPAN_BODY int AddIfNear(SearchJob const& job, ClusterPair pair, std::int64_t atoms,
                            ClusterPair* to) {
  alignas(64) double squares[cluster_atoms];
  NearestDistances(job.first->positions[pair.first], job.second->positions[pair.second], squares);
  pair.atoms = Below(job.reach * job.reach, squares, atoms);
  // Written in any case: what is not counted is written over by the next.
  *to = pair;
  return pair.atoms != 0 ? 1 : 0;
}

// Those of one cluster of the first cell.
MAKESPAN_BODY ClusterPair* FindPairsOf(SearchJob const& job, std::uint32_t cluster,
                                       ClusterPair* to) {
  std::int64_t const atoms = job.first->atoms - std::int64_t{cluster} * cluster_atoms;
  bool const within = job.pairs == Pairs::within_cell;
  if (within) *to++ = {cluster, cluster, FirstBits(atoms)};
  std::int64_t const begin = within ? cluster + 1 : 0;
  auto const clusters = static_cast<std::int64_t>(job.second->positions.size());
  auto const groups = static_cast<std::int64_t>(job.second->low.size());
  for (std::int64_t group = begin / cluster_atoms; group < groups; ++group) {
    alignas(64) double squares[cluster_atoms];
    BoxDistances(job, cluster, group, squares);
    // What boxes are said to be where no cluster is, is not looked at: sets come from elsewhere.
    std::uint32_t near = Below(job.reach * job.reach, squares, clusters - group * cluster_atoms);
    for (; near != 0; near &= near - 1) {
      auto const second = group * cluster_atoms + std::countr_zero(near);
      // Boxes are compared eight at a time: the first group may hold clusters before `begin`, whose
      // pairs with this one were found from their side.
      if (second < begin) continue;
      to += AddIfNear(job, {cluster, static_cast<std::uint32_t>(second), 0}, atoms, to);
    }
  }
  return to;
}

inline std::int64_t FindPairs(SearchJob const& job) {
  ClusterPair* to = job.found;
  auto const clusters = static_cast<std::uint32_t>(job.first->positions.size());
  for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
    to = FindPairsOf(job, cluster, to);
  }
  return to - job.found;
}

}  // namespace makespan::melt::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_MELT_SEARCH_INL_HPP

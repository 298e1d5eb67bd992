// SPDX-License-Identifier: Apache-2.0
#pragma once

// The oracle: a step of the whole grid, voxel by voxel, written down as the headers say it.

#include <cmath>

#include "apps/calcium/unit_grid.hpp"

namespace makespan::calcium {

class PlainStep {
 public:
  PlainStep(Factors const& factors, VoxelMap const& map, grid::Faces const& faces,
            std::span<Source const> sources)
      : factors_{factors}, map_{map}, faces_{faces}, sources_{sources} {}

  [[nodiscard]] Values after(Values const& now, std::int64_t number) const {
    Values next = now;
    grid::Point const points = map_.points();
    for (std::int64_t z = 0; z < points.z; ++z) {
      for (std::int64_t y = 0; y < points.y; ++y) {
        for (std::int64_t x = 0; x < points.x; ++x) compute({x, y, z}, number, now, next);
      }
    }
    return next;
  }

 private:
  [[nodiscard]] double seen(Values const& now, int field, grid::Point at, int face) const {
    grid::Point const points = map_.points();
    std::array<std::int64_t, 3> to{at.x, at.y, at.z};
    std::array<std::int64_t, 3> const extent{points.x, points.y, points.z};
    auto const axis = static_cast<std::size_t>(face / 2);
    to[axis] += face % 2 == 0 ? -1 : 1;
    double const here = now[index_of(points, field, at)];
    if (!factors_.passes[number_of(at)][number_of({to[0], to[1], to[2]})]) return here;
    if (to[axis] < 0 || to[axis] >= extent[axis]) {
      grid::FaceKind const kind = faces_.kinds[static_cast<std::size_t>(face)];
      if (kind == grid::FaceKind::no_flux) return here;
      if (kind == grid::FaceKind::value) {
        return face_values()[static_cast<std::size_t>(field)][static_cast<std::size_t>(face)];
      }
      to[axis] = (to[axis] + extent[axis]) % extent[axis];
    }
    return now[index_of(points, field, {to[0], to[1], to[2]})];
  }
  [[nodiscard]] std::size_t number_of(grid::Point at) const {
    return static_cast<std::size_t>(map_.region(at));
  }
  void compute(grid::Point at, std::int64_t number, Values const& now, Values& next) const {
    std::array<double, field_count> u{};
    for (std::size_t i = 0; i < mobile_fields.size(); ++i) {
      auto const field = static_cast<std::size_t>(mobile_fields[i]);
      auto const see = [&](int face) { return seen(now, static_cast<int>(field), at, face); };
      double const here = now[index_of(map_.points(), static_cast<int>(field), at)];
      double const less = std::fma(-6.0, here, see(4) + see(5));
      double const sum = ((see(0) + see(1)) + (see(2) + see(3))) + less;
      u[field] = std::fma(factors_.lambda[number_of(at)][i], sum, here);
    }
    constexpr int trpn = static_cast<int>(Field::ca_trpn);
    u[trpn] = now[index_of(map_.points(), trpn, at)];
    u[0] += gain(now, at, number);
    refill(factors_.reactions[number_of(at)], u[0]);
    if (factors_.has_pumps) pump(at, u[0]);
    react(factors_.reactions[number_of(at)], u);
    for (int field = 0; field < field_count; ++field) {
      next[index_of(map_.points(), field, at)] = u[static_cast<std::size_t>(field)];
    }
  }
  [[nodiscard]] double gain(Values const& now, grid::Point at, std::int64_t number) const {
    double sum = 0;
    for (Source const& source : sources_) {
      if (source.voxel != at || number < source.step_begin || number >= source.step_end) continue;
      double const here = now[index_of(map_.points(), 0, at)];
      grid::Point beyond = both_sides(source)[1].voxel;
      if (source.exchange == 0) beyond = at;
      sum += source.exchange * (now[index_of(map_.points(), 0, beyond)] - here) + source.amount;
    }
    return sum;
  }
  static void refill(Reaction const& reaction, double& ca) {
    ca = std::fma(reaction.refill, reaction.refill_to - ca, ca);
  }
  // SERCA where there is some, and each face towards a T-tubule.
  void pump(grid::Point at, double& ca) const {
    Pumping const& pumping = factors_.pumpings[number_of(at)];
    double const from = ca;
    double const k = from * from;
    if (pumping.has_uptake) {
      Uptake const& by = pumping.uptake;
      double const forth = std::fma(by.forth4, k, by.forth2) * k - by.back;
      double const all = std::fma(std::fma(by.all4, k, by.all2), k, by.all0);
      ca += by.leak * (by.leak_from - from) - forth / all;
    }
    if (!pumping.has_membrane) return;
    int faces = 0;
    for (int const step : {-1, 1}) {
      for (grid::Point const to : {grid::Point{step, 0, 0}, {0, step, 0}, {0, 0, step}}) {
        faces += map_.region(at + to) == Region::t_tubule ? 1 : 0;
      }
    }
    MembraneFlux const& by = factors_.membrane;
    double const exchanged = std::fma(-by.out, from, by.in) / std::fma(by.all_ca, from, by.all);
    double const pumped = by.pump * k / (k + by.pump_half2);
    ca = std::fma(faces, by.leak + (exchanged - pumped), ca);
  }
  static void react(Reaction const& reaction, std::array<double, field_count>& u) {
    double const ca = u[0];
    double left = ca;
    for (std::size_t b = 0; b < buffer_count; ++b) {
      double const bound = u[b + 1];
      double const binding = ca * std::fma(-reaction.on[b], bound, reaction.on_total[b]);
      u[b + 1] = bound + std::fma(-reaction.off[b], bound, binding);
      left -= u[b + 1] - bound;
    }
    u[0] = left;
  }

  Factors const& factors_;
  VoxelMap const& map_;
  grid::Faces faces_;
  std::span<Source const> sources_;
};

}  // namespace makespan::calcium

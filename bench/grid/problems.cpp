// SPDX-License-Identifier: Apache-2.0
#include "problems.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/program/program_builder.hpp"

namespace makespan::bench {
namespace {

using grid::ProgramBuilder;
using Value = ProgramBuilder::Value;

// The two neighbours along each axis.
struct Neighbours {
  Value x;
  Value y;
  Value z;
};
Neighbours neighbours(ProgramBuilder& of, int field) {
  return {of.load(field, {-1, 0, 0}) + of.load(field, {1, 0, 0}),
          of.load(field, {0, -1, 0}) + of.load(field, {0, 1, 0}),
          of.load(field, {0, 0, -1}) + of.load(field, {0, 0, 1})};
}

// u + factor (sum of six - 6 u), as apps/calcium has it.
Value spread(ProgramBuilder& of, int field, double factor) {
  Value const here = of.load(field);
  Neighbours const six = neighbours(of, field);
  Value const less = of.fused(of.constant(-6), here, six.z);
  return of.fused(of.constant(factor), (six.x + six.y) + less, here);
}

// As field.laplacian() of python/makespan/equations is traced, with spacings of 1.
Value laplacian(ProgramBuilder& of, int field, std::span<double const> weights) {
  Value total = of.constant(weights[0] * 3) * of.load(field);
  for (int k = 1; k < std::ssize(weights); ++k) {
    Value const ring = (of.load(field, {-k, 0, 0}) + of.load(field, {k, 0, 0})) +
                       (of.load(field, {0, -k, 0}) + of.load(field, {0, k, 0})) +
                       (of.load(field, {0, 0, -k}) + of.load(field, {0, 0, k}));
    total = total + of.constant(weights[static_cast<std::size_t>(k)]) * ring;
  }
  return total;
}

constexpr std::array second_order{-2.0, 1.0};
constexpr std::array eighth_order{-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

// The operations of apps/diffusion.
grid::PointProgram diffusion_by_hand() {
  ProgramBuilder of({"u"});
  Neighbours const six = neighbours(of, 0);
  Value const lambda = of.constant(0.1);
  Value const here = of.constant(1 - 2 * (0.1 + 0.1 + 0.1)) * of.load(0);
  of.update(0, of.fused(lambda, six.z, of.fused(lambda, six.y, of.fused(lambda, six.x, here))));
  return of.program();
}

}  // namespace

double hashed(grid::Point at) {
  return static_cast<double>((7 * at.x + 13 * at.y + 29 * at.z) % 64) / 64;
}

double weight(grid::Point at) {
  return static_cast<double>(1 + (3 * at.x + 5 * at.y + 11 * at.z) % 17);
}

double weighted_sum(std::span<grid::FieldView const> views) {
  double sum = 0;
  for (grid::FieldView const& view : views) {
    grid::Point const extent = view.box.extent();
    for (std::int64_t z = 0; z < extent.z; ++z) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        double const* const row = view.at(y, z);
        for (std::int64_t x = 0; x < extent.x; ++x) sum += weight({x, y, z}) * row[x];
      }
    }
  }
  return sum;
}

GridBenchProblem diffusion_problem() {
  ProgramBuilder of({"u"});
  of.update(0, of.load(0) + of.constant(0.1) * laplacian(of, 0, second_order));
  return {.name = "diffusion",
          .program = of.program(),
          .as_by_hand = diffusion_by_hand(),
          .bytes = 16,
          .first = [](int, grid::Point at) { return hashed(at); }};
}

GridBenchProblem wave_problem() {
  ProgramBuilder of({"u", "before"});
  Value const moved = of.constant(2) * of.load(0) - of.load(1);
  of.update(0, moved + of.constant(0.1) * laplacian(of, 0, eighth_order));
  of.update(1, of.load(0));
  return {.name = "wave",
          .program = of.program(),
          .as_by_hand = {},
          .bytes = 32,
          .first = [](int, grid::Point at) { return hashed(at); }};
}

GridBenchProblem gray_scott_problem() {
  constexpr double feed = 0.035;
  constexpr double kill = 0.065;
  ProgramBuilder of({"u", "v"});
  Value const u = of.load(0);
  Value const v = of.load(1);
  Value const reaction = (u * v) * v;
  of.update(0, u + of.constant(0.16) * laplacian(of, 0, second_order) - reaction +
                   of.constant(feed) * (of.constant(1) - u));
  of.update(1, v + of.constant(0.08) * laplacian(of, 1, second_order) + reaction -
                   of.constant(feed + kill) * v);
  return {.name = "gray_scott",
          .program = of.program(),
          .as_by_hand = {},
          .bytes = 32,
          .first = [](int field, grid::Point at) {
            return field == 0 ? 1 - hashed(at) / 2 : hashed(at) / 4;
          }};
}

calcium::CalciumSettings plain_calcium(grid::Point points) {
  calcium::CalciumSettings settings;
  constexpr double spacing = 0.005;
  settings.voxels = {.points = points, .spacing = spacing};
  settings.time_step = 0.5 * spacing * spacing / (6 * settings.species.ca_diffusion);
  settings.geometry.layout = calcium::Layout::plain;
  settings.openings = {};
  return settings;
}

GridBenchProblem calcium_problem(calcium::CalciumSettings const& settings) {
  using calcium::Field;
  auto const factors = calcium::factors_of(settings);
  auto const cytosol = static_cast<std::size_t>(calcium::Region::cytosol);
  calcium::Reaction const& reaction = factors.reactions[cytosol];
  ProgramBuilder of({"ca", "ca_atp", "ca_cmdn", "ca_trpn", "ca_fluo"});
  std::vector<Value> left;
  for (std::size_t f = 0; f < calcium::mobile_count; ++f) {
    left.push_back(
        spread(of, static_cast<int>(calcium::mobile_fields[f]), factors.lambda[cytosol][f]));
  }
  // Troponin stays where it is: after calmodulin, as the fields are in order.
  left.insert(left.begin() + static_cast<int>(Field::ca_trpn),
              of.load(static_cast<int>(Field::ca_trpn)));
  Value const ca = left[0];
  Value free = ca;
  for (std::size_t b = 0; b < calcium::buffer_count; ++b) {
    Value const bound = left[b + 1];
    Value const binding =
        ca * of.fused(of.constant(-reaction.on[b]), bound, of.constant(reaction.on_total[b]));
    Value const after = bound + of.fused(of.constant(-reaction.off[b]), bound, binding);
    of.update(static_cast<int>(b) + 1, after);
    free = free - (after - bound);
  }
  of.update(0, free);
  auto const rest = calcium::cytosol_at_rest(settings.species);
  return {.name = "calcium",
          .program = of.program(),
          .as_by_hand = of.program(),
          .bytes = 80,
          .beyond = grid::Beyond::mirror,
          .first = [rest](int field, grid::Point at) {
            return rest[static_cast<std::size_t>(field)] * (0.5 + hashed(at));
          }};
}

GridBenchProblem problem_named(std::string_view name, grid::Point points) {
  if (name == "diffusion") return diffusion_problem();
  if (name == "wave") return wave_problem();
  if (name == "gray_scott") return gray_scott_problem();
  if (name == "calcium") return calcium_problem(plain_calcium(points));
  throw InputError("problem '" + std::string(name) + "' is unknown", "",
                   "give diffusion, wave, gray_scott or calcium");
}

}  // namespace makespan::bench

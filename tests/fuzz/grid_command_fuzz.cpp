// SPDX-License-Identifier: Apache-2.0
// Commands of a grid team, and the models that an image makes of their orders.
#include <algorithm>
#include <array>

#include "fuzz/fuzz_input.hpp"
#include "makespan/apps/calcium/geometry.hpp"
#include "makespan/apps/calcium/model/calcium_model.hpp"
#include "makespan/apps/diffusion/model/diffusion_model.hpp"
#include "makespan/apps/equations/equation_model.hpp"
#include "makespan/grid/detail/grid_checks.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/grid/program/program_builder.hpp"
#include "makespan/grid/team/detail/team_command.hpp"

namespace makespan::fuzz::grid_command_target {
namespace {

// A calcium unit knows what each of its points is: larger ones take as much memory as they should.
constexpr std::int64_t side_max = 48;

// One that is refused is not: that takes none.
bool is_large_unit(grid::ModelOrder const& order) {
  auto const points = FuzzInput(order.bytes).value<grid::Point>();
  auto const rows = static_cast<double>(points.y) * static_cast<double>(points.z);
  bool const is_made =
      std::min({points.x, points.y, points.z}) > 0 &&
      rows <= static_cast<double>(calcium::rows_max) &&
      rows * static_cast<double>(points.x) <= static_cast<double>(calcium::voxels_max);
  return order.kind == "calcium" && is_made && std::max({points.x, points.y, points.z}) > side_max;
}

// As of a machine without a compiler.
grid::GridModelKind interpreted_equations() {
  return {.name = equations::equation_kind().name, .make = [](std::span<std::byte const> order) {
            equations::EquationSettings settings = equations::settings_from(order);
            settings.kernel = grid::KernelChoice::interpreted;
            return std::make_unique<equations::EquationModel>(std::move(settings));
          }};
}

void make_model(grid::TeamCommand const& command) {
  std::array const kinds{diffusion::diffusion_kind(), calcium::calcium_kind(),
                         interpreted_equations()};
  auto const kind = std::ranges::find(kinds, command.order.kind, &grid::GridModelKind::name);
  if (kind == kinds.end() || is_large_unit(command.order)) return;
  auto const model = kind->make(command.order.bytes);
  grid::GridOptions const options{.schedule = command.options.schedule,
                                  .blocks = command.options.blocks,
                                  .block_order = command.options.block_order,
                                  .route = command.options.route,
                                  .cut = command.options.cut,
                                  .layers = command.options.layers,
                                  .plane_weights = command.options.plane_weights,
                                  .steps_at_once = command.options.steps_at_once};
  grid::GridProblem const problem = model->problem();
  std::array const devices{grid::GridDevice{.stencil = &model->stencil()}};
  static_cast<void>(grid::Grid::heap_bytes(problem, model->stencil().shape(), 1, options));
  grid::check_grid(problem, options, devices, 2);
  model->heed(command.word);
}

void take(std::span<std::byte const> bytes) {
  make_model(grid::command_from(bytes));
}

std::vector<Bytes> seeds() {
  diffusion::DiffusionSettings const field{.points = {8, 8, 8}, .lambdas = {0.1, 0.1, 0.1}};
  calcium::CalciumModelSettings unit;
  unit.unit.voxels = {.points = {8, 8, 8}, .spacing = 0.1};
  unit.unit.geometry.layout = calcium::Layout::plain;
  unit.unit.openings.clear();
  unit.unit.time_step = 1e-4;
  grid::ProgramBuilder equation({"u", "given"}, 1);
  equation.update(
      0, equation.fused(equation.parameter(0), equation.load(0, {-1}) + equation.load(0, {0, 1, 0}),
                        equation.load(1)));
  equations::EquationSettings const own{.points = {8, 8, 8},
                                        .values = std::vector<grid::FaceValues>(2),
                                        .program = equation.program(),
                                        .parameters = {0.25}};
  calcium::Source const source{.voxel = {1, 2, 3}, .amount = 0.25, .step_end = 100};
  return {grid::bytes_of({.verb = grid::Verb::open, .order = diffusion::order_of(field)}),
          grid::bytes_of({.verb = grid::Verb::open,
                          .order = calcium::order_of(unit),
                          .word = calcium::word_of({source})}),
          grid::bytes_of({.verb = grid::Verb::open,
                          .order = equations::order_of(own),
                          .word = equations::word_of({0.5})}),
          grid::bytes_of({.verb = grid::Verb::gather, .field = 1, .box = {{}, {4, 4, 4}}})};
}

FuzzTarget const target("grid_command", &take, &seeds);

}  // namespace
}  // namespace makespan::fuzz::grid_command_target

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/equations/equation_model.hpp"

#include <cereal/types/array.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <string>
#include <utility>

#include "makespan/apps/equations/gpu/gpu_equations.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::grid {

template <class Archive>
void serialize(Archive& archive, PointProgram& program) {
  archive(program.fields, program.parameters, program.nodes, program.updates);
}

}  // namespace makespan::grid

namespace makespan::equations {

template <class Archive>
void serialize(Archive& archive, EquationSettings& settings) {
  archive(settings.points.x, settings.points.y, settings.points.z, settings.faces.kinds,
          settings.values, settings.program, settings.parameters, settings.kernel,
          settings.steps_at_once);
}

namespace {

constexpr std::string_view suggestion = "start the same makespan on all images";

void check_parameters(std::size_t given, grid::PointProgram const& program) {
  if (static_cast<std::int64_t>(given) == program.parameters) return;
  throw InputError(std::to_string(given) + " parameters",
                   "the program has " + std::to_string(program.parameters), suggestion);
}

}  // namespace

// An order is of another image: its enumerators may be any.
EquationSettings settings_from(std::span<std::byte const> order) {
  auto settings = pgas::unpacked<EquationSettings>(order);
  for (grid::FaceKind const kind : settings.faces.kinds) {
    if (kind <= grid::FaceKind::periodic) continue;
    throw InputError("a face of kind " + std::to_string(static_cast<int>(kind)), "there are 0 to 2",
                     suggestion);
  }
  if (settings.kernel > grid::KernelChoice::interpreted) {
    throw InputError("a kernel of kind " + std::to_string(static_cast<int>(settings.kernel)),
                     "there are 0 to 2", suggestion);
  }
  return settings;
}

EquationModel::EquationModel(EquationSettings settings) : settings_{std::move(settings)} {
  grid::CheckedProgram program(settings_.program, settings_.steps_at_once);
  check_parameters(settings_.parameters.size(), settings_.program);
  if (settings_.values.size() != settings_.program.fields.size()) {
    throw InputError(
        std::to_string(settings_.values.size()) + " fields' face values",
        "the program has " + std::to_string(settings_.program.fields.size()) + " fields",
        suggestion);
  }
  grid::CompilerOptions options;
  options.is_stopped = std::exchange(settings_.is_stopped, {});
  auto kernel = grid::row_kernel(program, settings_.kernel, options);
  stencil_ = std::make_unique<grid::ProgramStencil>(std::move(program), std::move(kernel),
                                                    settings_.parameters);
}

grid::GridProblem EquationModel::problem() const {
  return {.box = {{}, settings_.points}, .faces = settings_.faces, .values = settings_.values};
}

std::shared_ptr<grid::Accelerator> EquationModel::accelerator(int gpu) const {
  if (settings_.kernel == grid::KernelChoice::interpreted) {
    throw InputError("GPU " + std::to_string(gpu) + " and kernel=\"interpreted\"",
                     "an update is compiled for a GPU", "leave one of them out");
  }
  return gpu_equations(*stencil_, gpu);
}

void EquationModel::start(grid::Box const& box, std::span<grid::FieldView const> fields) const {
  grid::fill_box(fields, box, [](int, grid::Point) { return 0.0; });
}

void EquationModel::heed(std::span<std::byte const> word) {
  auto parameters = pgas::unpacked<std::vector<double>>(word);
  check_parameters(parameters.size(), settings_.program);
  stencil_->set_parameters(std::move(parameters));
}

grid::ModelOrder order_of(EquationSettings const& settings) {
  return {.kind = "equations", .bytes = pgas::packed(settings)};
}

std::vector<std::byte> word_of(std::vector<double> const& parameters) {
  return pgas::packed(parameters);
}

grid::GridModelKind equation_kind() {
  return {.name = "equations", .make = [](std::span<std::byte const> order) {
            return std::make_unique<EquationModel>(settings_from(order));
          }};
}

}  // namespace makespan::equations

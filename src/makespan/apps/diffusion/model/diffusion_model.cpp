// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/diffusion/model/diffusion_model.hpp"

#include <cereal/types/array.hpp>
#include <cereal/types/string.hpp>
#include <string>

#include "makespan/apps/diffusion/gpu/gpu_diffusion.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::diffusion {

template <class Archive>
void serialize(Archive& archive, DiffusionSettings& settings) {
  archive(settings.points.x, settings.points.y, settings.points.z, settings.faces.kinds,
          settings.values, settings.lambdas.x, settings.lambdas.y, settings.lambdas.z, settings.isa,
          settings.steps_at_once);
}

namespace {

// An order is of another image: its enumerators may be any.
DiffusionSettings settings_from(std::span<std::byte const> order) {
  auto settings = pgas::unpacked<DiffusionSettings>(order);
  for (grid::FaceKind const kind : settings.faces.kinds) {
    if (kind <= grid::FaceKind::periodic) continue;
    throw InputError(
        "an order of diffusion with a face of kind " + std::to_string(static_cast<int>(kind)),
        "there are 0 to 2", "start the same executable on all images");
  }
  return settings;
}

}  // namespace

DiffusionModel::DiffusionModel(DiffusionSettings const& settings)
    : settings_{settings},
      stencil_{settings.lambdas, {.isa = settings.isa, .steps_max = settings.steps_at_once}} {
}

grid::GridProblem DiffusionModel::problem() const {
  return {.box = {{}, settings_.points}, .faces = settings_.faces, .values = {settings_.values}};
}

std::shared_ptr<grid::Accelerator> DiffusionModel::accelerator(int gpu) const {
  return gpu_diffusion(settings_.lambdas, gpu);
}

void DiffusionModel::start(grid::Box const& box, std::span<grid::FieldView const> fields) const {
  grid::fill_box(fields, box, [](int, grid::Point) { return 0.0; });
}

void DiffusionModel::heed(std::span<std::byte const> word) {
  if (word.empty()) return;
  throw InputError("diffusion is told " + std::to_string(word.size()) + " bytes",
                   "it has nothing to be told", "start the same executable on all images");
}

grid::ModelOrder order_of(DiffusionSettings const& settings) {
  return {.kind = "diffusion", .bytes = pgas::packed(settings)};
}

grid::GridModelKind diffusion_kind() {
  return {.name = "diffusion", .make = [](std::span<std::byte const> order) {
            return std::make_unique<DiffusionModel>(settings_from(order));
          }};
}

}  // namespace makespan::diffusion

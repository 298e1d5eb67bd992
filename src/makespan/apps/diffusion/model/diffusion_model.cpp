// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/diffusion/model/diffusion_model.hpp"

#include <cereal/types/array.hpp>
#include <cereal/types/string.hpp>

#include "makespan/apps/diffusion/gpu/gpu_diffusion.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/grid/box_rows.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::diffusion {

template <class Archive>
void serialize(Archive& archive, DiffusionSettings& settings) {
  archive(settings.points.x, settings.points.y, settings.points.z, settings.faces.kinds,
          settings.values, settings.lambdas.x, settings.lambdas.y, settings.lambdas.z, settings.isa,
          settings.steps_at_once);
}

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
  MAKESPAN_EXPECT(word.empty());
}

grid::ModelOrder order_of(DiffusionSettings const& settings) {
  return {.kind = "diffusion", .bytes = pgas::packed(settings)};
}

grid::GridModelKind diffusion_kind() {
  return {.name = "diffusion", .make = [](std::span<std::byte const> order) {
            return std::make_unique<DiffusionModel>(pgas::unpacked<DiffusionSettings>(order));
          }};
}

}  // namespace makespan::diffusion

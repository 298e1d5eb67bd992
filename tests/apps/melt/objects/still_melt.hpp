// SPDX-License-Identifier: Apache-2.0
#pragma once

// A place with the objects of a small melt, which sends nothing: methods can be called one by one.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "makespan/apps/melt/filled_cells.hpp"
#include "makespan/apps/melt/lattice.hpp"
#include "makespan/apps/melt/objects/detail/cell_object.hpp"
#include "makespan/apps/melt/objects/detail/compute_object.hpp"
#include "makespan/apps/melt/objects/detail/melt_place.hpp"
#include "makespan/apps/melt/objects/detail/recorder.hpp"
#include "makespan/graph/object/object_place.hpp"

namespace makespan::melt {

// 864 atoms in 27 cells and 378 computes.
inline MeltSettings still_settings() {
  return {.lattice_cells = {6, 6, 6},
          .cells = {3, 3, 3},
          .rebuild_steps = 1,
          .steps = 10,
          .thermo_steps = 4};
}

class StillPlace final : public graph::ObjectPlace {
 public:
  StillPlace() : ObjectPlace(0, 1, 0) {}

  template <class T>
  graph::ObjectStore& add() {
    stores().push_back(std::make_unique<graph::TypedStore<T>>());
    return *stores().back();
  }
  [[nodiscard]] bool is_lost(int /*place*/) const override { return false; }

 private:
  double cpu_s_of(int /*object*/) override { return 0; }
  double whole_cpu_s_of(int /*object*/) const override { return 0; }
  void send_payload(int /*object*/, std::shared_ptr<graph::Payload const> /*payload*/) override {}
  void send_payload(std::span<int const> /*objects*/,
                    std::shared_ptr<graph::Payload const> /*payload*/) override {}
  void add_object(int /*object*/, graph::LooseObject /*loose*/) override {}
  void send_object(int /*object*/, graph::LooseObject /*loose*/, int /*place*/) override {}
  void leave(int /*object*/, int /*place*/) override {}
};

class StillMelt {
 public:
  explicit StillMelt(MeltSettings const& settings = still_settings())
      : cells_(here.add<CellObject>()), computes_(here.add<ComputeObject>()) {
    CellGrid const grid(settings);
    MeltCollections const collections{
        .cells = {.id = 0, .first = 0, .count = grid.cells()},
        .computes = {.id = 1, .first = grid.cells(), .count = grid.computes()},
        .recorder = {.id = 2, .first = grid.cells() + grid.computes(), .count = 1}};
    here.add<Recorder>();
    constexpr std::int64_t frame_steps = 4;
    here.set_common(
        std::make_shared<MeltPlace>(settings, collections, Kernels::named("auto"), frame_steps));
    for (Cell& cell : filled_cells(grid, initial_atoms(settings))) {
      int const index = cell.index();
      put_cell(index, CellObject(std::move(cell)));
    }
    for (int index = 0; index < grid.computes(); ++index) {
      put_compute(index, ComputeObject(grid, settings, index));
    }
  }

  [[nodiscard]] MeltPlace& common() { return here.common<MeltPlace>(); }
  [[nodiscard]] MeltSettings const& settings() { return common().settings; }
  [[nodiscard]] CellObject& cell(int index) {
    return *static_cast<CellObject*>(cells_.find(index));
  }
  [[nodiscard]] ComputeObject& compute(int index) {
    return *static_cast<ComputeObject*>(computes_.find(index));
  }
  // In place of the one that is there.
  CellObject& put_cell(int index, CellObject object) {
    cells_.put(index, std::make_shared<CellObject>(std::move(object)));
    return cell(index);
  }
  ComputeObject& put_compute(int index, ComputeObject object) {
    computes_.put(index, std::make_shared<ComputeObject>(std::move(object)));
    return compute(index);
  }

  StillPlace here{};

 private:
  graph::ObjectStore& cells_;
  graph::ObjectStore& computes_;
};

}  // namespace makespan::melt

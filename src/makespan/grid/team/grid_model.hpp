// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all images of a team make alike from one order: a stencil, and the problem that it is for.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "makespan/grid/field/accelerator.hpp"
#include "makespan/grid/field/stencil.hpp"
#include "makespan/grid/grid_options.hpp"

namespace makespan::grid {

class GridModel {
 public:
  GridModel() = default;
  GridModel(GridModel const&) = delete;
  GridModel& operator=(GridModel const&) = delete;
  virtual ~GridModel() = default;

  [[nodiscard]] virtual GridProblem problem() const = 0;
  [[nodiscard]] virtual Stencil const& stencil() const = 0;
  // What computes the same on GPU number `gpu` of those that this process sees. Throws InputError
  // where there is none, or nothing that could; NotConfigured where a compiler is missing.
  [[nodiscard]] virtual std::shared_ptr<Accelerator> accelerator(int gpu) const = 0;
  // Sets the points of `box` in the fields to what they are at the beginning. Called by several
  // threads at once.
  virtual void start(Box const& box, std::span<FieldView const> fields) const = 0;
  // Between two runs of steps: what else image 0 has to say, such as what flows in from now on.
  virtual void heed(std::span<std::byte const> word) = 0;
};

// A kind of model, and how one is made of an order's bytes. Throws InputError where the order makes
// no sense.
struct GridModelKind {
  std::string_view name;
  std::function<std::unique_ptr<GridModel>(std::span<std::byte const> order)> make;
};

}  // namespace makespan::grid

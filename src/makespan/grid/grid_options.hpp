// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a grid is asked to be.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/cut/rebalance.hpp"
#include "makespan/grid/field/accelerator.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

// The same on all images.
struct GridProblem {
  Box box{};
  Faces faces{};
  std::vector<FaceValues> values{};  // by field; of faces that are `value`
};

// From step `from` on a device takes `factor` times as long for what it computes: as if its core
// were as much slower. For tests and benches of uneven machines on even ones.
struct Slowdown {
  std::int64_t from{};
  double factor{1.0};
};

// One of an image's devices.
struct GridDevice {
  // Of the same shape as all others'. Outlives the grid.
  Stencil const* stencil{};
  // Computes instead of the threads, one of which drives it. It makes one step at a time, and fills
  // no ends of rows.
  std::shared_ptr<Accelerator> accelerator{};
  // A thread on each; none: one thread, on no core in particular.
  std::vector<int> cores{};
  // How fast it is thought to be, in any unit that all devices share.
  Speed speed{1.0};
  std::int64_t planes_max{std::numeric_limits<std::int64_t>::max()};
  std::vector<Slowdown> slowdowns{};  // of threads, not of an accelerator
};

struct RebalanceRule {
  std::int64_t steps{0};  // between two looks; 0: never
  RebalanceOptions options{};
};

struct GridOptions {
  Schedule schedule{Schedule::overlap};
  Route route{Route::direct};
  ImageCut cut{ImageCut::automatic};
  HostLayers layers{};
  // Steps for one exchange of halos, as many times as wide: what their points need of one another
  // in between is computed by both.
  int steps_at_once{1};
  RebalanceRule rebalance{};
  // The last phases of each device that are kept, to be looked at one by one: Grid::phases().
  std::int64_t phases_kept{0};
};

// Where the time of a device went [s].
struct DeviceTimes {
  Seconds boundary{};  // computing what others wait for
  Seconds interior{};  // computing the rest; all of it without overlap
  Seconds send{};      // packing, and giving to the network
  Seconds wait{};      // for halos
  Seconds unpack{};
};

}  // namespace makespan::grid

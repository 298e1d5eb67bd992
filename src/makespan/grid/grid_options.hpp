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
  // A point takes at least so long, and the device sleeps for what is left of it: one of known
  // speed beside the cores. For tests and benches. Not of an accelerator; it makes one step at a
  // time.
  Seconds point_time{};
};

struct RebalanceRule {
  std::int64_t steps{0};  // between two looks; 0: never
  // One look more after so many steps of the grid, by which speeds that were said give way to those
  // that were measured; 0: none.
  std::int64_t first{0};
  RebalanceOptions options{};
};

struct GridOptions {
  Schedule schedule{Schedule::overlap};
  // Of each layer that others wait for, and which come first; of `pipeline`.
  int blocks{4};
  BlockOrder block_order{BlockOrder::far_first};
  Route route{Route::direct};
  ImageCut cut{ImageCut::automatic};
  HostLayers layers{};
  // What each plane of the box along z costs beside the others; none: all the same.
  std::vector<double> plane_weights{};
  // Steps for one exchange of halos, as many times as wide: what their points need of one another
  // in between is computed by both.
  int steps_at_once{1};
  RebalanceRule rebalance{};
  // The last phases of each device that are kept, to be looked at one by one: Grid::phases().
  std::int64_t phases_kept{0};
};

// Where the time of a device went [s]; of an accelerator, but for `busy`, the time of the thread
// that drives it.
struct DeviceTimes {
  Seconds boundary{};  // computing what others wait for; asking an accelerator for it
  // Computing the rest; all of it without overlap. Waiting for an accelerator's after its halos.
  Seconds interior{};
  Seconds pack{};  // halos, into memory from which they travel, or where they are waited for
  Seconds send{};  // giving them to the network
  Seconds wait{};  // for halos
  Seconds unpack{};
  // Computing: boundary and interior, or what an accelerator computed beside all of these.
  Seconds busy{};
};

// What a device sent, and when: by these a schedule that lost its overlap shows, and a halo that is
// sent twice.
struct HaloCounts {
  std::int64_t messages{};
  std::int64_t bytes{};
  std::int64_t hidden{};  // messages that left while points of their step were still to be computed
  std::int64_t early{};   // of these, those that left while points of the boundary were
  std::int64_t direct{};  // packed where they are waited for
  std::int64_t peer{};    // packed by an accelerator in another's memory
  std::int64_t relayed{};  // given to the host
  std::int64_t copies{};   // of doubles in a row, that packing took; of threads' memory
  std::int64_t surplus{};  // pieces that came beyond those that were due
};

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/grid.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/agreement.hpp"
#include "makespan/grid/cut/host_layers.hpp"
#include "makespan/grid/detail/box_mover.hpp"
#include "makespan/grid/detail/device_run.hpp"
#include "makespan/grid/detail/grid_checks.hpp"
#include "makespan/grid/detail/halo_exchange.hpp"
#include "makespan/grid/detail/put_pieces.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/grid/thread_team.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::grid {

namespace {

using Clock = std::chrono::steady_clock;

// Values that go to an accelerator at once: 8 MiB.
constexpr std::int64_t fill_doubles = std::int64_t{1} << 20;

// A thread for each device, on its first core; and one for the host that carries halos.
std::vector<int> driver_cores(std::vector<GridDevice> const& devices, Route route) {
  std::vector<int> cores;
  cores.reserve(devices.size() + 1);
  for (GridDevice const& device : devices) {
    cores.push_back(device.cores.empty() ? -1 : device.cores.front());
  }
  if (route == Route::relayed) cores.push_back(-1);
  return cores;
}

// Before anything was checked.
StencilShape first_shape(std::vector<GridDevice> const& devices) {
  bool const has_one = !devices.empty() && devices.front().stencil != nullptr;
  return has_one ? devices.front().stencil->shape() : StencilShape{};
}

}  // namespace

Grid::Grid(pgas::Runtime& runtime, GridProblem problem, std::vector<GridDevice> devices,
           GridOptions options)
    : runtime_{runtime},
      problem_{std::move(problem)},
      options_{std::move(options)},
      shape_{first_shape(devices)},
      halo_width_{shape_.halo.width * options_.steps_at_once},
      driver_cores_{driver_cores(devices, options_.route)} {
  agree_all(devices);
  weights_ = PlaneWeights(options_.plane_weights, problem_.box.begin.z);
  ImageDevices const all = devices_all(devices);
  // One image alone may get no threads.
  refuse_part_all(runtime_.team(), failure_of([&] { start_threads(std::move(devices)); }));
  // All images have the speeds and memories of all, and come to the same stacks.
  stacks_ = stacks_of(problem_.box, all, options_.cut, options_.layers, weights_);
  if (options_.steps_at_once > 1 && !problem_.faces.wraps().x) {
    check_row_ends(problem_.box, stacks_, halo_width_);
  }
  mover_ = std::make_unique<BoxMover>(runtime_, std::ssize(shape_.fields));
  if (auto const refusal = lay_all({})) std::rethrow_exception(refusal);
  runtime_.team().barrier_all();
  // Just behind a barrier, so that phases of different images can be laid side by side.
  for (auto const& device : devices_) device->clock().set_zero(Clock::now());
}

Grid::~Grid() = default;

void Grid::close_all() {
  runtime_.team().barrier_all();
  if (exchange_) exchange_->close_all();
  mover_->close_all();
}

void Grid::start_threads(std::vector<GridDevice> devices) {
  drivers_ = std::make_unique<ThreadTeam>(driver_cores_);
  for (GridDevice& device : devices) {
    devices_.push_back(
        std::make_unique<DeviceRun>(std::move(device), halo_width_, options_.phases_kept));
  }
}

// No image begins before all have checked their part.
void Grid::agree_all(std::vector<GridDevice> const& devices) {
  pgas::Team& team = runtime_.team();
  refuse_part_all(team, failure_of([&] {
                    check_grid(problem_, options_, devices, runtime_.describe().threads);
                  }));
  // All are equal where the least is the largest: one number of each image, whatever there is to
  // compare.
  std::uint64_t const mine = fingerprint_of(problem_, options_, shape_);
  if (team.all_reduce_all(pgas::ReduceOp::max, mine) !=
      team.all_reduce_all(pgas::ReduceOp::min, mine)) {
    throw InputError("the grid", "images differ in its box, faces, values, options or stencil",
                     "give all images the same");
  }
  bool const has_accelerator =
      std::ranges::any_of(devices, [](GridDevice const& device) { return !!device.accelerator; });
  expect_memory_all(runtime_, problem_, shape_, has_accelerator);
}

void Grid::expect_memory_all(pgas::Runtime& runtime, GridProblem const& problem,
                             StencilShape const& shape, bool has_accelerator) {
  // At least what there is: as if all hosts had that of the largest. Limits of a container or a
  // batch system are not known.
  double const bytes = has_accelerator ? std::numeric_limits<double>::infinity()
                                       : static_cast<double>(host_memory());
  double const nodes = runtime.describe().nodes;
  check_memory(problem, shape, nodes * runtime.team().all_reduce_all(pgas::ReduceOp::max, bytes));
}

ImageDevices Grid::devices_all(std::vector<GridDevice> const& devices) {
  pgas::Team& team = runtime_.team();
  int const mine = static_cast<int>(devices.size());
  devices_max_ = team.all_reduce_all(pgas::ReduceOp::max, mine);
  auto const count = static_cast<std::size_t>(devices_max_);
  std::vector<double> speeds(count);
  std::vector<std::int64_t> planes_max(count);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    speeds[i] = devices[i].speed.value();
    planes_max[i] = devices[i].planes_max;
  }
  auto const all_speeds = team.all_gather_all(std::span<double const>(speeds));
  planes_max_ = team.all_gather_all(std::span<std::int64_t const>(planes_max));
  for (double const speed : all_speeds) speeds_.emplace_back(speed);
  meters_.resize(speeds_.size());
  starts_.resize(speeds_.size());
  ImageDevices all(static_cast<std::size_t>(runtime_.images()));
  for (std::size_t at = 0; at < speeds_.size(); ++at) {
    // Images with fewer devices have filled up with speeds of 0.
    if (!(speeds_[at] > Speed{0.0})) continue;
    all[at / count].push_back({.speed = speeds_[at], .planes_max = planes_max_[at]});
  }
  for (auto const& of_image : all) devices_of_image_.push_back(static_cast<int>(of_image.size()));
  return all;
}

SlabPlan Grid::plan_of(Box const& box, std::int64_t halo_width) const {
  return {.box = box,
          .domain = problem_.box,
          .sides = sides_of(problem_.faces),
          .halo_width = halo_width,
          .roles = shape_.fields,
          .values = problem_.values};
}

Slab Grid::new_slab(int number, ExchangePlan const& plan, DeviceRun const& device) const {
  Box const& box = slabs_[static_cast<std::size_t>(number)].box;
  Slab slab{.number = number,
            .fields = device.fields(plan_of(box, halo_width_)),
            .accelerator = device.device().accelerator.get()};
  slab.sent = plan.sent_by(number);
  slab.received = plan.received_by(number);
  Point const plane = stack_with(box).box.extent();
  Point const size = box.extent();
  // What it is in whole planes of its stack: beside a host's layers it has less of each.
  slab.planes = weights_.between(box.begin.z, box.end.z) *
                (static_cast<double>(size.x * size.y) / static_cast<double>(plane.x * plane.y));
  lay_stages(slab);
  return slab;
}

DeviceStack const& Grid::stack_with(Box const& box) const {
  auto const found = std::ranges::find_if(
      stacks_, [&](DeviceStack const& stack) { return intersection(stack.box, box) == box; });
  MAKESPAN_ASSERT(found != stacks_.end());
  return *found;
}

void Grid::lay_stages(Slab& slab) const {
  Box const& box = slab.fields.box();
  if (options_.schedule == Schedule::none) {
    slab.stages = {{.boxes = {box}, .messages = slab.sent}};
    return;
  }
  SlabRegions const regions = regions_of(box, slab.sent, halo_width_);
  slab.interior = regions.interior;
  if (options_.schedule == Schedule::overlap) {
    slab.stages = {{.boxes = regions.boundary, .messages = slab.sent}};
    return;
  }
  std::vector<bool> is_far(slabs_.size());
  for (std::size_t other = 0; other < slabs_.size(); ++other) {
    is_far[other] = slabs_[other].owner.image != image();
  }
  slab.stages = stages_of(regions, slab.sent, options_.blocks, options_.block_order, is_far);
  // One that sends nothing has a stage all the same, after which its interior is computed.
  if (slab.stages.empty()) slab.stages.emplace_back();
}

Slab& Grid::slab_here(int number) {
  for (auto const& device : devices_) {
    for (Slab& slab : device->slabs()) {
      if (slab.number == number) return slab;
    }
  }
  MAKESPAN_ASSERT(false);
  std::terminate();
}

void Grid::make_slabs(ExchangePlan const& plan) {
  for (int number = 0; number < std::ssize(slabs_); ++number) {
    DeviceName const& owner = slabs_[static_cast<std::size_t>(number)].owner;
    if (owner.image != image()) continue;
    auto const at = static_cast<std::size_t>(owner.device);
    DeviceRun& device = *devices_[at];
    // As the thread that will drive the device: it is the first of those that touch the memory.
    machine::PinScope const pinned(driver_cores_[at]);
    Slab slab = new_slab(number, plan, device);
    device.clear(slab.fields);
    device.slabs().push_back(std::move(slab));
  }
}

ExchangePlan Grid::plan_halos() const {
  Halo const halo{.width = halo_width_,
                  // Several steps at once reach around corners, whatever one step reaches.
                  .shape = options_.steps_at_once > 1 ? HaloShape::box : shape_.halo.shape};
  ExchangePlan plan = exchange_plan(slabs_, {problem_.box, problem_.faces.wraps()}, halo);
  if (options_.schedule != Schedule::pipeline) return plan;
  return in_blocks(plan, options_.blocks);
}

std::vector<Accelerator*> Grid::accelerators_by_slab() const {
  std::vector<Accelerator*> found(slabs_.size());
  for (auto const& device : devices_) {
    for (Slab const& slab : device->slabs()) {
      found[static_cast<std::size_t>(slab.number)] = slab.accelerator;
    }
  }
  return found;
}

void Grid::fill(std::function<double(int field, Point at)> const& value) {
  fill_boxes(
      [&](Box const& box, std::span<FieldView const> fields) { fill_box(fields, box, value); });
}

void Grid::fill_boxes(SetBox const& set) {
  has_halos_ = false;  // also if `set` throws
  for (auto const& device : devices_) {
    for (Slab& slab : device->slabs()) {
      if (slab.accelerator != nullptr) {
        fill_accelerator(slab, set);
        continue;
      }
      device->for_each_part(slab.fields.box(),
                            [&](Box const& part) { set(part, slab.fields.now()); });
    }
  }
}

// What the host cannot reach is set in fields of its own, some planes at a time, and goes over.
void Grid::fill_accelerator(Slab const& slab, SetBox const& set) const {
  Box const& box = slab.fields.box();
  std::int64_t const plane = box.extent().x * box.extent().y * std::ssize(shape_.fields);
  std::vector<double> values;
  for (Box const& part :
       chunks_of(box, std::max(plane, fill_doubles) / std::ssize(shape_.fields))) {
    SlabFields fields(plan_of(part, 0));
    fields.clear(fields.first_plane(), fields.last_plane());
    set(part, fields.now());
    values.resize(static_cast<std::size_t>(part.points() * std::ssize(shape_.fields)));
    pack(fields.now(), part, values.data());
    write_values(values.data(), slab, slab.fields.now(), part);
  }
}

void Grid::drive(int device, Stretch const& stretch) {
  pgas::Endpoint& here = runtime_.endpoint(device);
  try {
    // The driver behind those of the devices is the host that relays.
    if (device == static_cast<int>(devices_.size())) {
      exchange_->relay()->run(stretch.exchange, stretch.exchange + exchanges_of(stretch), here);
    } else {
      devices_[static_cast<std::size_t>(device)]->run(stretch, *exchange_, here);
    }
  } catch (...) {
    // Otherwise images that wait for this image's halos would wait for ever: also for those of its
    // other devices, if the host thread that carries them stops.
    for (auto const& each : devices_) {
      for (Slab const& slab : each->slabs()) exchange_->stop_neighbours(here, slab);
    }
    throw;
  }
}

void Grid::run_stretch_all(std::int64_t steps) {
  MAKESPAN_EXPECT(exchange_ != nullptr);
  has_failed_ = true;  // until it is known that none has
  Stretch const stretch{.step = step_,
                        .steps = steps,
                        .exchange = exchanges_,
                        .has_halos = has_halos_,
                        .steps_at_once = options_.steps_at_once};
  // This thread drives the first device.
  machine::PinScope const pinned(driver_cores_.front());
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(drivers_->threads()));
  // Not run_parts(): drivers wait for their neighbours, which others of them may be.
  drivers_->run([&](int device) {
    failures[static_cast<std::size_t>(device)] = failure_of([&] { drive(device, stretch); });
  });
  // Images whose devices do not wait for the failed one hear of the failure here.
  stop_all(runtime_.team(), cause_of(failures));
  exchanges_ += exchanges_of(stretch);
  step_ += steps;
  made_ += steps;
  has_halos_ = true;
  has_failed_ = false;
}

// Nothing where there is none any more.
std::int64_t Grid::steps_to_look() const {
  RebalanceRule const& rule = options_.rebalance;
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  if (rule.steps > 0) next = rule.steps - step_ % rule.steps;
  if (rule.first > made_) next = std::min(next, rule.first - made_);
  return next;
}

void Grid::run_all(std::int64_t steps, std::int64_t later) {
  MAKESPAN_EXPECT(steps >= 0);
  MAKESPAN_EXPECT(later >= 0);
  if (has_failed_ || !is_laid_) {
    throw InputError("a grid to run", "a device failed before: values are of different steps",
                     "make another grid");
  }
  while (steps > 0) {
    std::int64_t const to_look = steps_to_look();
    std::int64_t const now = std::min(to_look, steps);
    run_stretch_all(now);
    steps -= now;
    // Behind the last step planes that move would gain nothing.
    if (now == to_look && steps + later > 0) rebalance_all(steps + later);
  }
}

GridReport Grid::report() const {
  GridReport report{.steps = step_, .rebalances = rebalances_, .planes_moved = planes_moved_};
  for (auto const& device : devices_) {
    report.devices.push_back(device->times());
    report.halos.push_back(device->counts());
  }
  return report;
}

std::vector<std::vector<PhaseSpan>> Grid::phases() const {
  std::vector<std::vector<PhaseSpan>> all;
  all.reserve(devices_.size());
  for (auto const& device : devices_) all.push_back(device->clock().spans());
  return all;
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/grids/grid_simulation.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>

#include "makespan/grid/cut/restack.hpp"
#include "makespan/sim/grids/detail/device_program.hpp"
#include "makespan/sim/grids/detail/device_turns.hpp"
#include "makespan/sim/grids/detail/grid_check.hpp"
#include "makespan/sim/grids/detail/grid_layout.hpp"

namespace makespan::sim {

namespace {

class GridSimulation {
 public:
  explicit GridSimulation(GridJob const& job)
      : job_{job},
        roster_{job},
        turns_{job, roster_},
        meters_(as_index(roster_.devices())),
        starts_(meters_.size()) {
    lay(first_stacks(job));
  }

  GridResult run();

 private:
  // --- cuts between stretches of steps
  void lay(std::vector<grid::DeviceStack> stacks);
  void look(std::int64_t steps_left);
  void restack(std::vector<grid::DeviceStack> stacks);
  [[nodiscard]] Seconds move_time(GridLayout const& from, GridLayout const& to) const;
  [[nodiscard]] Seconds meet_time() const;

  // --- what came of it
  [[nodiscard]] Seconds ideal() const;
  [[nodiscard]] Seconds last_step() const;
  [[nodiscard]] GridResult result() const;
  [[nodiscard]] GridDeviceModel const& model(int device) const {
    return *roster_.models[as_index(device)];
  }

  GridJob const& job_;
  GridRoster roster_;
  DeviceTurns turns_;
  std::optional<GridLayout> layout_{};
  Seconds now_{};  // of all, between stretches
  std::int64_t step_{0};
  std::vector<grid::SpeedMeter> meters_;  // by device
  std::vector<Seconds> starts_;           // measured, of a step
  Seconds moving_last_{};
  GridResult counts_{};
};

GridResult GridSimulation::run() {
  std::int64_t left = job_.steps;
  while (left > 0) {
    std::int64_t const rule = job_.rebalance_steps;
    // A stretch: up to the next look, or to the end.
    std::int64_t const now = rule > 0 ? std::min(rule - step_ % rule, left) : left;
    step_ += now;
    left -= now;
    now_ = turns_.run(step_, now_) + meet_time();
    // Behind the last step planes that move would gain nothing.
    if (rule > 0 && step_ % rule == 0 && left > 0) look(left);
  }
  return result();
}

// --- cuts between stretches of steps

// All images hear of each other, as by a tree.
Seconds GridSimulation::meet_time() const {
  auto const images = static_cast<unsigned>(job_.images.size());
  // The logarithm of the images, rounded up.
  double const rounds = std::bit_width(images - 1);
  // Up the tree and down; within a node by memory, which takes no time beside a step.
  return turns_.nodes() > 1 ? 2.0 * rounds * job_.network.out.latency : Seconds{};
}

void GridSimulation::lay(std::vector<grid::DeviceStack> stacks) {
  layout_.emplace(job_, roster_, std::move(stacks));
  turns_.lay(*layout_);
}

// As grid::Grid::rebalance_all().
void GridSimulation::look(std::int64_t steps_left) {
  ++counts_.looks;
  now_ += meet_time();
  std::vector<Speed> said;
  for (int device = 0; device < roster_.devices(); ++device) {
    DeviceLoad const load = turns_.take_load(device);
    meters_[as_index(device)].tell(load.planes, load.busy);
    if (load.steps > 0) {
      starts_[as_index(device)] = load.besides / static_cast<double>(load.steps);
    }
    said.push_back(job_.knows_speeds ? model(device).speed : Speed{1.0});
  }
  std::vector<Speed> const speeds = grid::present_speeds(meters_, said);
  grid::ImageDevices measured(job_.images.size());
  for (int device = 0; device < roster_.devices(); ++device) {
    measured[as_index(roster_.image_of[as_index(device)])].push_back(
        {.speed = speeds[as_index(device)],
         .start = starts_[as_index(device)],
         .planes_max = model(device).planes_max});
  }
  std::vector<grid::DeviceStack> const& stacks = layout_->stacks();
  // Each box that an image was given is a stack of its own, whatever its hosts have.
  grid::ImageCut const cut = job_.images_along
                                 ? grid::ImageCut::boxes
                                 : grid::resolved(job_.cut, static_cast<int>(job_.images.size()));
  auto better = grid::better_stacks(stacks, {.domain = job_.box,
                                             .cut = cut,
                                             .layers = job_.layers,
                                             .measured = std::move(measured),
                                             .steps_left = steps_left,
                                             .fields = job_.fields_all,
                                             .fixed = moving_last_,
                                             .options = job_.rebalance});
  if (!better) return;
  grid::Point const size = job_.box.extent();
  counts_.planes_moved += grid::points_moved(stacks, *better) / (size.x * size.y);
  restack(std::move(*better));
}

void GridSimulation::restack(std::vector<grid::DeviceStack> stacks) {
  // A copy: lay() replaces the layout, and what moves is what lies elsewhere in the new one.
  GridLayout const before = *layout_;
  lay(std::move(stacks));
  // The next decision takes it for what a change costs, as grid::Grid does.
  moving_last_ = move_time(before, *layout_) + 2.0 * meet_time();
  now_ += moving_last_;
  counts_.moving += moving_last_;
  ++counts_.rebalances;
}

// All values are packed and unpacked, since slabs are laid anew; those of another node travel.
Seconds GridSimulation::move_time(GridLayout const& from, GridLayout const& to) const {
  double const point_bytes = 8.0 * static_cast<double>(job_.fields_all);
  std::vector<double> out(as_index(turns_.nodes()));
  std::vector<double> in(out.size());
  std::vector<Seconds> packing(meters_.size());
  auto const node = [&](int device) {
    return as_index(job_.images[as_index(roster_.image_of[as_index(device)])].node);
  };
  for (LaidSlab const& old : from.slabs()) {
    for (LaidSlab const& now : to.slabs()) {
      grid::Box const met = grid::intersection(old.box, now.box);
      if (met.is_empty()) continue;
      double const bytes = point_bytes * static_cast<double>(met.points());
      packing[as_index(old.device)] += Seconds{bytes / model(old.device).pack_bandwidth};
      packing[as_index(now.device)] += Seconds{bytes / model(now.device).pack_bandwidth};
      if (node(old.device) == node(now.device)) continue;
      out[node(old.device)] += bytes;
      in[node(now.device)] += bytes;
    }
  }
  // All move at once: the node that sends or receives most decides.
  double const most_out = std::ranges::max(out) / job_.network.out.bandwidth;
  double const most_in = std::ranges::max(in) / job_.network.in.bandwidth;
  return std::ranges::max(packing) + Seconds{std::max(most_out, most_in)};
}

// --- what came of it

Seconds GridSimulation::ideal() const {
  double left = static_cast<double>(job_.box.points()) * static_cast<double>(job_.steps);
  std::vector<Seconds> times;
  std::vector<SpeedCourse> const speeds = speeds_of(job_, roster_);
  for (SpeedCourse const& speed : speeds)
    std::ranges::copy(speed.times(), std::back_inserter(times));
  // Between two changes of any device their speed together is one number.
  std::ranges::sort(times);
  Seconds now{};
  auto const all = [&](Seconds time) {
    Speed sum{};
    for (SpeedCourse const& speed : speeds) sum += speed.at(time);
    return sum;
  };
  for (Seconds const time : times) {
    double const done = (all(now) * (time - now)).value();
    if (done >= left) break;
    left -= done;
    now = time;
  }
  return now + Work{left} / all(now);
}

// Of the last half of the steps, each; of all where they were made at once.
Seconds GridSimulation::last_step() const {
  std::vector<Seconds> const& ends = turns_.step_ends();
  std::int64_t from = job_.steps / 2;
  while (from > 0 && !(ends[as_index(from)] > Seconds{})) --from;
  return (ends.back() - ends[as_index(from)]) / static_cast<double>(job_.steps - from);
}

GridResult GridSimulation::result() const {
  GridResult result = counts_;
  result.time = now_;
  result.ideal = ideal();
  result.last_step = last_step();
  result.spans = turns_.spans();
  for (int device = 0; device < roster_.devices(); ++device) {
    int const image = roster_.image_of[as_index(device)];
    GridDeviceUse use{.image = image,
                      .device = device - roster_.first_device[as_index(image)],
                      .times = turns_.times_of(device),
                      .interior_busy = turns_.interior_busy_of(device)};
    for (int const slab : turns_.slabs_of(device)) {
      use.planes += layout_->slabs()[as_index(slab)].box.extent().z;
      use.points += layout_->slabs()[as_index(slab)].box.points();
    }
    result.devices.push_back(use);
  }
  result.messages = std::ssize(layout_->messages());
  for (int message = 0; message < result.messages; ++message) {
    MessageWay const& way = turns_.way(message);
    result.bytes += way.bytes;
    if (way.crosses_nodes) result.network_bytes += way.bytes;
  }
  return result;
}

}  // namespace

GridResult simulate_grid(GridJob const& job) {
  check(job);
  GridSimulation simulation(job);
  return simulation.run();
}

}  // namespace makespan::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

// One device of this image: its slabs, and how it takes them from step to step.

#include <cstdint>
#include <functional>
#include <vector>

#include "makespan/grid/detail/halo_exchange.hpp"
#include "makespan/grid/detail/slab.hpp"
#include "makespan/grid/grid_options.hpp"
#include "makespan/grid/phase_clock.hpp"
#include "makespan/grid/thread_team.hpp"
#include "makespan/pgas/endpoint.hpp"

namespace makespan::grid {

// A stretch of steps without a look at anything else.
struct Stretch {
  std::int64_t step{};  // that the first of them makes, from 0
  std::int64_t steps{};
  std::int64_t exchange{};  // number of the first exchange; there is one for the present first,
                            // where halos are not there yet
  bool has_halos{};
  int steps_at_once{1};
  Schedule schedule{Schedule::overlap};
};

// Exchanges that a stretch takes.
[[nodiscard]] std::int64_t exchanges_of(Stretch const& stretch);

// For the thread that drives the device. Tested through tests/grid/grid_test.cpp.
class DeviceRun {
 public:
  // Keeps the last `spans_kept` phases of its time.
  DeviceRun(GridDevice device, std::int64_t halo_width, std::int64_t spans_kept = 0);

  [[nodiscard]] GridDevice const& device() const { return device_; }
  [[nodiscard]] std::vector<Slab>& slabs() { return slabs_; }
  // New ones, where the device keeps its fields; not cleared. Throws as SlabFields' constructor.
  [[nodiscard]] SlabFields fields(SlabPlan plan) const;
  // Replaces its slabs, which must be cleared.
  void take(std::vector<Slab> slabs) { slabs_ = std::move(slabs); }
  // Touches the slab's memory first, each thread where it will compute.
  void clear(SlabFields& fields);
  // Calls work(box) for parts of the slab's box, by all threads at once.
  void for_each_part(Box const& box, std::function<void(Box const&)> const& work);

  // Blocks until the stretch is over. Throws GridStopped, what the stencil throws, and as waits do.
  void run(Stretch const& stretch, HaloExchange& exchange, pgas::Endpoint& here);

  [[nodiscard]] PhaseClock& clock() { return clock_; }
  [[nodiscard]] PhaseClock const& clock() const { return clock_; }
  // What was done since the last time this was called: planes, of all steps; what computing them
  // took; and what packing and unpacking halos took besides.
  struct Load {
    std::int64_t planes{};
    Seconds busy{};
    std::int64_t steps{};
    Seconds besides{};
  };
  [[nodiscard]] Load take_load();

 private:
  enum class Part : std::uint8_t { boundary, interior, all };

  void sweep(Slab& slab, Part part, std::int64_t step, int steps, pgas::Endpoint& here);
  // A step, and the number of the exchange that follows it.
  struct Moment {
    std::int64_t step{};
    std::int64_t exchange{};
  };

  // Blocks until its accelerator has done all that it was asked for. Drives progress.
  void finish(pgas::Endpoint& here);
  void exchange_now(HaloExchange& exchange, pgas::Endpoint& here, Moment const& at);
  // One step, or several at once.
  void advance(Schedule schedule, int steps, HaloExchange& exchange, pgas::Endpoint& here,
               Moment const& at);
  void receive(HaloExchange& exchange, pgas::Endpoint& here, Slab& slab,
               std::span<FieldView const> views, Moment const& at);
  // What sweeps took, of all that the clock has since `before`.
  [[nodiscard]] Seconds busy_since(DeviceTimes const& before) const;
  [[nodiscard]] double slowdown_at(std::int64_t step) const;

  GridDevice device_;
  StencilShape shape_;
  std::int64_t halo_width_;
  ThreadTeam thread_team_;
  std::vector<Slab> slabs_{};
  HaloSendBuffer send_buffer_{};
  PhaseClock clock_;
  Load load_{};
};

}  // namespace makespan::grid

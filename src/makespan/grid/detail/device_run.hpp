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
  // Touches the slab's memory first, each thread where it will compute; the caller as the first, so
  // on its core.
  void clear(SlabFields& fields);
  // Calls work(box) for parts of the slab's box, by all threads at once.
  void for_each_part(Box const& box, std::function<void(Box const&)> const& work);

  // Blocks until the stretch is over. Throws GridStopped, what the stencil throws, and as waits do.
  void run(Stretch const& stretch, HaloExchange& exchange, pgas::Endpoint& here);

  [[nodiscard]] PhaseClock& clock() { return clock_; }
  [[nodiscard]] PhaseClock const& clock() const { return clock_; }
  [[nodiscard]] DeviceTimes times() const;
  [[nodiscard]] HaloCounts const& counts() const { return counts_; }
  // What was done since the last time this was called: planes of weight 1, of all steps, or what is
  // as much work; what computing them took; and what sending and unpacking halos took besides, of
  // an accelerator's step what was not behind its sweeps.
  struct Load {
    double planes{};
    Seconds busy{};
    std::int64_t steps{};
    Seconds besides{};
  };
  [[nodiscard]] Load take_load();

 private:
  // A step, or several at once, and the number of the exchange that follows.
  struct Moment {
    std::int64_t step{};
    int steps{1};
    std::int64_t exchange{};
  };

  void sweep(Slab& slab, std::span<Box const> boxes, SweepQueue queue, Moment const& at,
             pgas::Endpoint& here);

  // Blocks until its accelerator has done all that it was asked for. Drives progress.
  void finish(pgas::Endpoint& here);
  void make_steps(Stretch const& stretch, HaloExchange& exchange, pgas::Endpoint& here);
  void exchange_now(HaloExchange& exchange, pgas::Endpoint& here, Moment const& at);
  void advance(HaloExchange& exchange, pgas::Endpoint& here, Moment const& at);
  // The boundary of a slab, and what others wait for of it, stage by stage.
  void advance_boundary(Slab& slab, HaloExchange& exchange, pgas::Endpoint& here, Moment const& at);
  void advance_interior(Slab& slab, pgas::Endpoint& here, Moment const& at);
  [[nodiscard]] HaloExchange::Sender sender(pgas::Endpoint& here, Moment const& at) {
    return {here, send_buffer_, clock_, counts_, thread_team_, at.step, at.exchange};
  }
  void receive(HaloExchange& exchange, pgas::Endpoint& here, Slab& slab,
               std::span<FieldView const> views, Moment const& at);
  // What sweeps took of a step that began at `begin`, when the clock had `before`.
  [[nodiscard]] Seconds busy_since(PhaseClock::Clock::time_point begin, DeviceTimes const& before,
                                   std::int64_t step);
  [[nodiscard]] double slowdown_at(std::int64_t step) const;

  GridDevice device_;
  StencilShape shape_;
  std::int64_t halo_width_;
  ThreadTeam thread_team_;
  std::vector<Slab> slabs_{};
  HaloSendBuffer send_buffer_{};
  PhaseClock clock_;
  // Points of this step that are still to be computed.
  struct PointsLeft {
    std::int64_t boundary{};
    std::int64_t all{};
  };
  PointsLeft left_{};
  HaloCounts counts_{};
  Load load_{};
};

}  // namespace makespan::grid

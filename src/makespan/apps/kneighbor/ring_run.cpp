// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/kneighbor/ring_run.hpp"

#include <array>
#include <chrono>
#include <span>
#include <utility>

#include "makespan/graph/object/object_world.hpp"

namespace makespan::kneighbor {

namespace {

using Clock = std::chrono::steady_clock;

// One run: what the callbacks of all places of this image share.
class Run {
 public:
  Run(pgas::Runtime& runtime, graph::WorldOptions options, Settings const& settings)
      : runtime_(runtime),
        settings_(settings),
        world_(runtime, std::move(options)),
        ring_(world_.add<Talker>("talkers", settings.objects)),
        tallies_(static_cast<std::size_t>(settings.objects)),
        work_(tallies_.size()) {}

  Outcome run_all() {
    world_.run_all({.create = [this](graph::ObjectPlace& here) { create(here); },
                    .begin = [this](graph::ObjectPlace& here, std::int64_t) { begin(here); },
                    .after = [this](graph::PhaseReport const& report) { return after(report); },
                    .end = [this](graph::ObjectPlace& here) { end(here); },
                    .phases = settings_.steps / settings_.steps_per_phase});
    return outcome_all();
  }

 private:
  void create(graph::ObjectPlace& here) {
    WorkTurns const turns(settings_);
    for (int index = 0; index < ring_.count; ++index) {
      int const place = graph::first_place(settings_.map, index, ring_.count, here.places());
      if (place != here.place()) continue;
      here.create(ring_, index, Talker(settings_, ring_, index, turns.of(index)));
    }
  }

  void begin(graph::ObjectPlace& here) {
    if (here.place() == 0 && begin_ == Clock::time_point{}) begin_ = Clock::now();
    here.for_each(ring_, [&](int index, Talker const&) {
      here.send<&Talker::start>(ring_, index, settings_.steps_per_phase * settings_.iterations);
    });
  }

  graph::Next after(graph::PhaseReport const& report) {
    outcome_.total_s = std::chrono::duration<double>(Clock::now() - begin_).count();
    outcome_.reports.push_back(report);
    return graph::Next::go_on;
  }

  // Places write to different elements.
  void end(graph::ObjectPlace& here) {
    here.for_each(ring_, [&](int index, Talker const& talker) {
      tallies_[static_cast<std::size_t>(index)] = talker.tally();
      work_[static_cast<std::size_t>(index)] = talker.work();
    });
  }

  Outcome outcome_all() {
    std::array<std::int64_t, 3> mine{};
    for (Tally const& tally : tallies_) {
      mine[0] += tally.messages;
      mine[1] += tally.bytes;
      mine[2] += tally.damaged;
    }
    pgas::Team& team = runtime_.team();
    std::array<std::int64_t, 3> all{};
    team.all_reduce_all(pgas::ReduceOp::sum, std::span<std::int64_t const>(mine),
                        std::span<std::int64_t>(all));
    outcome_.tally = {.messages = all[0], .bytes = all[1], .damaged = all[2]};
    // Of each object one image has said something, the others 0.
    outcome_.work.resize(work_.size());
    team.all_reduce_all(pgas::ReduceOp::sum, std::span<std::uint64_t const>(work_),
                        std::span<std::uint64_t>(outcome_.work));
    return std::move(outcome_);
  }

  pgas::Runtime& runtime_;
  Settings settings_;
  graph::ObjectWorld world_;
  graph::Collection<Talker> ring_;
  std::vector<Tally> tallies_;
  std::vector<std::uint64_t> work_;
  Outcome outcome_{};
  Clock::time_point begin_{};
};

}  // namespace

Outcome run_all(pgas::Runtime& runtime, graph::WorldOptions options, Settings const& settings) {
  check_settings(settings);
  return Run(runtime, std::move(options), settings).run_all();
}

}  // namespace makespan::kneighbor

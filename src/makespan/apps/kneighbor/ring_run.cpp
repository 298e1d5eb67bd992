// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/kneighbor/ring_run.hpp"

#include <array>
#include <span>

#include "makespan/graph/object/create_mapped.hpp"

namespace makespan::kneighbor {

namespace {

// One run: what the callbacks of all places of this image share.
class Run {
 public:
  Run(graph::ObjectHost& world, Settings const& settings)
      : settings_(settings),
        world_(world),
        ring_(world_.add<Talker>("talkers", settings.objects)),
        tallies_(static_cast<std::size_t>(settings.objects)),
        work_(tallies_.size()) {}

  Outcome run_all() {
    WorkTurns const turns(settings_);
    graph::PhaseLog log;
    world_.run_all(
        log.watching({.create =
                          [&](graph::ObjectPlace& here) {
                            graph::create_mapped(here, ring_, settings_.map, [&](int index) {
                              return Talker(settings_, ring_, index, turns.of(index));
                            });
                          },
                      .begin = [this](graph::ObjectPlace& here, std::int64_t) { begin(here); },
                      .end = [this](graph::ObjectPlace& here) { end(here); },
                      .phases = settings_.steps / settings_.steps_per_phase}));
    return outcome_all(log);
  }

 private:
  void begin(graph::ObjectPlace& here) {
    here.for_each(ring_, [&](int index, Talker const&) {
      here.send<&Talker::start>(ring_, index, settings_.steps_per_phase * settings_.iterations);
    });
  }

  // Places write to different elements.
  void end(graph::ObjectPlace& here) {
    here.for_each(ring_, [&](int index, Talker const& talker) {
      tallies_[static_cast<std::size_t>(index)] = talker.tally();
      work_[static_cast<std::size_t>(index)] = talker.work();
    });
  }

  Outcome outcome_all(graph::PhaseLog const& log) {
    Outcome outcome{
        {.reports = log.reports(), .total_s = log.total_s(), .machine = world_.machine()}};
    std::array<std::int64_t, 3> mine{};
    for (Tally const& tally : tallies_) {
      mine[0] += tally.messages;
      mine[1] += tally.bytes;
      mine[2] += tally.damaged;
    }
    world_.sum_all(std::span<std::int64_t>(mine));
    outcome.tally = {.messages = mine[0], .bytes = mine[1], .damaged = mine[2]};
    // Of each object one image has said something, the others 0.
    outcome.work = work_;
    world_.sum_all(std::span<std::uint64_t>(outcome.work));
    return outcome;
  }

  Settings settings_;
  graph::ObjectHost& world_;
  graph::Collection<Talker> ring_;
  std::vector<Tally> tallies_;
  std::vector<std::uint64_t> work_;
};

}  // namespace

Outcome run_all(graph::ObjectHost& world, Settings const& settings) {
  check_settings(settings);
  return Run(world, settings).run_all();
}

}  // namespace makespan::kneighbor

// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/phases/phase_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/base/random_draws.hpp"
#include "makespan/graph/model/migration.hpp"
#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/protocol/availability.hpp"
#include "makespan/graph/protocol/balance_trigger.hpp"
#include "makespan/graph/protocol/phase_window.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"

namespace makespan::sim {

namespace {

using graph::BalanceAdvice;
using graph::BalanceVerdict;
using graph::Graph;
using graph::PlaceLoads;
using graph::Places;

std::size_t index(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

// What each object's work is multiplied with, phase by phase.
class LoadFactors {
 public:
  LoadFactors(LoadCourse const& course, int objects)
      : course_{course}, draws_{course.seed}, grown_(index(objects), 1.0) {
    for (int object = 0; object < objects; ++object) {
      // Drawn before any noise: which objects grow does not depend on how many phases there are.
      is_growing_.push_back(draws_.next() < course.growing_share);
    }
  }

  std::vector<double> next() {
    std::vector<double> factors = grown_;
    for (std::size_t object = 0; object < factors.size(); ++object) {
      if (course_.noise > 0.0) factors[object] *= noise();
      // Behind what this phase takes: the first phase has the work of the graph.
      if (is_growing_[object]) grown_[object] *= 1.0 + course_.growth;
    }
    return factors;
  }

 private:
  // Lognormal of mean 1, by Box and Muller.
  double noise() {
    constexpr double two_pi = 6.283185307179586;
    // Of the logarithm, ln(1 + noise^2): then the deviation over the mean is `noise`, and the mean
    // is 1 with half of it taken away.
    double const variance = std::log1p(course_.noise * course_.noise);
    double const first = std::max(draws_.next(), std::numeric_limits<double>::min());
    double const normal = std::sqrt(-2.0 * std::log(first)) * std::cos(two_pi * draws_.next());
    return std::exp(normal * std::sqrt(variance) - variance / 2.0);
  }

  LoadCourse const& course_;
  RandomDraws draws_;
  std::vector<double> grown_;
  std::vector<bool> is_growing_{};
};

// As a run of these objects would ask for, which knows no speeds: they are learned.
graph::BalanceOptions balance_options(PhasesJob const& job) {
  graph::BalanceOptions options{.balancer = job.balancer, .balancer_options = job.balancer_options};
  if (job.loads.noise == 0.0) options.load_noise = 0.0;  // loads are those of the next phase, too
  return options;
}

graph::BalancedObjects balanced_objects(Graph const& graph) {
  graph::BalancedObjects objects;
  for (int object = 0; object < graph.objects(); ++object) {
    objects.is_fixed.push_back(!graph.may_move(object));
  }
  return objects;
}

graph::TriggerOptions trigger_options(PhasesJob const& job, int objects) {
  return {.when = job.when,
          .every = job.every,
          .phases = job.phases,
          .look_first_s = job.look_s_per_object * objects};
}

class PhaseSimulation {
 public:
  PhaseSimulation(Graph const& graph, Places const& places, PhasesJob const& job)
      : graph_{graph},
        places_{places},
        job_{job},
        rebalancer_{balance_options(job), balanced_objects(graph), graph::layout_of(places)},
        trigger_{trigger_options(job, graph.objects())},
        factors_{job.loads, graph.objects()},
        availability_(index(places.count())),
        moves_(index(graph.objects())),
        core_part_(index(places.count()), 1.0) {
    result_.mapping = graph.now();
    count_messages();
  }

  PhasesResult run() {
    for (std::int64_t phase = 0; phase < job_.phases; ++phase) {
      for (PlaceChange const& change : job_.changes) {
        if (change.phase == phase) core_part_[index(change.place)] = change.factor;
      }
      run_phase();
      // Behind the last phase a move would gain nothing.
      if (phase + 1 < job_.phases) balance();
    }
    return std::move(result_);
  }

 private:
  // What objects take on their places' cores, and what places pay for messages and had no core for.
  void run_phase() {
    std::vector<double> const factors = factors_.next();
    cpu_s_.clear();
    std::vector<double> computing(receive_s_.size());
    double work = 0.0;
    for (int object = 0; object < graph_.objects(); ++object) {
      std::int32_t const place = result_.mapping[index(object)];
      double const cpu_s = places_.time_of(graph_, object, place).value() * factors[index(object)];
      cpu_s_.push_back(cpu_s);
      computing[index(place)] += cpu_s;
      work += cpu_s * places_[place].speed.value();
    }
    busy_.clear();
    double speed = 0.0;
    for (std::size_t place = 0; place < computing.size(); ++place) {
      // The receiver pays for messages (docs/decisions/0059), with its processor's time.
      double const cpu_s = computing[place] + receive_s_[place];
      // A core that is taken away makes the clock's time longer, not the processor's: so loads stay
      // known, and availability has to be learned (docs/decisions/0079).
      double const wall_s = cpu_s / core_part_[place];
      availability_[place].tell(wall_s, cpu_s);
      busy_.push_back({.wall_s = wall_s,
                       .availability = availability_[place].value(),
                       .speed = rebalancer_.speeds()[place]});
      speed += core_part_[place] * places_[static_cast<int>(place)].speed.value();
    }
    next_.time_s = std::max(graph::facts_of(busy_, 0.0).longest_s, longest_link_s());
    next_.compute_s = work / speed;
    result_.phases.push_back(std::exchange(next_, {}));
  }

  // As graph::Coordinator does between two phases.
  void balance() {
    SimulatedPhase const& phase = result_.phases.back();
    bool const is_first_of_trial = trigger_.begins_trial();
    if (std::exchange(was_moved_, false)) trigger_.moved(phase.migrate_s);
    if (std::exchange(was_back_, false)) trigger_.went_back(phase.look_s + phase.migrate_s);
    graph::PhaseFacts const facts = graph::facts_of(busy_, phase.time_s);
    BalanceAdvice const advice =
        is_first_of_trial ? trigger_.end_measured_phase(facts) : trigger_.end_phase(facts);
    if (is_first_of_trial || advice == BalanceAdvice::look) {
      measured_s_ = cpu_s_;
      measured_phase_ = std::ssize(result_.phases);
    }
    if (advice == BalanceAdvice::none) return;
    std::vector<PlaceLoads> const loads = this->loads();
    // Given, not measured: a measured time would not repeat (docs/decisions/0079).
    next_.look_s = job_.look_s_per_object * graph_.objects();
    if (advice == BalanceAdvice::look) return look(loads);
    rebalancer_.learn(loads, measured_phase_);
    move(rebalancer_.way_back(loads));
    was_back_ = true;
  }

  void look(std::vector<PlaceLoads> const& loads) {
    graph::Proposal const proposal = rebalancer_.propose(loads, measured_phase_);
    BalanceVerdict const verdict = trigger_.looked({.look_s = next_.look_s,
                                                    .predicted_now_s = proposal.predicted_now_s,
                                                    .predicted_new_s = proposal.predicted_new_s,
                                                    .migrate_s = proposal.migrate_s});
    was_moved_ = verdict == BalanceVerdict::move;
    if (was_moved_) move(proposal.moves);
  }

  // As they were measured last: before a move, or in the first phase after it.
  [[nodiscard]] std::vector<PlaceLoads> loads() const {
    std::vector<PlaceLoads> loads(busy_.size());
    for (std::size_t place = 0; place < loads.size(); ++place) {
      loads[place].availability = availability_[place].value();
    }
    for (int object = 0; object < graph_.objects(); ++object) {
      graph::ObjectLoads& at_place = loads[index(result_.mapping[index(object)])].loads;
      at_place.objects.push_back({.object = object,
                                  .moves = moves_[index(object)],
                                  .cpu_s = measured_s_[index(object)],
                                  .bytes = graph_.bytes(object)});
      for (graph::Traffic const& edge : graph_.sent(object)) {
        at_place.traffic.push_back({.from = object,
                                    .to = edge.other,
                                    .messages = static_cast<double>(edge.messages),
                                    .bytes = edge.bytes});
      }
    }
    return loads;
  }

  void move(std::vector<graph::Target> const& targets) {
    graph::Mapping next = result_.mapping;
    for (graph::Target const& target : targets) {
      next[index(target.object)] = target.place;
      moves_[index(target.object)] = target.moves;
    }
    graph::Migration const migration = graph::migration_of(graph_, places_, result_.mapping, next);
    next_.moved = std::ssize(migration.objects);
    next_.moved_bytes = migration.bytes;
    next_.migrate_s = migration.longest_s();
    result_.mapping = std::move(next);
    count_messages();
  }

  // What messages cost depends on the mapping alone, and so is counted anew when that changes.
  void count_messages() {
    graph::PhaseTimes times = graph::phase_times(graph_, places_, result_.mapping);
    receive_s_ = std::move(times.receive_s);
    link_busy_s_ = times.longest_link_busy_s;
  }

  // As phase_times() has it, with what objects took in this phase.
  [[nodiscard]] double longest_link_s() const {
    double const all_s = std::accumulate(cpu_s_.begin(), cpu_s_.end(), 0.0);
    double const object_s = cpu_s_.empty() ? 0.0 : all_s / static_cast<double>(cpu_s_.size());
    return graph::link_end_s(link_busy_s_, object_s);
  }

  Graph const& graph_;
  Places const& places_;
  PhasesJob const& job_;
  graph::Rebalancer rebalancer_;
  graph::BalanceTrigger trigger_;
  LoadFactors factors_;
  std::vector<graph::Availability> availability_;  // by place
  std::vector<std::uint32_t> moves_;               // by object
  std::vector<double> core_part_;                  // by place
  std::vector<double> receive_s_{};                // by place, of the present mapping
  double link_busy_s_{0.0};                        // between nodes, of the present mapping
  std::vector<double> cpu_s_{};                    // by object, of the last phase
  std::vector<graph::PlaceBusy> busy_{};           // by place, of the last phase
  std::vector<double> measured_s_{};               // by object, of the last that was measured
  std::int64_t measured_phase_{0};                 // its number, from 1
  bool was_moved_{false};                          // before the phase that is to come
  bool was_back_{false};
  SimulatedPhase next_{};  // what came before it
  PhasesResult result_{};
};

void expect(bool holds, std::string const& what, double value, char const* right) {
  if (!holds) throw InputError(what + " = " + short_text(value), right, "give one");
}

void check(Graph const& graph, Places const& places, PhasesJob const& job) {
  graph::expect_fits(graph, places);
  for (graph::Place const& place : places.all()) {
    if (place.kind == 0) continue;
    throw InputError("places of several kinds", "objects are measured on one",
                     "leave out the GPUs, or take places of equal kind");
  }
  // The rebalancer plans with its own places, which have none (graph::layout_of()).
  if (places.has_memory_limits()) {
    throw InputError("places with limits of memory", "phases are balanced without them",
                     "leave the limits out, or map the graph with a balancer");
  }
  expect(job.phases >= 0, "phases", static_cast<double>(job.phases), "a count is 0 or more");
  expect(job.every >= 1, "every", static_cast<double>(job.every), "it counts from 1");
  LoadCourse const& loads = job.loads;
  expect(std::isfinite(loads.growth) && loads.growth > -1.0, "growth", loads.growth,
         "it is a number above -1");
  // So that costs stay doubles, and their sums.
  constexpr double logarithm_max = 500.0;
  expect(static_cast<double>(job.phases) * std::log1p(loads.growth) <= logarithm_max,
         "growth over all phases", loads.growth,
         "costs grow to e^500 times what they were at most: take fewer phases");
  expect(loads.growing_share >= 0.0 && loads.growing_share <= 1.0, "share of growing objects",
         loads.growing_share, "it is a number from 0 to 1");
  expect(std::isfinite(loads.noise) && loads.noise >= 0.0, "noise", loads.noise,
         "it is a number, 0 or above");
  expect(std::isfinite(job.look_s_per_object) && job.look_s_per_object >= 0.0,
         "seconds of a look for each object", job.look_s_per_object, "it is 0 or above");
  for (PlaceChange const& change : job.changes) {
    expect(change.phase >= 0 && change.phase < job.phases, "phase of a change",
           static_cast<double>(change.phase),
           ("phases are 0 to " + std::to_string(job.phases - 1)).c_str());
    expect(change.place >= 0 && change.place < places.count(), "place of a change", change.place,
           ("places are 0 to " + std::to_string(places.count() - 1)).c_str());
    expect(change.factor > 0.0 && change.factor <= 1.0, "factor of a change", change.factor,
           "a place has its core for a part above 0, at most 1, of the time");
  }
}

}  // namespace

PhasesResult simulate(Graph const& graph, Places const& places, PhasesJob const& job) {
  check(graph, places, job);
  PhaseSimulation simulation(graph, places, job);
  return simulation.run();
}

}  // namespace makespan::sim

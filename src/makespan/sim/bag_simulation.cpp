// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/bag_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

#include "makespan/bag/claim_cost.hpp"
#include "makespan/bag/dispatch/image_dispatcher.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/completion_tracker.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/sim/detail/engine_words.hpp"
#include "makespan/sim/detail/image_links.hpp"
#include "makespan/sim/detail/local_source.hpp"
#include "makespan/sim/detail/simgrid_api.hpp"
#include "makespan/sim/detail/simulated_team.hpp"
#include "makespan/sim/detail/virtual_clock.hpp"
#include "makespan/sim/detail/virtual_network.hpp"
#include "makespan/sim/detail/worker_table.hpp"
#include "makespan/sim/model/ideal_time.hpp"

namespace makespan::sim {

namespace {

namespace sg = simgrid::s4u;

// A worker reports what it has finished at least so often, as threads do; and at most so often in a
// chunk, which is too little for a policy to notice.
constexpr Seconds tell_every{0.01};
constexpr double tells_of_chunk = 16.0;

class BagSimulation {
 public:
  explicit BagSimulation(BagJob const& job)
      : job_{job},
        bag_{job.segments},
        costs_{bag_, job.cost_factors},
        team_{job},
        network_{team_.machine()},
        workers_{team_.machine(), costs_, clock_},
        uses_(static_cast<std::size_t>(workers_.workers())) {
    network_.set_next_entry(
        [this](int image) { return workers_.next_entry(image, team_.machine().network.progress); });
    make_sources();
  }

  BagResult run() {
    for (int worker = 0; worker < workers_.workers(); ++worker) {
      int const image = workers_.model(worker).image;
      actors_.push_back(add_actor("worker" + std::to_string(worker), network_.host_of(image),
                                  [this, worker] { work(worker); }));
    }
    make_events();
    sg::Engine::get_instance()->run();
    return result();
  }

 private:
  // --- what an image's dispatcher needs

  void make_sources();
  void make_image(int image);
  [[nodiscard]] bag::ClaimSource& source_of(int worker) {
    return *sources_[static_cast<std::size_t>(workers_.model(worker).image)];
  }
  [[nodiscard]] int local(int worker) const {
    auto const image = static_cast<std::size_t>(workers_.model(worker).image);
    return worker - team_.roster().first_worker[image];
  }

  // --- actors

  void work(int worker);
  void claim_and_run(int worker);
  void run_chunk(int worker, bag::Grant const& grant, Seconds claim);
  struct Told {
    std::int64_t item;
    Seconds at;
    Seconds claim;
  };
  void tell(int worker, Told& told);
  void make_events();
  void lose(int image);

  void keep(int worker, SpanKind kind, Seconds begin, std::int64_t items);
  [[nodiscard]] BagResult result() const;

  BagJob const& job_;
  bag::Bag bag_;
  TrueCosts costs_;
  SimulatedTeam team_;
  VirtualClock clock_{};
  VirtualNetwork network_;
  WorkerTable workers_;

  SharedWords shared_{};
  std::vector<std::unique_ptr<PoolWords>> pools_of_nodes_{};
  std::unique_ptr<bag::ChunkPolicy> tracker_policy_{};
  std::optional<bag::CompletionTracker> tracker_{};
  std::vector<bag::TeamState> states_{};  // by image
  std::vector<std::unique_ptr<VirtualBagState>> bag_states_{};
  std::vector<std::unique_ptr<VirtualPool>> pools_{};
  std::vector<std::unique_ptr<VirtualTracker>> trackers_{};
  std::vector<std::unique_ptr<bag::ClaimSource>> sources_{};

  std::vector<sg::ActorPtr> actors_{};  // by worker
  std::vector<WorkerUse> uses_;
  std::vector<JobSpan> spans_{};
  Seconds last_end_{};
};

// --- what an image's dispatcher needs

void BagSimulation::make_sources() {
  int const images = team_.roster().images();
  for (int image = 0; image < images; ++image) states_.push_back(team_.state_of(image));
  if (images == 1) {
    sources_.push_back(std::make_unique<LocalSource>(bag_, team_.roster().modes,
                                                     bag::steals_tails(job_.dispatcher),
                                                     states_.front(), workers_, clock_));
    return;
  }
  shared_.speeds = team_.remembered();
  tracker_policy_ = team_.policy();
  bag::FirstClaims const first = team_.way() == bag::ClaimWay::by_tracker
                                     ? bag::FirstClaims::by_tracker
                                     : bag::FirstClaims::by_workers;
  tracker_.emplace(bag_, team_.roster().modes, *tracker_policy_, first);
  if (job_.dispatcher == bag::Dispatcher::hierarchical) {
    for (int node = 0; node < team_.machine().nodes(); ++node) {
      auto words = std::make_unique<PoolWords>(team_.pool_of(node));
      pools_of_nodes_.push_back(std::move(words));
    }
  }
  for (int image = 0; image < images; ++image) make_image(image);
}

void BagSimulation::make_image(int image) {
  auto const at = static_cast<std::size_t>(image);
  bag_states_.push_back(
      std::make_unique<VirtualBagState>(image, team_.roster(), shared_, workers_, network_));
  trackers_.push_back(std::make_unique<VirtualTracker>(image, *tracker_, clock_, network_,
                                                       job_.result_bytes_per_item));
  bag::ItemPool* pool = nullptr;
  if (!pools_of_nodes_.empty()) {
    auto const node = static_cast<std::size_t>(team_.machine().images[at].node);
    pools_.push_back(std::make_unique<VirtualPool>(image, *pools_of_nodes_[node], network_));
    pool = pools_.back().get();
  }
  bag::ImageContext const context{.image = image,
                                  .bag_state = *bag_states_[at],
                                  .roster = team_.roster(),
                                  .tracker = *trackers_[at],
                                  .pool = pool,
                                  .clock = clock_,
                                  .layout = team_.layout(image),
                                  .modes = team_.roster().modes,
                                  .dispatcher = job_.dispatcher,
                                  .way = team_.way()};
  // A first guess of what a claim costs, as images make it when they meet.
  Seconds const round_trip = network_.latency(image, 0) * 2.0;
  for (Seconds& cost : states_[at].claim_costs) cost = std::max(cost, round_trip * 2.0);
  sources_.push_back(std::make_unique<bag::ImageDispatcher>(bag_, context, states_[at]));
}

// --- actors

void BagSimulation::work(int worker) {
  uses_[static_cast<std::size_t>(worker)].device = workers_.model(worker).device;
  try {
    claim_and_run(worker);
    source_of(worker).leave(local(worker));
  } catch (ImageFailed const&) {
    return;  // image 0 is lost, or this one
  }
}

void BagSimulation::claim_and_run(int worker) {
  auto const image = static_cast<std::size_t>(workers_.model(worker).image);
  Seconds& claim_cost = states_[image].claim_costs[static_cast<std::size_t>(local(worker))];
  DeviceModel const& model = *workers_.model(worker).model;
  Seconds const start = model.claim + model.launch;
  while (!workers_.has_failed(worker)) {
    Seconds const asked = VirtualClock::time();
    // What a launch takes counts with the claim, as policies see it (docs/decisions/0049).
    auto const grant = source_of(worker).claim(local(worker), claim_cost + start);
    Seconds const claim = VirtualClock::time() - asked;
    if (!grant) {
      keep(worker, SpanKind::wait, asked, 0);
      return;
    }
    SpanKind const kind = grant->waited   ? SpanKind::wait
                          : grant->stolen ? SpanKind::steal
                                          : SpanKind::claim;
    keep(worker, kind, asked, grant->items.items());
    // A claim that waited took as long as others worked: that is no price of a claim.
    if (!grant->waited) claim_cost = bag::learned_claim_cost(claim_cost, claim);
    run_chunk(worker, *grant, grant->waited ? claim_cost : claim);
  }
}

void BagSimulation::run_chunk(int worker, bag::Grant const& grant, Seconds claim) {
  Seconds const begin = VirtualClock::time();
  Told told{grant.items.begin, begin, claim};
  Seconds const pause =
      std::max(tell_every, (workers_.course(worker)->end() - begin) / tells_of_chunk);
  Seconds next_tell = begin + pause;
  for (;;) {
    // Anew in each round: thieves and changes of speed move it.
    Seconds const end = workers_.course(worker)->end();
    workers_.wait_until(worker, std::min(end, next_tell));
    Seconds const now = VirtualClock::time() + VirtualClock::precision;
    if (workers_.has_failed(worker)) break;
    if (now >= workers_.course(worker)->end()) break;
    if (now < next_tell) continue;
    tell(worker, told);
    // It has something new to tell when it is through with the piece at hand.
    next_tell = std::max(now + pause, workers_.course(worker)->piece_end(now));
  }
  tell(worker, told);
  keep(worker, SpanKind::run, begin, told.item - grant.items.begin);
  last_end_ = std::max(last_end_, VirtualClock::time());
  if (workers_.has_failed(worker)) source_of(worker).give_back(local(worker));
  workers_.end_chunk(worker);
}

// What was finished since it told the last time.
void BagSimulation::tell(int worker, Told& told) {
  Seconds const now = VirtualClock::time();
  // At its end it is through, whatever the last bits of the time say.
  ChunkCourse const& course = *workers_.course(worker);
  bool const is_through = now + VirtualClock::precision >= course.end();
  std::int64_t const reached = is_through ? course.items().end : course.reached(now);
  bag::ItemRange const done{told.item, reached};
  if (done.empty()) return;
  uses_[static_cast<std::size_t>(worker)].items += done.items();
  source_of(worker).finish(local(worker), std::span(&done, 1), now - told.at, told.claim);
  told = {reached, now, Seconds{}};
}

void BagSimulation::make_events() {
  for (SpeedChange const& change : team_.machine().changes) {
    auto const actor = add_actor("change", network_.host_of(0), [this, change] {
      VirtualClock::sleep_until(change.at);
      workers_.change_speed(change.device, change.factor);
    });
    // A simulation ends with its workers, though more was to happen later.
    actor->daemonize();
  }
  for (ImageLoss const& loss : team_.machine().losses) {
    auto const actor = add_actor("loss", network_.host_of(0), [this, loss] {
      VirtualClock::sleep_until(loss.at);
      lose(loss.image);
    });
    actor->daemonize();
  }
}

// It ends without a word; what it held is found when the others have noticed.
void BagSimulation::lose(int image) {
  network_.lose(image);
  auto const at = static_cast<std::size_t>(image);
  int const first = team_.roster().first_worker[at];
  int const end = team_.roster().first_worker[at + 1];
  for (int worker = first; worker < end; ++worker)
    actors_[static_cast<std::size_t>(worker)]->kill();
  VirtualClock::sleep_until(VirtualClock::time() + team_.machine().losses_noticed_after);
  for (int worker = first; worker < end; ++worker) {
    // Only now: as long as the loss is not noticed, the others see what it held.
    workers_.end_chunk(worker);
    tracker_->retire(worker);
    shared_.speeds[static_cast<std::size_t>(worker)] = bag::speed_of_the_gone;
  }
  clock_.note_change();
}

// --- what came of it

void BagSimulation::keep(int worker, SpanKind kind, Seconds begin, std::int64_t items) {
  Seconds const end = VirtualClock::time();
  WorkerUse& use = uses_[static_cast<std::size_t>(worker)];
  Seconds& sum = kind == SpanKind::run    ? use.running
                 : kind == SpanKind::wait ? use.waiting
                                          : use.claiming;
  sum += end - begin;
  if (std::ssize(spans_) < job_.spans_kept) spans_.push_back({worker, kind, begin, end, items});
}

BagResult BagSimulation::result() const {
  BagResult result{.makespan = last_end_,
                   .operations = network_.operations(),
                   .messages = network_.messages(),
                   .workers = uses_,
                   .spans = spans_};
  for (auto const& source : sources_) {
    result.claims += source->claims();
    result.steals += source->steals();
  }
  for (auto const& tracker : trackers_) {
    result.makespan = std::max(result.makespan, tracker->results_there());
  }
  result.complete = tracker_ ? tracker_->complete() : sources_.front()->complete();
  result.ideal = ideal_time(team_.machine(), costs_.work());
  return result;
}

// When all work would be done if every device worked at its speed at that time without a pause.
void check_costs(BagJob const& job) {
  auto const is_cost = [](double value) { return value > 0 && std::isfinite(value); };
  double items = 0;
  for (bag::Segment const& segment : job.segments) {
    std::string const task = "task " + std::to_string(segment.task.value());
    if (segment.items < 0) {
      throw InputError(task + ": " + std::to_string(segment.items) + " items",
                       "a count is not below 0", "give a count");
    }
    items += static_cast<double>(segment.items);
    if (!is_cost(segment.cost_per_item.value())) {
      throw InputError(task + ": cost = " + short_text(segment.cost_per_item.value()),
                       "it is a finite number above 0", "give one");
    }
  }
  if (items > 0x1p53) {
    throw InputError("tasks of " + short_text(items) + " items together",
                     "times are counted in doubles, which hold 2^53", "give fewer items");
  }
  if (!(job.result_bytes_per_item >= 0) || !std::isfinite(job.result_bytes_per_item)) {
    throw InputError("result bytes of an item = " + short_text(job.result_bytes_per_item),
                     "they are a finite number from 0 on", "give 8, say");
  }
  for (Speed const speed : job.speeds) {
    if (speed >= Speed{} && std::isfinite(speed.value())) continue;
    throw InputError("remembered speed " + short_text(speed.value()),
                     "it is a finite number from 0 on", "give 0 where it is not known");
  }
  for (std::size_t task = 0; task < job.cost_factors.size(); ++task) {
    if (is_cost(job.cost_factors[task])) continue;
    throw InputError(
        "task " + std::to_string(task) + ": cost factor = " + short_text(job.cost_factors[task]),
        "it is a finite number above 0", "give one");
  }
}

}  // namespace

BagResult simulate(BagJob const& job) {
  check(job.machine);
  check_costs(job);
  EngineWords words;
  sg::Engine const engine(&words.count(), words.arguments());
  BagSimulation simulation(job);
  return simulation.run();
}

}  // namespace makespan::sim

// SPDX-License-Identifier: Apache-2.0
#include "virtual_time.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "makespan/bag/protocol/steal_choice.hpp"

namespace makespan::bag {

namespace {

// How much of what it began at `begin` a worker has done by `now`.
Work done_by(VirtualWorker const& worker, Seconds begin, Seconds now) {
  if (now <= begin) return Work{};
  Seconds const fast = std::clamp(worker.slows_at - begin, Seconds{}, now - begin);
  return fast * worker.speed + (now - begin - fast) * (worker.speed * worker.slow_factor);
}

// When `work` begun at `begin` is done.
Seconds end_of(VirtualWorker const& worker, Seconds begin, Work work) {
  if (begin >= worker.slows_at) return begin + work / (worker.speed * worker.slow_factor);
  Seconds const end = begin + work / worker.speed;
  if (end <= worker.slows_at) return end;
  Work const rest = work - (worker.slows_at - begin) * worker.speed;
  return worker.slows_at + rest / (worker.speed * worker.slow_factor);
}

class Simulation {
 public:
  Simulation(Bag const& bag, Mode mode, ChunkPolicy& policy,
             std::vector<VirtualWorker> const& workers, Seconds claim_cost,
             VirtualStealing const& stealing)
      : bag_(bag),
        workers_(workers),
        claim_cost_(claim_cost),
        stealing_(stealing),
        mode_(mode),
        speeds_(static_cast<int>(workers.size())),
        machine_(bag, mode, policy, speeds_),
        chunks_(workers.size()),
        waits_(workers.size()) {}

  VirtualRun run() {
    for (int worker = 0; worker < speeds_.workers(); ++worker) visit(worker, Seconds{});
    while (!moments_.empty()) {
      auto const [now, worker, visit] = moments_.top();
      moments_.pop();
      if (visit == chunk(worker).visit) arrive(worker, now);
    }
    Speed together;
    for (VirtualWorker const& worker : workers_) together += worker.speed;
    result_.bound = bag_.work() / together;
    result_.complete = machine_.complete();
    result_.steals = machine_.steals();
    return std::move(result_);
  }

 private:
  // What a worker is at.
  struct Chunk {
    Seconds begin{};       // of its first item
    Seconds launch{};      // before that
    std::int64_t visit{};  // the only one that counts: later ones replace it
  };

  Chunk& chunk(int worker) { return chunks_[static_cast<std::size_t>(worker)]; }
  [[nodiscard]] VirtualWorker const& self(int worker) const {
    return workers_[static_cast<std::size_t>(worker)];
  }

  void visit(int worker, Seconds when) {
    moments_.emplace(std::min(when, self(worker).dies_at), worker, ++chunk(worker).visit);
  }

  // A worker has come to the end of its chunk, if it had one, or of its life.
  void arrive(int worker, Seconds now) {
    ItemRange const held = machine_.held(worker);
    if (now >= self(worker).dies_at) {
      if (stealing_.is_on) view(worker, self(worker).dies_at);
      follow(machine_.step(Fail{worker}), now);
      return;
    }
    if (!held.empty()) {
      Chunk const& done = chunk(worker);
      // The launch counts as the worker's time, as a measured chunk would have it.
      follow(machine_.step(Finish{worker, held, now - done.begin + done.launch, claim_cost_}), now);
      result_.makespan = std::max(result_.makespan, now);
    }
    ask(worker, now);
  }

  void ask(int worker, Seconds now) {
    ClaimActions const actions = machine_.step(Ask{worker, claim_cost_ + self(worker).launch});
    if (actions.order == Order::run) {
      result_.claims.push_back(actions.items);
      begin(worker, now);
    } else if (actions.order == Order::wait && !(stealing_.is_on && steal(worker, now))) {
      waits_[static_cast<std::size_t>(worker)] = true;
      if (stealing_.is_on) visit(worker, now + stealing_.look_again);
    }
  }

  void begin(int worker, Seconds now) {
    chunk(worker).launch = self(worker).launch;
    chunk(worker).begin = now + claim_cost_ + self(worker).launch;
    visit_end(worker);
  }

  void visit_end(int worker) {
    visit(worker, end_of(self(worker), chunk(worker).begin, bag_.work_of(machine_.held(worker))));
  }

  bool steal(int worker, Seconds now) {
    std::vector<WorkerView> views;
    for (int other = 0; other < speeds_.workers(); ++other) views.push_back(view(other, now));
    auto const choice = choose_steal(bag_, views,
                                     {.worker = worker,
                                      .speed = speeds_.speed(worker),
                                      .claim_cost = claim_cost_ + self(worker).launch,
                                      .whole_tasks = mode_ == Mode::mo});
    if (!choice) return false;
    machine_.step(Steal{worker, choice->victim, choice->items});
    if (machine_.held(choice->victim).empty()) {
      visit(choice->victim, now);
    } else {
      visit_end(choice->victim);
    }
    begin(worker, now);
    return true;
  }

  // Reports what the worker has done so far, as a look at it by another worker would.
  WorkerView view(int worker, Seconds now) {
    ItemRange const held = machine_.held(worker);
    Chunk& mine = chunk(worker);
    if (held.empty() || now < mine.begin) {
      return {.not_begun = held, .speed = speeds_.speed(worker)};
    }
    Work const before = bag_.work_before(held.begin);
    Work const done = before + done_by(self(worker), mine.begin, now);
    std::int64_t at_hand = held.begin;
    while (at_hand + 1 < held.end && bag_.work_before(at_hand + 1) <= done) ++at_hand;
    if (at_hand > held.begin) {
      Seconds const end = end_of(self(worker), mine.begin, bag_.work_before(at_hand) - before);
      Seconds const taken = end - mine.begin + mine.launch;
      machine_.step(Finish{worker, {held.begin, at_hand}, taken, claim_cost_});
      mine.begin = end;
      mine.launch = Seconds{};
    }
    return {.not_begun = {at_hand + 1, held.end},
            .begun = bag_.work_of({at_hand, at_hand + 1}),
            .since = now - mine.begin,
            .speed = speeds_.speed(worker)};
  }

  void follow(ClaimActions const& actions, Seconds now) {
    if (!actions.wake) return;
    for (int worker = 0; worker < speeds_.workers(); ++worker) {
      if (std::exchange(waits_[static_cast<std::size_t>(worker)], 0) != 0) visit(worker, now);
    }
  }

  using Moment = std::tuple<Seconds, int, std::int64_t>;

  Bag const& bag_;
  std::vector<VirtualWorker> const& workers_;
  Seconds claim_cost_;
  VirtualStealing stealing_;
  Mode mode_;
  SpeedTable speeds_;
  ClaimMachine machine_;
  std::vector<Chunk> chunks_;  // by worker
  std::vector<char> waits_;    // by worker; 1 when it was told to wait
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>>
      moments_;  // the earliest first, then by worker
  VirtualRun result_;
};

}  // namespace

VirtualRun run_in_virtual_time(Bag const& bag, Mode mode, ChunkPolicy& policy,
                               std::vector<VirtualWorker> const& workers, Seconds claim_cost,
                               VirtualStealing const& stealing) {
  return Simulation(bag, mode, policy, workers, claim_cost, stealing).run();
}

}  // namespace makespan::bag

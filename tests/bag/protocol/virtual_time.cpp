// SPDX-License-Identifier: Apache-2.0
#include "virtual_time.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace makespan::bag {

namespace {

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
             std::vector<VirtualWorker> const& workers, Seconds claim_cost)
      : bag_(bag),
        workers_(workers),
        claim_cost_(claim_cost),
        speeds_(static_cast<int>(workers.size())),
        machine_(bag, mode, policy, speeds_),
        begun_(workers.size()),
        waits_(workers.size()) {}

  VirtualRun run() {
    for (int worker = 0; worker < speeds_.workers(); ++worker) moments_.emplace(Seconds{}, worker);
    while (!moments_.empty()) {
      auto const [now, worker] = moments_.top();
      moments_.pop();
      arrive(worker, now);
    }
    Speed together;
    for (VirtualWorker const& worker : workers_) together += worker.speed;
    result_.bound = bag_.work() / together;
    result_.complete = machine_.complete();
    return std::move(result_);
  }

 private:
  // A worker has come to the end of its chunk, if it had one, or of its life.
  void arrive(int worker, Seconds now) {
    VirtualWorker const& self = workers_[static_cast<std::size_t>(worker)];
    ItemRange const held = machine_.held(worker);
    if (now >= self.dies_at) {
      follow(machine_.step(Fail{worker}), now);
      return;
    }
    if (!held.empty()) {
      // The launch counts as the worker's time, as a measured chunk would have it.
      follow(machine_.step(
                 Finish{worker, held, now - begun_[static_cast<std::size_t>(worker)], claim_cost_}),
             now);
      result_.makespan = std::max(result_.makespan, now);
    }
    ask(worker, now);
  }

  void ask(int worker, Seconds now) {
    VirtualWorker const& self = workers_[static_cast<std::size_t>(worker)];
    ClaimActions const actions = machine_.step(Ask{worker, claim_cost_ + self.launch});
    if (actions.order == Order::wait) waits_[static_cast<std::size_t>(worker)] = true;
    if (actions.order != Order::run) return;
    result_.claims.push_back(actions.items);
    Seconds const begin = now + claim_cost_;
    begun_[static_cast<std::size_t>(worker)] = begin;
    Seconds const end = end_of(self, begin + self.launch, bag_.work_of(actions.items));
    moments_.emplace(std::min(end, self.dies_at), worker);
  }

  void follow(ClaimActions const& actions, Seconds now) {
    if (!actions.wake) return;
    for (int worker = 0; worker < speeds_.workers(); ++worker) {
      if (std::exchange(waits_[static_cast<std::size_t>(worker)], 0) != 0)
        moments_.emplace(now, worker);
    }
  }

  using Moment = std::pair<Seconds, int>;

  Bag const& bag_;
  std::vector<VirtualWorker> const& workers_;
  Seconds claim_cost_;
  SpeedTable speeds_;
  ClaimMachine machine_;
  std::vector<Seconds> begun_;
  std::vector<char> waits_;  // by worker; 1 when it was told to wait
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>>
      moments_;  // the earliest first, then by worker
  VirtualRun result_;
};

}  // namespace

VirtualRun run_in_virtual_time(Bag const& bag, Mode mode, ChunkPolicy& policy,
                               std::vector<VirtualWorker> const& workers, Seconds claim_cost) {
  return Simulation(bag, mode, policy, workers, claim_cost).run();
}

}  // namespace makespan::bag

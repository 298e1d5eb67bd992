// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/detail/local_source.hpp"

#include <chrono>
#include <cstddef>

#include "makespan/bag/protocol/steal_choice.hpp"

namespace makespan::sim {

namespace {

// As threads do.
constexpr std::chrono::microseconds look_again{500};

}  // namespace

LocalSource::LocalSource(bag::Bag const& bag, std::vector<bag::Mode> const& modes, bool steals,
                         bag::TeamState& state, WorkerTable& workers, VirtualClock& clock)
    : bag_{bag},
      modes_{modes},
      steals_{steals},
      speeds_{state.speeds},
      workers_{workers},
      clock_{clock},
      views_(modes.size()),
      machine_{bag, modes, *state.policy, state.speeds} {
}

std::optional<bag::Grant> LocalSource::claim(int worker, Seconds claim_cost) {
  for (bool waited = false;; waited = true) {
    bag::ClaimActions const answer = machine_.step(bag::Ask{worker, claim_cost});
    if (answer.order == bag::Order::leave) return std::nullopt;
    if (answer.order == bag::Order::run) return grant(worker, answer.items, waited, false);
    if (steals_) {
      if (auto const tail = steal(worker, claim_cost)) return grant(worker, *tail, waited, true);
    }
    clock_.sleep(look_again);
  }
}

bag::Grant LocalSource::grant(int worker, bag::ItemRange items, bool waited, bool stolen) {
  workers_.publish(worker, items);
  return {.items = items, .speed = speeds_.speed_seen(worker), .waited = waited, .stolen = stolen};
}

std::optional<bag::ItemRange> LocalSource::steal(int worker, Seconds claim_cost) {
  for (int other = 0; other < speeds_.workers(); ++other) {
    views_[static_cast<std::size_t>(other)] = workers_.view(other, speeds_.speed(other));
  }
  auto const choice =
      bag::choose_steal(bag_, views_,
                        {.worker = worker,
                         .speed = speeds_.speed(worker),
                         .claim_cost = claim_cost,
                         .whole_tasks = modes_[static_cast<std::size_t>(worker)] == bag::Mode::mo});
  if (!choice || !workers_.take_tail(choice->victim, choice->items)) return std::nullopt;
  machine_.step(bag::Steal{worker, choice->victim, choice->items});
  return choice->items;
}

void LocalSource::finish(int worker, std::span<bag::ItemRange const> done, Seconds taken,
                         Seconds claim) {
  for (bag::ItemRange const& part : done) {
    // The time is the worker's, for all parts together: it is told once.
    bool const is_first = &part == done.data();
    machine_.step(
        bag::Finish{worker, part, is_first ? taken : Seconds{}, is_first ? claim : Seconds{}});
  }
  clock_.note_change();
}

void LocalSource::give_back(int worker) {
  workers_.take_all(worker);
  machine_.step(bag::Fail{worker});
  clock_.note_change();
}

void LocalSource::stop() {
  machine_.step(bag::Stop{});
  clock_.note_change();
}

}  // namespace makespan::sim

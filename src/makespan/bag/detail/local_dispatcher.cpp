// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/detail/local_dispatcher.hpp"

#include <chrono>

#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

// How long a waiting worker sleeps before it looks for items to steal again: short against any
// chunk, long against the look.
constexpr std::chrono::microseconds look_again{500};

}  // namespace

LocalDispatcher::LocalDispatcher(Bag const& bag, ItemRunner& runner, TeamLayout const& layout,
                                 Dispatcher dispatcher, TeamBoard const& shared)
    : bag_(bag),
      runner_(runner),
      layout_(layout),
      steals_(steals_tails(dispatcher)),
      speeds_(shared.state.speeds),
      board_(shared.board),
      clock_(shared.clock),
      views_(static_cast<std::size_t>(layout.workers())),
      changed_(shared.clock.make_condition()),
      machine_(bag, layout.modes(), *shared.state.policy, shared.state.speeds) {
  MAKESPAN_EXPECT(bag.items() <= RangeWord::end_max);
}

std::optional<Grant> LocalDispatcher::claim(int worker, Seconds claim_cost) {
  Lock lock(mutex_);
  for (bool waited = false;; waited = true) {
    // A tail is taken only when nothing is free: what failed workers held is handed out before.
    ClaimActions const answer = machine_.step(Ask{worker, claim_cost});
    if (answer.order == Order::leave) return std::nullopt;
    if (answer.order == Order::run) return grant(worker, answer.items, waited, false);
    if (steals_) {
      if (auto const tail = steal(worker, claim_cost)) return grant(worker, *tail, waited, true);
    }
    wait(lock);
  }
}

Grant LocalDispatcher::grant(int worker, ItemRange items, bool waited, bool stolen) {
  // Under the lock that the machine was asked under: thieves and give_back() always find on the
  // board what the machine says that the worker holds.
  board_.publish(worker, items);
  return {.items = items, .speed = speeds_.speed_seen(worker), .waited = waited, .stolen = stolen};
}

// The word is changed and the machine told under one lock, so that no victim tells of a chunk
// before the machine knows where it now ends.
std::optional<ItemRange> LocalDispatcher::steal(int worker, Seconds claim_cost) {
  auto const now = clock_.now();
  for (int other = 0; other < speeds_.workers(); ++other) {
    views_[static_cast<std::size_t>(other)] = board_.view(other, speeds_.speed(other), now);
  }
  auto const choice =
      choose_steal(bag_, views_,
                   {.worker = worker,
                    .speed = speeds_.speed(worker),
                    .claim_cost = claim_cost,
                    .whole_tasks = layout_.modes()[static_cast<std::size_t>(worker)] == Mode::mo});
  if (!choice || !board_.take_tail(choice->victim, choice->items)) return std::nullopt;
  machine_.step(Steal{worker, choice->victim, choice->items});
  return choice->items;
}

void LocalDispatcher::wait(Lock& lock) {
  // That a victim slows down no event tells: thieves look again. Others are woken, and the count
  // tells a wake from one without a reason.
  if (steals_) return changed_->wait_for(lock, look_again);
  for (std::int64_t const before = wakes_; wakes_ == before;) changed_->wait(lock);
}

void LocalDispatcher::finish(int worker, std::span<ItemRange const> done, Seconds taken,
                             Seconds claim) {
  bool const counts = count(worker, done, taken, claim);
  // Without the lock: the runner's functions may take long. All threads of the worker, since a
  // gang's pieces are with whichever has run them.
  int const first = layout_.claiming_thread(worker);
  for (int thread = first; thread < first + layout_.threads_of_worker(worker); ++thread) {
    counts ? runner_.keep(thread) : runner_.drop(thread);
  }
}

bool LocalDispatcher::count(int worker, std::span<ItemRange const> done, Seconds taken,
                            Seconds claim) {
  Lock const lock(mutex_);
  bool const counts = machine_.are_new(done);
  bool wake = false;
  for (ItemRange const& part : done) {
    // The time is the worker's, for all parts together: it is told once.
    bool const is_first = &part == done.data();
    ClaimEvent event = Drop{worker, part};
    if (counts)
      event = Finish{worker, part, is_first ? taken : Seconds{}, is_first ? claim : Seconds{}};
    wake = machine_.step(event).wake || wake;
  }
  wake_if(wake);
  return counts;
}

void LocalDispatcher::give_back(int worker) {
  Lock const lock(mutex_);
  // Off the board first: a worker that is overdue goes on taking pieces there without this lock.
  board_.take_all(worker);
  wake_if(machine_.step(Fail{worker}).wake);
}

Speed LocalDispatcher::speed_to_go_by(int worker) {
  Lock const lock(mutex_);
  return speeds_.speed_to_go_by(worker);
}

void LocalDispatcher::stop() {
  Lock const lock(mutex_);
  wake_if(machine_.step(Stop{}).wake);
}

void LocalDispatcher::wake_if(bool wake) {
  if (!wake) return;
  ++wakes_;
  changed_->notify_all();
}

bool LocalDispatcher::complete() const {
  Lock const lock(mutex_);
  return machine_.complete();
}

std::int64_t LocalDispatcher::claims() const {
  Lock const lock(mutex_);
  return machine_.claims();
}

std::int64_t LocalDispatcher::steals() const {
  Lock const lock(mutex_);
  return machine_.steals();
}

}  // namespace makespan::bag

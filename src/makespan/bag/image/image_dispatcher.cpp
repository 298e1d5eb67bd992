// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/image_dispatcher.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <mutex>
#include <utility>

#include "makespan/bag/policy/closed_form_policy.hpp"
#include "makespan/bag/policy/memoryless_policy.hpp"
#include "makespan/bag/protocol/chunk_range.hpp"
#include "makespan/bag/protocol/claim_pause.hpp"
#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/bag/protocol/steal_choice.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/errors.hpp"

namespace makespan::bag {

namespace {

// How long one who waits sleeps before it looks again: short against any chunk, long against what
// the last look cost, which tells how many wait beside it.
constexpr std::chrono::microseconds look_pause_min{500};
constexpr std::chrono::milliseconds look_pause_max{100};
constexpr int look_pause_by_time = 4;

// Speeds change more slowly than claims are made: reading them takes at most so much of the time.
constexpr int speeds_pause_by_time = 10;
constexpr std::chrono::milliseconds speeds_pause_max{100};

// How often a worker tells of its speed and of what it has finished, while it finds more: at most
// so often, and so that telling takes at most a hundredth of its time. Over TCP it takes half a
// millisecond.
constexpr std::chrono::milliseconds tell_pause_min{10};
constexpr std::chrono::milliseconds tell_pause_max{500};
constexpr int tell_pause_by_time = 100;

}  // namespace

ClaimWay claim_way(Dispatcher dispatcher, PolicyForm form, std::vector<Mode> const& modes) {
  if (dispatcher == Dispatcher::boss || form == PolicyForm::history) return ClaimWay::by_keeper;
  // Several chunks at once are a look at what is left.
  if (dispatcher == Dispatcher::hierarchical) return ClaimWay::by_rest;
  // Where whole tasks are claimed, the chunks before decide where the next one begins.
  bool const ends_anywhere = std::ranges::find(modes, Mode::mo) == modes.end();
  return form == PolicyForm::closed && ends_anywhere ? ClaimWay::by_step : ClaimWay::by_rest;
}

ImageDispatcher::ImageDispatcher(Bag const& bag, ImageSurroundings const& around, TeamState& state)
    : bag_(bag),
      around_(around),
      state_(state),
      loop_(loop_of(bag, around.roster.workers())),
      first_worker_(around.roster.first_worker[static_cast<std::size_t>(around.image)]),
      workers_(static_cast<std::size_t>(around.layout.workers())),
      at_work_(around.layout.workers()) {
  MAKESPAN_EXPECT(bag.items() <= ClaimWord::cursor_max);
  for (Worker& worker : workers_) {
    if (around_.way == ClaimWay::by_step) {
      worker.positions.emplace(dynamic_cast<ClosedFormPolicy const&>(*state.policy), loop_);
    }
    worker.knows_end = around_.way == ClaimWay::by_keeper;
  }
  if (around_.way == ClaimWay::by_keeper) around_.pool = nullptr;
}

int ImageDispatcher::thread_of(int worker) const {
  return around_.layout.claiming_thread(worker);
}

std::optional<Grant> ImageDispatcher::claim(int worker, Seconds claim_cost) {
  end_chunk(worker);
  if (auto const items = claim_unspent(worker, claim_cost)) {
    return grant(worker, *items, false, false);
  }
  tell(worker);
  at(worker).has_asked = true;
  for (bool waited = false; !stopped_; waited = true) {
    auto const begin = around_.clock.now();
    ClaimActions const answer = around_.keeper.ask(thread_of(worker), facts(worker, claim_cost));
    if (answer.order == Order::leave) break;
    if (answer.order == Order::run) return grant(worker, answer.items, waited, false);
    if (pool_has_items(worker) && around_.keeper.may_use_pool(thread_of(worker), global(worker))) {
      auto const items = take_from_pool(worker, claim_cost);
      if (items) return grant(worker, *items, waited, false);
    }
    if (steals_tails(around_.dispatcher)) {
      if (auto const tail = steal(worker, claim_cost)) return grant(worker, *tail, waited, true);
    }
    around_.clock.sleep(std::clamp<TeamClock::Clock::duration>(
        (around_.clock.now() - begin) * look_pause_by_time, look_pause_min, look_pause_max));
  }
  at(worker).was_sent_away = true;
  return std::nullopt;
}

// What nobody has claimed, or nobody of the node has begun. By the time that a worker has asked the
// keeper, a pool may hold what the keeper hands out again.
std::optional<ItemRange> ImageDispatcher::claim_unspent(int worker, Seconds claim_cost) {
  Worker const& self = at(worker);
  while (!stopped_) {
    if (!self.has_asked) {
      if (auto const items = take_from_pool(worker, claim_cost)) return items;
    }
    if (self.knows_end) return std::nullopt;
    auto const items = around_.way == ClaimWay::by_step ? claim_by_step(worker)
                                                        : claim_by_rest(worker, claim_cost);
    if (items) return share_with_node(worker, *items, claim_cost);
  }
  return std::nullopt;
}

std::optional<ItemRange> ImageDispatcher::claim_by_step(int worker) {
  Worker& self = at(worker);
  auto const step = static_cast<std::int64_t>(around_.ledger.fetch_add(thread_of(worker), 1));
  ItemRange items = self.positions->at(std::min(step, loop_.items));
  if (!items.empty()) return items;
  self.knows_end = true;
  return std::nullopt;
}

std::optional<ItemRange> ImageDispatcher::claim_by_rest(int worker, Seconds claim_cost) {
  Worker& self = at(worker);
  int const thread = thread_of(worker);
  for (int losses = 1;; ++losses) {
    look(worker);
    WorkerFacts const claimer = of_node(worker, facts(worker, claim_cost));
    ClaimWord const seen(self.look.word);
    if (seen.cursor() >= bag_.items()) return end_of_claims(worker);
    ItemRange const items = next_chunks(worker, claimer, seen);
    ClaimWord const after = seen.claimed_to(items.end, chunks_at_once(claimer));
    auto const begin = around_.clock.now();
    ClaimWord const found(around_.ledger.compare_swap(thread, seen.bits(), after.bits()));
    if (found.bits() == seen.bits()) return items;
    if (found.cursor() >= bag_.items()) return end_of_claims(worker);
    if (may_add(worker)) return claim_as_many(worker, claimer, found);
    around_.clock.sleep(
        pause_after_losses(global(worker), losses, around_.clock.now() - begin));
  }
}

// One that claims for its node is as fast as the node's workers are on average.
WorkerFacts ImageDispatcher::of_node(int worker, WorkerFacts facts) const {
  facts.speed = with_pool(facts.speed, [&](ItemPool& pool) {
    return pool.speed_together(thread_of(worker)) / pool.workers();
  });
  return facts;
}

std::nullopt_t ImageDispatcher::end_of_claims(int worker) {
  at(worker).knows_end = true;
  return std::nullopt;
}

// Chunks may begin and end anywhere, and the word has room for one claim too many of each worker.
bool ImageDispatcher::may_add(int worker) const {
  return around_.modes[static_cast<std::size_t>(global(worker))] != Mode::mo &&
         bag_.items() <= ClaimWord::cursor_max / (loop_.workers + 1);
}

// Where many claim at once compare-exchanges are lost: then the chunk that the policy gave for the
// state that was seen is taken from wherever the bag has come to.
std::optional<ItemRange> ImageDispatcher::claim_as_many(int worker, WorkerFacts const& claimer,
                                                        ClaimWord seen) {
  std::int64_t const count = next_chunks(worker, claimer, seen).items();
  std::uint64_t const step = ClaimWord::step_of(count, chunks_at_once(claimer));
  ClaimWord const before(around_.ledger.fetch_add(thread_of(worker), step));
  ItemRange const items{std::min(before.cursor(), bag_.items()),
                        std::min(before.cursor() + count, bag_.items())};
  if (items.empty()) return end_of_claims(worker);
  return items;
}

// The chunks that the policy gives to this worker one after the other, for all of its node if that
// has a pool.
ItemRange ImageDispatcher::next_chunks(int worker, WorkerFacts const& facts, ClaimWord word) const {
  Mode const mode = around_.modes[static_cast<std::size_t>(global(worker))];
  ItemRange all{word.cursor(), word.cursor()};
  for (int chunk = 0; chunk < chunks_at_once(facts) && all.end < bag_.items(); ++chunk) {
    ItemRange const free{all.end, bag_.items()};
    ChunkSize const size = state_.policy->next_chunk({.loop = loop_,
                                                      .step = word.step() + chunk,
                                                      .items_left = free.items(),
                                                      .work_left = bag_.work_of(free),
                                                      .worker = facts});
    ItemRange const next = chunk_range(bag_, size, mode, free);
    if (all.items() + next.items() > RangeWord::items_max) break;
    all.end = next.end;
  }
  return all;
}

// --- of a node

// One by one until it is known how fast they are: all of a node begin at once, and whose batch finds
// another's in the pool has to run it alone.
int ImageDispatcher::chunks_at_once(WorkerFacts const& facts) const {
  return has_pool() && facts.measured ? around_.pool->workers() : 1;
}

// What `use` makes of the pool; `otherwise` where there is none, or its image is lost meanwhile.
// The keeper finds what was in it.
template <class Result, std::invocable<ItemPool&> Use>
Result ImageDispatcher::with_pool(Result otherwise, Use use) const {
  if (!has_pool()) return otherwise;
  try {
    return use(*around_.pool);
  } catch (pgas::ImageFailed const&) {
    return otherwise;
  }
}

std::optional<ItemRange> ImageDispatcher::take_from_pool(int worker, Seconds claim_cost) {
  std::optional<ItemRange> const nothing;
  return with_pool(nothing, [&](ItemPool& pool) {
    return pool.take(thread_of(worker),
                     [&](ItemRange left) { return part_within_node(worker, left, claim_cost); });
  });
}

bool ImageDispatcher::pool_has_items(int worker) {
  return with_pool(false, [&](ItemPool& pool) { return !pool.is_empty(thread_of(worker)); });
}

// Claimed items, less what the others of the node may have of them.
ItemRange ImageDispatcher::share_with_node(int worker, ItemRange batch, Seconds claim_cost) {
  return with_pool(batch, [&](ItemPool& pool) {
    ItemRange const own = part_within_node(worker, batch, claim_cost);
    bool const divided = pool.offer(thread_of(worker), {own.end, batch.end});
    return divided ? own : batch;
  });
}

ItemRange ImageDispatcher::part_within_node(int worker, ItemRange left, Seconds claim_cost) {
  Speed const speed = speed_of(worker);
  ChunkSize const size = within_node_.next_chunk(
      {.loop = loop_,
       .step = 0,
       .items_left = left.items(),
       .work_left = bag_.work_of(left),
       .worker = {.index = global(worker),
                  .measured = speed > Speed{},
                  .speed = speed,
                  .speed_total = around_.pool->speed_together(thread_of(worker)),
                  .claim_cost = claim_cost}});
  return chunk_range(bag_, size, around_.modes[static_cast<std::size_t>(global(worker))], left);
}

// The word as it is, and speeds as they were a little while ago: there are as many as workers.
void ImageDispatcher::look(int worker) {
  Worker& self = at(worker);
  auto const begin = around_.clock.now();
  if (begin < self.looks_at_speeds) {
    self.look.word = around_.ledger.look_word(thread_of(worker));
    return;
  }
  around_.ledger.look(thread_of(worker), self.look);
  auto const end = around_.clock.now();
  self.looks_at_speeds =
      end + std::min<TeamClock::Clock::duration>((end - begin) * speeds_pause_by_time,
                                                 speeds_pause_max);
}

// The speed of all as it was at the last look: claims by rest look first.
WorkerFacts ImageDispatcher::facts(int worker, Seconds claim_cost) {
  Worker& self = at(worker);
  if (around_.way == ClaimWay::by_keeper) look(worker);
  Speed const speed = speed_of(worker);
  if (!self.look.speeds.empty()) self.look.speeds[static_cast<std::size_t>(global(worker))] = speed;
  return {.index = global(worker),
          .measured = speed > Speed{},
          .speed = speed,
          .speed_total = speed_together(self.look.speeds),
          .claim_cost = claim_cost};
}

Speed ImageDispatcher::speed_of(int worker) {
  std::scoped_lock const lock(speeds_lock_);
  return state_.speeds.speed(worker);
}

Speed ImageDispatcher::speed_seen(int worker) {
  std::scoped_lock const lock(speeds_lock_);
  return state_.speeds.speed_seen(worker);
}

void ImageDispatcher::record(int worker, Work work, Seconds taken) {
  std::scoped_lock const lock(speeds_lock_);
  state_.speeds.record(worker, work, taken);
}

std::optional<ItemRange> ImageDispatcher::steal(int worker, Seconds claim_cost) {
  Worker& self = at(worker);
  int const thread = thread_of(worker);
  std::vector<WorkerView> views;
  around_.ledger.look_at_all(thread, self.look, views);
  auto const choice = choose_steal(
      bag_, views,
      {.worker = global(worker),
       .speed = speed_of(worker),
       .claim_cost = claim_cost,
       .whole_tasks = around_.modes[static_cast<std::size_t>(global(worker))] == Mode::mo});
  if (!choice || !around_.keeper.may_steal(thread, global(worker), choice->victim)) {
    return std::nullopt;
  }
  try {
    if (!around_.ledger.take_tail(thread, choice->victim, choice->items)) return std::nullopt;
  } catch (pgas::ImageFailed const&) {
    // What it held is lost, and the keeper will find it.
    if (around_.roster.image_of(choice->victim) == 0) throw;
    return std::nullopt;
  }
  ++steals_;
  return choice->items;
}

Grant ImageDispatcher::grant(int worker, ItemRange items, bool waited, bool stolen) {
  if (!stolen) ++claims_;
  at(worker).report = {.worker = global(worker)};
  around_.ledger.publish(worker, items);
  return {.items = items, .speed = speed_seen(worker), .waited = waited, .stolen = stolen};
}

void ImageDispatcher::finish(int worker, std::span<ItemRange const> done, Seconds taken,
                             Seconds claim) {
  Work const work = bag_.work_of(done.front());
  if (work > Work{} && taken > Seconds{}) {
    record(worker, work, taken);
  }
  ChunkReport& report = at(worker).report;
  for (ItemRange const& part : done) {
    report.items += part.items();
    report.work += bag_.work_of(part);
  }
  report.computing += taken;
  report.with_claim += taken + claim;
  note(worker, done);
  if (around_.clock.now() - at(worker).told >= at(worker).tell_pause) tell(worker);
}

void ImageDispatcher::note(int worker, std::span<ItemRange const> done) {
  auto& untold = at(worker).untold;
  for (ItemRange const& part : done) {
    if (part.empty()) continue;
    if (!untold.empty() && untold.back().end == part.begin) {
      untold.back().end = part.end;
    } else {
      untold.push_back(part);
    }
  }
}

// Not after every chunk: a message costs more than a claim.
void ImageDispatcher::tell(int worker) {
  Worker& self = at(worker);
  auto const begin = around_.clock.now();
  self.told = begin;
  if (self.untold.empty()) return;
  tell_speed(worker, speed_of(worker));
  around_.keeper.finish(thread_of(worker), thread_of(worker),
                        around_.layout.threads_of_worker(worker), self.untold);
  self.untold.clear();
  self.told = around_.clock.now();
  self.tell_pause = std::clamp<std::chrono::steady_clock::duration>(
      (self.told - begin) * tell_pause_by_time, tell_pause_min, tell_pause_max);
}

void ImageDispatcher::tell_speed(int worker, Speed speed) {
  around_.ledger.tell_speed(thread_of(worker), global(worker), speed);
  with_pool(false, [&](ItemPool& pool) {
    pool.tell_speed(thread_of(worker), global(worker), speed);
    return true;
  });
}

// Only a keeper that hands out all has a policy that listens.
void ImageDispatcher::end_chunk(int worker) {
  ChunkReport const report = std::exchange(at(worker).report, ChunkReport{});
  if (around_.way == ClaimWay::by_keeper && report.items > 0) {
    around_.keeper.end_chunk(thread_of(worker), report);
  }
}

// Nobody else takes it now; what it was, the keeper finds when nobody holds anything.
void ImageDispatcher::give_back(int worker) {
  around_.ledger.take_all(worker);
  tell(worker);
}

void ImageDispatcher::leave(int worker) {
  tell(worker);
  if (!at(worker).was_sent_away) {
    around_.keeper.retire(thread_of(worker), global(worker));
    tell_speed(worker, speed_of_the_gone);
  }
  --at_work_;
}

}  // namespace makespan::bag

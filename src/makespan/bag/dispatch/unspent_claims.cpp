// SPDX-License-Identifier: Apache-2.0
// The part of ImageDispatcher that claims unclaimed items, for a worker or for its node.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "makespan/bag/dispatch/image_dispatcher.hpp"
#include "makespan/bag/protocol/chunk_range.hpp"
#include "makespan/bag/protocol/claim_pause.hpp"
#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/joined.hpp"

namespace makespan::bag {

namespace {

Seconds seconds(TeamClock::Clock::duration time) {
  return Seconds{std::chrono::duration<double>(time).count()};
}

TeamClock::Clock::duration clock_time(Seconds time) {
  return std::chrono::duration_cast<TeamClock::Clock::duration>(
      std::chrono::duration<double>(time.value()));
}

}  // namespace

// Items that are not claimed yet, or that the node has claimed and no worker of it has begun. By
// the time that a worker has asked the tracker, a pool may hold what the tracker hands out again.
std::optional<ItemRange> ImageDispatcher::claim_unspent(int worker, Seconds claim_cost) {
  Worker const& self = at(worker);
  while (!stopped_) {
    // What the node has claimed comes first: it takes no trip over the network.
    if (!self.has_asked) {
      if (auto const items = take_from_pool(worker, claim_cost)) return items;
    }
    if (self.knows_end) return std::nullopt;
    auto const items = context_.way == ClaimWay::by_step ? claim_by_step(worker)
                                                         : claim_by_remaining(worker, claim_cost);
    if (items) return share_with_node(worker, *items, claim_cost);
  }
  return std::nullopt;
}

std::optional<ItemRange> ImageDispatcher::claim_by_step(int worker) {
  Worker& self = at(worker);
  auto const step = static_cast<std::int64_t>(context_.bag_state.fetch_add(thread_of(worker), 1));
  // Each claim takes an item at least, so that no number from the count of items on has any: the
  // positions need not be walked to further ones.
  ItemRange items = self.positions->at(std::min(step, loop_.items));
  if (!items.empty()) return items;
  self.knows_end = true;
  return std::nullopt;
}

std::optional<ItemRange> ImageDispatcher::claim_by_remaining(int worker, Seconds claim_cost) {
  Worker& self = at(worker);
  int const thread = thread_of(worker);
  for (int losses = 1;; ++losses) {
    look(worker);
    WorkerFacts const claimer = of_node(worker, read_facts(worker, claim_cost));
    ClaimWord const seen(self.look.word);
    if (seen.cursor() >= bag_.items()) return end_of_claims(worker);
    ItemRange const items = next_chunks(worker, claimer, seen);
    ClaimWord const after = seen.claimed_to(items.end, chunks_at_once(claimer));
    auto const begin = context_.clock.now();
    ClaimWord const found(context_.bag_state.compare_swap(thread, seen.bits(), after.bits()));
    if (found.bits() == seen.bits()) return items;
    if (found.cursor() >= bag_.items()) return end_of_claims(worker);
    if (may_add(worker)) return claim_as_many(worker, claimer, found);
    context_.clock.sleep(clock_time(
        pause_after_losses(global(worker), losses, seconds(context_.clock.now() - begin))));
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
  return context_.modes[static_cast<std::size_t>(global(worker))] != Mode::mo &&
         bag_.items() <= ClaimWord::cursor_max / (loop_.workers + 1);
}

// Where many claim at once compare-exchanges are lost: then the chunk that the policy gave for the
// state that was seen is taken from wherever the bag has come to.
std::optional<ItemRange> ImageDispatcher::claim_as_many(int worker, WorkerFacts const& claimer,
                                                        ClaimWord seen) {
  std::int64_t const count = next_chunks(worker, claimer, seen).items();
  std::uint64_t const step = ClaimWord::step_of(count, chunks_at_once(claimer));
  ClaimWord const before(context_.bag_state.fetch_add(thread_of(worker), step));
  ItemRange const items{std::min(before.cursor(), bag_.items()),
                        std::min(before.cursor() + count, bag_.items())};
  if (items.empty()) return end_of_claims(worker);
  return items;
}

// The chunks that the policy gives to this worker one after the other, for all of its node if that
// has a pool.
ItemRange ImageDispatcher::next_chunks(int worker, WorkerFacts const& facts, ClaimWord word) const {
  Mode const mode = context_.modes[static_cast<std::size_t>(global(worker))];
  ItemRange all{word.cursor(), word.cursor()};
  for (int chunk = 0; chunk < chunks_at_once(facts) && all.end < bag_.items(); ++chunk) {
    ItemRange const free{all.end, bag_.items()};
    ChunkSize const size = state_.policy->next_chunk({.loop = loop_,
                                                      .step = word.step() + chunk,
                                                      .items_left = free.items(),
                                                      .work_left = bag_.work_of(free),
                                                      .worker = facts});
    ItemRange const next = chunk_range(bag_, size, mode, free);
    // All of it goes into one word: the pool's, or the worker's own.
    if (all.items() + next.items() > RangeWord::items_max) break;
    all.end = next.end;
  }
  return all;
}

// --- of a node

// One by one until it is known how fast they are: all of a node begin at once, and whose batch
// finds another's in the pool has to run it alone.
int ImageDispatcher::chunks_at_once(WorkerFacts const& facts) const {
  return has_pool() && facts.measured == Measured::yes ? context_.pool->workers() : 1;
}

std::optional<ItemRange> ImageDispatcher::take_from_pool(int worker, Seconds claim_cost) {
  std::optional<ItemRange> const nothing;
  return with_pool(nothing, [&](ItemPool& pool) {
    return pool.take(thread_of(worker), [&](ItemRange left) {
      if (left.end > bag_.items()) {
        throw BadMessage(ImageId{-1}, joined("items to ", left.end, " of ", bag_.items(),
                                             " in the pool of a node"));
      }
      return part_within_node(worker, left, claim_cost);
    });
  });
}

bool ImageDispatcher::pool_has_items(int worker) {
  return with_pool(false, [&](ItemPool& pool) { return !pool.is_empty(thread_of(worker)); });
}

// Claimed items, less what the others of the node may have of them.
ItemRange ImageDispatcher::share_with_node(int worker, ItemRange batch, Seconds claim_cost) {
  return with_pool(batch, [&](ItemPool& pool) {
    ItemRange const own = part_within_node(worker, batch, claim_cost);
    // Another may have offered meanwhile, and a word holds one range: then all of it is this
    // worker's.
    bool const divided = pool.offer(thread_of(worker), {own.end, batch.end});
    return divided ? own : batch;
  });
}

ItemRange ImageDispatcher::part_within_node(int worker, ItemRange left, Seconds claim_cost) {
  Speed const speed = speed_of(worker);
  // As a bag of its own, of the node's workers alone.
  ChunkSize const size = within_node_.next_chunk(
      {.loop = loop_,
       .step = 0,
       .items_left = left.items(),
       .work_left = bag_.work_of(left),
       .worker = {.index = global(worker),
                  .measured = measured_at(speed),
                  .speed = speed,
                  .speed_total = context_.pool->speed_together(thread_of(worker)),
                  .claim_cost = claim_cost}});
  return chunk_range(bag_, size, context_.modes[static_cast<std::size_t>(global(worker))], left);
}

}  // namespace makespan::bag

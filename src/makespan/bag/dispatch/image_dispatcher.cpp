// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/dispatch/image_dispatcher.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "makespan/bag/policy/closed_form_policy.hpp"
#include "makespan/bag/policy/memoryless_policy.hpp"
#include "makespan/bag/protocol/chunk_range.hpp"
#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/bag/protocol/steal_choice.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/joined.hpp"

namespace makespan::bag {

namespace {

// How long a waiting worker sleeps before it looks again: short against any chunk, long against the
// cost of the last look, which grows with the number of waiting workers.
constexpr std::chrono::microseconds look_pause_min{500};
constexpr std::chrono::milliseconds look_pause_max{100};
constexpr int look_pause_by_time = 4;

// Speeds change more slowly than claims are made: reading them takes at most so much of the time.
constexpr int speeds_pause_by_time = 10;
constexpr std::chrono::milliseconds speeds_pause_max{100};

// How often a worker that finds more items reports its speed and what it has finished: so that
// reports take at most a hundredth of its time (over TCP one takes half a millisecond), and so that
// the tracker gets at most a thousand of them a second from all workers.
constexpr std::chrono::milliseconds report_interval_min{10};
constexpr std::chrono::milliseconds report_interval_max{500};
constexpr int report_interval_by_time = 100;
constexpr std::chrono::milliseconds report_interval_by_worker{1};

// What image 0 answers becomes a word on a board, and pieces of tasks.
void expect_answer(ClaimActions const& answer, std::int64_t items) {
  ItemRange const& given = answer.items;
  bool const are_items = given.begin >= 0 && given.begin < given.end && given.end <= items &&
                         given.items() <= RangeWord::items_max;
  if (answer.order == Order::run ? are_items
                                 : answer.order == Order::wait || answer.order == Order::leave) {
    return;
  }
  throw BadMessage(ImageId{0}, joined("order ", static_cast<int>(answer.order), " of items ",
                                      given.begin, " to ", given.end, " of ", items));
}

}  // namespace

ClaimWay claim_way(Dispatcher dispatcher, PolicyForm form, std::vector<Mode> const& modes) {
  if (dispatcher == Dispatcher::boss || form == PolicyForm::history) return ClaimWay::by_tracker;
  // How many chunks are claimed at once depends on what is left.
  if (dispatcher == Dispatcher::hierarchical) return ClaimWay::by_remaining;
  // Where whole tasks are claimed, the chunks before decide where the next one begins.
  bool const ends_anywhere = std::ranges::find(modes, Mode::mo) == modes.end();
  return form == PolicyForm::closed && ends_anywhere ? ClaimWay::by_step : ClaimWay::by_remaining;
}

ImageDispatcher::ImageDispatcher(Bag const& bag, ImageContext const& context, TeamState& state)
    : bag_(bag),
      context_(context),
      state_(state),
      loop_(loop_of(bag, context.roster.workers())),
      first_worker_(context.roster.first_worker[static_cast<std::size_t>(context.image)]),
      workers_(static_cast<std::size_t>(context.layout.workers())),
      at_work_(context.layout.workers()) {
  MAKESPAN_EXPECT(bag.items() <= ClaimWord::cursor_max);
  for (Worker& worker : workers_) {
    if (context_.way == ClaimWay::by_step) {
      worker.positions.emplace(dynamic_cast<ClosedFormPolicy const&>(*state.policy), loop_);
    }
    // The tracker gives out all items: the claim word is not used.
    worker.knows_end = context_.way == ClaimWay::by_tracker;
  }
  // The policy must see each claim, so that no worker can claim for others of its node.
  if (context_.way == ClaimWay::by_tracker) context_.pool = nullptr;
}

int ImageDispatcher::thread_of(int worker) const {
  return context_.layout.claiming_thread(worker);
}

std::optional<Grant> ImageDispatcher::claim(int worker, Seconds claim_cost) {
  // First: a policy that listens hears of the last chunk before it is asked for the next.
  end_chunk(worker);
  introduce(worker);
  if (auto const items = claim_unspent(worker, claim_cost)) {
    return grant(worker, *items, false, false);
  }
  // Before it asks: one that waits holds nothing, and what it has finished and not told would be
  // taken for lost.
  report_finished(worker);
  at(worker).has_asked = true;
  for (bool waited = false; !stopped_; waited = true) {
    auto const begin = context_.clock.now();
    ClaimActions const answer =
        context_.tracker.ask(thread_of(worker), read_facts(worker, claim_cost));
    expect_answer(answer, bag_.items());
    if (answer.order == Order::leave) break;
    if (answer.order == Order::run) return grant(worker, answer.items, waited, false);
    // Looked at before the tracker is asked: with its permission the worker counts as working, and
    // the bag cannot end meanwhile.
    if (pool_has_items(worker) &&
        context_.tracker.may_use_pool(thread_of(worker), global(worker))) {
      auto const items = take_from_pool(worker, claim_cost);
      if (items) return grant(worker, *items, waited, false);
    }
    if (steals_tails(context_.dispatcher)) {
      if (auto const tail = steal(worker, claim_cost)) return grant(worker, *tail, waited, true);
    }
    context_.clock.sleep(std::clamp<TeamClock::Clock::duration>(
        (context_.clock.now() - begin) * look_pause_by_time, look_pause_min, look_pause_max));
  }
  at(worker).is_released = true;
  return std::nullopt;
}

// What is known of it from an earlier run or bag: the node's pool has heard of none.
void ImageDispatcher::introduce(int worker) {
  if (std::exchange(at(worker).is_known, true)) return;
  Speed const speed = speed_of(worker);
  if (speed > Speed{}) report_speed(worker, speed);
}

// The word as it is, and speeds as they were a little while ago: there are as many as workers.
void ImageDispatcher::look(int worker) {
  Worker& self = at(worker);
  auto const begin = context_.clock.now();
  if (begin < self.next_speed_read) {
    self.look.word = context_.bag_state.look_word(thread_of(worker));
    return;
  }
  context_.bag_state.look(thread_of(worker), self.look);
  auto const end = context_.clock.now();
  self.next_speed_read = end + std::min<TeamClock::Clock::duration>(
                                   (end - begin) * speeds_pause_by_time, speeds_pause_max);
}

// The speed of all as it was at the last look: claims by rest look first.
WorkerFacts ImageDispatcher::read_facts(int worker, Seconds claim_cost) {
  Worker& self = at(worker);
  if (context_.way == ClaimWay::by_tracker) look(worker);
  Speed const speed = speed_of(worker);
  // Here its own speed is known as it is; image 0 hears of it now and then.
  if (!self.look.speeds.empty()) self.look.speeds[static_cast<std::size_t>(global(worker))] = speed;
  return {.index = global(worker),
          .measured = measured_at(speed),
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
  context_.bag_state.look_at_all(thread, self.look, views);
  for (WorkerView& view : views) {
    // Of another bag, or no board of this program.
    if (view.not_begun.end > bag_.items()) view.not_begun = {};
  }
  auto const choice = choose_steal(
      bag_, views,
      {.worker = global(worker),
       .speed = speed_of(worker),
       .claim_cost = claim_cost,
       .whole_tasks = context_.modes[static_cast<std::size_t>(global(worker))] == Mode::mo});
  if (!choice || !context_.tracker.may_steal(thread, global(worker), choice->victim)) {
    return std::nullopt;
  }
  try {
    if (!context_.bag_state.take_tail(thread, choice->victim, choice->items)) return std::nullopt;
  } catch (ImageFailed const&) {
    // What it held is lost, and the tracker will find it; but on image 0 that is lost, too.
    if (context_.roster.image_of(choice->victim) == 0) throw;
    return std::nullopt;
  }
  ++steals_;
  return choice->items;
}

Grant ImageDispatcher::grant(int worker, ItemRange items, bool waited, bool stolen) {
  if (!stolen) ++claims_;
  at(worker).report = {.worker = global(worker)};
  context_.bag_state.publish(worker, items);
  return {.items = items, .speed = speed_seen(worker), .waited = waited, .stolen = stolen};
}

void ImageDispatcher::finish(int worker, std::span<ItemRange const> done, Seconds taken,
                             Seconds claim) {
  // By the first part alone: the time of parts behind it was not theirs alone.
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
  if (context_.clock.now() - at(worker).reported_at >= at(worker).report_interval)
    report_finished(worker);
}

void ImageDispatcher::note(int worker, std::span<ItemRange const> done) {
  auto& unreported = at(worker).unreported;
  for (ItemRange const& part : done) {
    if (part.empty()) continue;
    if (!unreported.empty() && unreported.back().end == part.begin) {
      unreported.back().end = part.end;
    } else {
      unreported.push_back(part);
    }
  }
}

// Not after every chunk: a message costs more than a claim.
void ImageDispatcher::report_finished(int worker) {
  Worker& self = at(worker);
  auto const begin = context_.clock.now();
  self.reported_at = begin;
  if (self.unreported.empty()) return;
  report_speed(worker, speed_of(worker));
  context_.tracker.finish(thread_of(worker), thread_of(worker),
                          context_.layout.threads_of_worker(worker), self.unreported);
  self.unreported.clear();
  self.reported_at = context_.clock.now();
  std::chrono::steady_clock::duration const pause = std::max<std::chrono::steady_clock::duration>(
      (self.reported_at - begin) * report_interval_by_time,
      report_interval_by_worker * loop_.workers);
  self.report_interval = std::clamp<std::chrono::steady_clock::duration>(pause, report_interval_min,
                                                                         report_interval_max);
}

void ImageDispatcher::report_speed(int worker, Speed speed) {
  context_.bag_state.report_speed(thread_of(worker), global(worker), speed);
  with_pool(false, [&](ItemPool& pool) {
    pool.report_speed(thread_of(worker), global(worker), speed);
    return true;
  });
}

// Only a tracker that hands out all has a policy that listens.
void ImageDispatcher::end_chunk(int worker) {
  ChunkReport const report = std::exchange(at(worker).report, ChunkReport{});
  if (context_.way == ClaimWay::by_tracker && report.items > 0) {
    context_.tracker.end_chunk(thread_of(worker), report);
  }
}

// No other worker can take these items now. The tracker hands them out again when no worker holds
// items any more.
void ImageDispatcher::give_back(int worker) {
  context_.bag_state.take_all(worker);
  report_finished(worker);
}

void ImageDispatcher::leave(int worker) {
  report_finished(worker);
  if (at(worker).is_released) {
    context_.tracker.settle(thread_of(worker));
  } else {
    // The tracker counts on each worker that it has not sent away, and would wait for this one.
    context_.tracker.retire(thread_of(worker), global(worker));
    // Of a bag that is stopped it may come back for the next.
    if (!stopped_) report_speed(worker, speed_of_the_gone);
  }
  --at_work_;
}

// Called by another thread than the worker's. What that has finished and not told stays with it,
// and is told by it.
void ImageDispatcher::take_back(int worker) {
  context_.bag_state.take_all(worker);
  context_.tracker.take_back(global(worker));
}

void ImageDispatcher::give_up(int worker) {
  --at_work_;
  context_.bag_state.take_all(worker);
  context_.tracker.give_up(thread_of(worker), global(worker));
  // From now on chunks are cut for those that are left.
  context_.bag_state.report_speed(callers_thread, global(worker), speed_of_the_gone);
  with_pool(false, [&](ItemPool& pool) {
    pool.report_speed(callers_thread, global(worker), speed_of_the_gone);
    return true;
  });
}

Speed ImageDispatcher::speed_to_go_by(int worker) {
  std::scoped_lock const lock(speeds_lock_);
  return state_.speeds.speed_to_go_by(worker);
}

}  // namespace makespan::bag

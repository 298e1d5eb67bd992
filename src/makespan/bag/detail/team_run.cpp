// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/detail/team_run.hpp"

#include <algorithm>
#include <cmath>

#include "makespan/bag/claim_cost.hpp"
#include "makespan/bag/device_failed.hpp"

namespace makespan::bag {

namespace {

// A worker reports what it has finished at least so often, so that others know its speed, and so
// that little is lost when it fails.
constexpr std::chrono::milliseconds tell_every{10};

Seconds between(WorkerBoard::Clock::time_point begin, WorkerBoard::Clock::time_point end) {
  return Seconds{std::chrono::duration<double>(end - begin).count()};
}

}  // namespace

TeamRun::TeamRun(TeamJob const& job, ClaimSource& source, WorkerBoard& board, TeamParts const& team)
    : bag_(job.bag),
      runner_(job.runner),
      stop_(job.stop),
      layout_(team.layout),
      injections_(team.injections),
      state_(team.state),
      clock_(team.clock),
      trace_(job.trace),
      source_(source),
      board_(board),
      gangs_(static_cast<std::size_t>(layout_.devices())),
      accounts_(static_cast<std::size_t>(layout_.threads())),
      at_(static_cast<std::size_t>(layout_.threads())),
      begin_(team.clock.now()),
      has_hung_(team.injections.size()),
      rule_(team.overdue),
      leaves_behind_(std::isfinite(team.overdue.limit.value())),
      watch_(layout_.threads(), team.overdue),
      has_failed_(static_cast<std::size_t>(layout_.devices())) {
  // The board may be that of earlier bags, where a thread was left behind at a piece.
  for (int worker = 0; worker < layout_.workers(); ++worker) board_.clear(worker);
  for (int thread = 0; thread < layout_.threads(); ++thread) {
    TeamLayout::ThreadRole const& role = layout_.role(thread);
    // Only a device that claims as one has a chunk to divide.
    Mode const mode = layout_.modes()[static_cast<std::size_t>(role.worker)];
    if (!role.claims || !claims_as_one(mode)) continue;
    gangs_[static_cast<std::size_t>(role.device)] = std::make_unique<Gang>(
        bag_, board_, role.worker, layout_.threads_of(role.device), mode, clock_);
  }
  for (std::size_t device = 0; device < has_failed_.size(); ++device) {
    // One that failed in an earlier bag takes no part in this one.
    has_failed_[device] = state_.failed[device];
    // Its leader may be lost, and no other thread shuts down the rest.
    if (has_failed_[device] && gangs_[device]) gangs_[device]->shut_down();
  }
  for (int thread = 0; thread < layout_.threads(); ++thread) {
    // It is in a function of an earlier bag, and does not come: no worker of this bag may wait for
    // it.
    if (state_.is_lost(thread)) give_up(thread);
  }
}

bool TeamRun::take_part(int thread) noexcept {
  TeamLayout::ThreadRole const& role = layout_.role(thread);
  try {
    if (role.claims) {
      run_claims(thread);
    } else {
      help(thread);
    }
  } catch (LeftBehind const&) {
    // The run may be over by now, and what it refers to gone: nothing of it is touched.
    return false;
  } catch (DeviceFailed const&) {
    // The others go on, and run what the device held.
    fail_device(role.device, std::current_exception());
  } catch (...) {
    fail_run(std::current_exception());
  }
  // However it ended: the others of a gang wait for no further chunk, and the dispatcher not for
  // this worker.
  if (role.claims) {
    if (Gang* const ours = gang(thread)) ours->shut_down();
    try {
      source_.leave(role.worker);
    } catch (...) {
      fail_run(std::current_exception());
    }
  }
  runner_.leave(thread);
  return true;
}

// The run is stopped, or the device has failed; a gang is stopped by the first of its threads that
// knows.
bool TeamRun::ends_early(int thread) const {
  auto const device = static_cast<std::size_t>(layout_.role(thread).device);
  if (is_halted_ || has_failed_[device] || stop_.stop_requested()) return true;
  return gangs_[device] && gangs_[device]->is_stopped();
}

void TeamRun::run_claims(int thread) {
  TeamLayout::ThreadRole const& role = layout_.role(thread);
  Seconds& claim_cost = state_.claim_costs[static_cast<std::size_t>(role.worker)];
  auto asked = clock_.now();
  for (;;) {
    if (stop_.stop_requested()) halt();
    if (ends_early(thread)) return;
    // What a launch takes counts with the claim, as policies see it (docs/decisions/0049).
    auto const grant = source_.claim(role.worker, claim_cost + layout_.pieces(role.device).cost);
    if (!grant) return;
    auto const begin = clock_.now();
    // A wait is not part of the cost of a claim.
    if (!grant->waited) claim_cost = learned_claim_cost(claim_cost, between(asked, begin));
    Chunk chunk{.done = {{grant->items.begin, grant->items.begin}},
                .told = begin,
                .claim = grant->waited ? claim_cost : between(asked, begin),
                .speed = grant->speed};
    trace_claim(thread, asked, begin, *grant);
    run_chunk(thread, chunk);
    // The next claim begins where this chunk was told to end: no time of the worker lies between.
    asked = chunk.told;
  }
}

void TeamRun::trace_claim(int thread, Clock::time_point asked, Clock::time_point begin,
                          Grant const& grant) {
  if (trace_ == nullptr) return;
  trace::SpanKind kind = trace::SpanKind::claim;
  if (grant.waited) {
    kind = trace::SpanKind::idle;
  } else if (grant.stolen) {
    kind = trace::SpanKind::steal;
  }
  trace_->add(thread, {.kind = kind, .begin = asked, .end = begin, .items = grant.items.items()});
}

// Tells of all that was finished, and gives back what was not.
void TeamRun::run_chunk(int thread, Chunk& chunk) {
  TeamLayout::ThreadRole const& role = layout_.role(thread);
  try {
    if (gang(thread) != nullptr) {
      run_together(thread, chunk);
    } else {
      run_alone(thread, chunk);
    }
  } catch (LeftBehind const&) {
    // Source, board and bag may be gone, and give_up() has given back what it held.
    throw;
  } catch (DeviceFailed const&) {
    // Others run the rest, unless they cannot be told of it.
    if (auto const untold = tell_and_give_back(role.worker, chunk)) fail_run(untold);
    throw;
  } catch (...) {
    // This ends the run, and says more than what the telling throws after it.
    static_cast<void>(tell_and_give_back(role.worker, chunk));
    throw;
  }
  tell(role.worker, chunk, clock_.now());
  // Left in the middle: what it has not begun is still on the board.
  if (ends_early(thread)) source_.give_back(role.worker);
}

// What it has finished counts: the rest alone is run again. Gives what was thrown first.
std::exception_ptr TeamRun::tell_and_give_back(int worker, Chunk& chunk) noexcept {
  std::exception_ptr first;
  auto const or_keep = [&](auto const& act) {
    try {
      act();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  };
  or_keep([&] { tell(worker, chunk, clock_.now()); });
  or_keep([&] { source_.give_back(worker); });
  return first;
}

void TeamRun::run_alone(int thread, Chunk& chunk) {
  TeamLayout::ThreadRole const& role = layout_.role(thread);
  while (!ends_early(thread)) {
    ItemRange const piece = board_.take_front(
        role.worker, [&](ItemRange left) { return piece_items(role.worker, chunk.speed, left); });
    if (piece.empty()) return;
    board_.begin_piece(role.worker, bag_.work_of(piece), clock_.now());
    try {
      run_piece(thread, piece);
    } catch (LeftBehind const&) {
      throw;  // the board may be gone
    } catch (...) {
      board_.end_piece(role.worker);
      throw;
    }
    board_.end_piece(role.worker);
    // Pieces come off the front, so what is done is one range.
    chunk.done.front().end = piece.end;
    // As run_piece() has read it: one reading of the clock less for each piece.
    auto const now = account(thread).last_end;
    if (now - chunk.told >= tell_every) tell(role.worker, chunk, now);
  }
}

void TeamRun::run_together(int thread, Chunk& chunk) {
  int const worker = layout_.role(thread).worker;
  Gang& ours = *gang(thread);
  std::exception_ptr failure;
  ours.begin(chunk.done.front().begin);
  try {
    run_pieces_of(ours, thread);
  } catch (LeftBehind const&) {
    throw;
  } catch (...) {
    // The chunk is closed first: pieces that others have finished count all the same.
    failure = std::current_exception();
  }
  // The time of pieces behind the first part was not theirs alone.
  chunk.done = ours.end();
  // A device that claims as one is lost with any of its threads, and nothing of the chunk counts
  // (docs/decisions/0093).
  if (ours.is_forsaken()) {
    forget_results(worker);
    throw DeviceFailed("a thread of it does not answer");
  }
  // run_chunk() tells of the rest.
  if (failure) std::rethrow_exception(failure);
}

// Those of pieces that do not count are among them.
void TeamRun::forget_results(int worker) {
  source_.forget(worker);
  int const first = layout_.claiming_thread(worker);
  for (int thread = first; thread < first + layout_.threads_of_worker(worker); ++thread) {
    // drop() is for threads that run no item, and one that was left behind may still.
    if (!is_left_behind(thread)) runner_.drop(thread);
  }
}

void TeamRun::help(int thread) {
  Gang& ours = *gang(thread);
  for (std::int64_t seen = ours.wait_for_chunk(0); seen != 0; seen = ours.wait_for_chunk(seen))
    run_pieces_of(ours, thread);
}

void TeamRun::run_pieces_of(Gang& gang, int thread) {
  for (ItemRange piece = gang.next(); !piece.empty(); piece = gang.next()) {
    try {
      run_piece(thread, piece);
    } catch (LeftBehind const&) {
      throw;
    } catch (...) {
      gang.abandoned();
      throw;
    }
    gang.finished(piece);
    // The others may be waiting in next() for a window that will not come.
    if (ends_early(thread)) gang.stop();
  }
}

void TeamRun::run_piece(int thread, ItemRange piece) {
  int const device = layout_.role(thread).device;
  // Before the runner is called: nothing has come of the piece, and it runs on another device.
  fail_where_injected(device, piece);
  hang_where_injected(thread, piece);
  auto const begin = clock_.now();
  TaskId const task = run_items(thread, piece);
  auto end = clock_.now();
  // Within the piece's time: the device is then measured as slow as it is told to be.
  if (double const factor = slowness(device, piece); factor > 1.0) {
    clock_.sleep(std::chrono::duration_cast<Clock::duration>((end - begin) * (factor - 1.0)));
    end = clock_.now();
  }
  Account& mine = account(thread);
  mine.busy += between(begin, end);
  mine.work += bag_.work_of(piece);
  mine.last_end = end;
  if (trace_ != nullptr)
    trace_->add(thread, {.begin = begin, .end = end, .task = task, .items = piece.items()});
}

// The first of the piece's tasks. Within while_at() is the runner's function alone: bag and layout
// may be gone when a thread that was left behind comes back.
TaskId TeamRun::run_items(int thread, ItemRange piece) {
  std::int64_t segment = bag_.segment_of(piece.begin);
  auto const [task, items] = bag_.task_items(segment, piece);
  if (!layout_.pieces(layout_.role(thread).device).spans_tasks) {
    while_at(thread, piece, [&runner = runner_, thread, of = task, range = items] {
      runner.run(thread, of, range.begin, range.end);
    });
    return task;
  }
  auto& parts = account(thread).parts;
  parts.assign(1, {task, items});
  while (bag_.segment_items(segment).end < piece.end) {
    parts.push_back(bag_.task_items(++segment, piece));
  }
  while_at(thread, piece, [&] { runner_.run_all(thread, parts); });
  return task;
}

void TeamRun::tell(int worker, Chunk& chunk, Clock::time_point now) {
  bool const is_new =
      std::ranges::any_of(chunk.done, [](auto const& part) { return !part.empty(); });
  if (!is_new) return;
  // Until now its pieces were single items.
  if (!(chunk.speed > Speed{}))
    chunk.speed = bag_.work_of(chunk.done.front()) / between(chunk.told, now);
  source_.finish(worker, chunk.done, between(chunk.told, now), chunk.claim);
  std::int64_t const end = chunk.done.front().end;
  // What is finished next begins there: pieces come off the front.
  chunk.done.assign(1, {end, end});
  chunk.told = now;
  // The claim counts once, with the first report of its chunk.
  chunk.claim = Seconds{0.0};
}

// A part of one task, in mode mo all of it; or as much as a launch takes.
std::int64_t TeamRun::piece_items(int worker, Speed speed, ItemRange left) const {
  PieceRule const& rule = layout_.pieces(layout_.role(layout_.claiming_thread(worker)).device);
  // None while its speed was not seen: then pieces are the smallest, so that others can take the
  // rest.
  Work const worth = speed * rule.time;
  if (rule.spans_tasks) {
    // A launch takes items of several tasks, which cost differently: they are counted by work.
    std::int64_t const items = bag_.items_worth(bag_.work_before(left.begin) + worth) - left.begin;
    return std::min(std::clamp(items, rule.items_min, rule.items_max), left.items());
  }
  std::int64_t const segment = bag_.segment_of(left.begin);
  std::int64_t const items = std::min(bag_.segment_items(segment).end, left.end) - left.begin;
  if (layout_.modes()[static_cast<std::size_t>(worker)] == Mode::mo) return items;
  double const wanted = worth / bag_.segments()[static_cast<std::size_t>(segment)].cost_per_item;
  std::int64_t const most = std::min(items, rule.items_max);
  return wanted < static_cast<double>(most)
             ? std::max(static_cast<std::int64_t>(wanted), rule.items_min)
             : most;
}

void TeamRun::fail_device(int device, std::exception_ptr const& why) {
  has_failed_[static_cast<std::size_t>(device)] = true;
  // As long as one is left, the bag is finished without those that have failed.
  if (std::ranges::all_of(has_failed_, [](auto const& failed) { return failed.load(); })) {
    fail_run(why);
  }
}

void TeamRun::fail_run(std::exception_ptr const& why) {
  {
    std::scoped_lock const lock(mutex_);
    if (!error_) error_ = why;
  }
  halt();
}

void TeamRun::halt() {
  // First, so that threads which the gangs and the source wake find it set.
  is_halted_ = true;
  for (auto const& ours : gangs_) {
    if (ours) ours->stop();
  }
  source_.stop();
}

TeamReport TeamRun::report() const {
  TeamReport report;
  Speed together;
  Clock::time_point last_end = begin_;
  for (int thread = 0; thread < layout_.threads(); ++thread) {
    Account const& did = accounts_[static_cast<std::size_t>(thread)];
    report.busy.push_back(did.busy);
    report.work.push_back(did.work);
    report.work_done += did.work;
    last_end = std::max(last_end, did.last_end);
    TeamLayout::ThreadRole const& role = layout_.role(thread);
    if (did.busy > Seconds{0.0}) {
      // While it computed: one that waited is not slow for that.
      together += did.work / did.busy;
    } else if (role.claims && !has_failed_[static_cast<std::size_t>(role.device)] &&
               !is_left_behind(thread)) {
      // The ideal is that of all who could have worked, those too that came too late for an item.
      together += state_.speeds.speed_seen(role.worker);
    }
  }
  report.makespan = between(begin_, last_end);
  report.speed = together;
  if (together > Speed{0.0}) report.ideal = report.work_done / together;
  report.claims = source_.claims();
  report.steals = source_.steals();
  report.complete = source_.complete();
  report.overdue = overdue_;
  for (int device = 0; device < layout_.devices(); ++device) {
    if (has_failed_[static_cast<std::size_t>(device)]) report.failed_devices.push_back(device);
  }
  return report;
}

}  // namespace makespan::bag

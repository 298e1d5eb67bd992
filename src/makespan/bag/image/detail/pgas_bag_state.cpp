// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/pgas_bag_state.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <new>

#include "makespan/bag/image/detail/clock_reading.hpp"
#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/joined.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/operation/keep_memory.hpp"

namespace makespan::bag {

namespace {

using Clock = WorkerBoard::Clock;

// This image uses an entry as a class of atomics; others read and change the same memory as words
// of the heap.
static_assert(sizeof(BoardEntryWords) == sizeof(WorkerBoard::Entry));
static_assert(alignof(BoardEntryWords) == alignof(WorkerBoard::Entry));

std::int64_t ticks_now() {
  return Clock::now().time_since_epoch().count();
}

std::span<std::uint64_t> words_of(std::span<BoardEntryWords> entries) {
  constexpr std::size_t each = sizeof(BoardEntryWords) / sizeof(std::uint64_t);
  return {reinterpret_cast<std::uint64_t*>(entries.data()), entries.size() * each};
}

WorkerBoard::Entry* begin_entries(std::span<BoardEntryWords> words) {
  // The heap gives bytes: entries begin to live in them here, with 0 in each member.
  for (BoardEntryWords& entry : words) new (static_cast<void*>(&entry)) WorkerBoard::Entry;
  return reinterpret_cast<WorkerBoard::Entry*>(words.data());
}

}  // namespace

PgasBagState::PgasBagState(pgas::Runtime& runtime, ImageRoster const& roster)
    : runtime_(runtime),
      roster_(roster),
      shared_(runtime.allocate_all<std::uint64_t>(roster.workers() + 1, "claims of a bag")),
      entries_(runtime.allocate_all<BoardEntryWords>(roster.workers_most(), "board of workers")),
      board_(begin_entries(runtime.local(entries_))) {
  measure_clocks_all();
}

// Each image asks image 0 for the time; the quickest answer tells most.
void PgasBagState::measure_clocks_all() {
  constexpr int questions = 16;
  std::int64_t ahead = 0;
  if (runtime_.image() != ImageId{0}) {
    std::int64_t quickest = std::numeric_limits<std::int64_t>::max();
    for (int question = 0; question < questions; ++question) {
      std::int64_t const before = ticks_now();
      std::int64_t const there =
          runtime_.endpoint(0).rpc(ImageId{0}, [] { return ticks_now(); }).get();
      std::int64_t const after = ticks_now();
      if (!is_clock(there)) throw BadMessage(ImageId{0}, joined("a clock at ", there));
      if (after - before >= quickest) continue;
      quickest = after - before;
      // As if both ways had taken equally long: it is wrong by half the round trip at most.
      ahead = before + quickest / 2 - there;
    }
    round_trip_ = Seconds{std::chrono::duration<double>(Clock::duration{quickest}).count()};
  }
  clock_ahead_ = runtime_.team().all_gather_all(std::span<std::int64_t const>(&ahead, 1));
  for (std::size_t image = 0; image < clock_ahead_.size(); ++image) {
    if (is_clock(clock_ahead_[image])) continue;
    throw BadMessage(ImageId{static_cast<std::int64_t>(image)},
                     joined("a clock that is ahead by ", clock_ahead_[image]));
  }
}

void PgasBagState::look(int thread, Look& look) {
  // The word and all speeds by one round trip.
  std::vector<std::uint64_t> words(static_cast<std::size_t>(shared_.count()));
  pgas::load_each(here(thread), shared_.at(ImageId{0}), words);
  look.word = words.front();
  look.speeds.resize(words.size() - 1);
  std::transform(words.begin() + 1, words.end(), look.speeds.begin(),
                 [](std::uint64_t bits) { return Speed{std::bit_cast<double>(bits)}; });
}

std::uint64_t PgasBagState::look_word(int thread) {
  return pgas::load(here(thread), word());
}

std::uint64_t PgasBagState::fetch_add(int thread, std::uint64_t value) {
  return pgas::fetch_add(here(thread), word(), value);
}

std::uint64_t PgasBagState::compare_swap(int thread, std::uint64_t expected,
                                         std::uint64_t desired) {
  return pgas::compare_swap(here(thread), word(), expected, desired);
}

void PgasBagState::set_word(pgas::Endpoint& here, std::uint64_t value) const {
  pgas::store(here, word(), value);
}

void PgasBagState::report_speed(pgas::Endpoint& here, int worker, Speed speed) const {
  pgas::store(here, word() + (worker + 1), std::bit_cast<std::uint64_t>(speed.value()));
}

void PgasBagState::tell_speeds(pgas::Endpoint& here, int image, SpeedTable const& speeds) const {
  int const first = roster_.first_worker[static_cast<std::size_t>(image)];
  for (int worker = 0; worker < speeds.workers(); ++worker) {
    if (speeds.measured(worker)) report_speed(here, first + worker, speeds.speed(worker));
  }
}

void PgasBagState::forget(pgas::Endpoint& here, int image) const {
  int const first = roster_.first_worker[static_cast<std::size_t>(image)];
  for (int worker = 0; worker < roster_.workers_of(image); ++worker) {
    report_speed(here, first + worker, speed_of_the_gone);
  }
}

void PgasBagState::look_at_all(int thread, Look& look, std::vector<WorkerView>& views) {
  auto const boards = std::make_shared<BoardCopies>(static_cast<std::size_t>(roster_.images()));
  std::vector<pgas::Future<void>> arrivals;
  try {
    std::vector<int> const asked = ask_for_boards(thread, *boards, arrivals);
    this->look(thread, look);
    views.assign(static_cast<std::size_t>(roster_.workers()), {});
    for (std::size_t at = 0; at < asked.size(); ++at) {
      auto const image = static_cast<std::size_t>(asked[at]);
      try {
        arrivals[at].get();
      } catch (ImageFailed const&) {
        if (image == 0) throw;
        continue;
      }
      auto worker = static_cast<std::size_t>(roster_.first_worker[image]);
      for (BoardEntryWords const& entry : (*boards)[image]) {
        views[worker] = view_of(asked[at], entry, look.speeds[worker]);
        ++worker;
      }
    }
  } catch (...) {
    // Image 0 is lost; the others may answer yet, into the copies.
    pgas::keep_until_over(arrivals, boards);
    throw;
  }
}

// All before any is waited for; which images were asked.
std::vector<int> PgasBagState::ask_for_boards(int thread, BoardCopies& boards,
                                              std::vector<pgas::Future<void>>& arrivals) {
  std::vector<int> asked;
  for (int image = 0; image < roster_.images(); ++image) {
    // Its board shows nothing: what its workers held is for the tracker to find.
    if (!runtime_.is_alive(ImageId{image})) continue;
    auto& board = boards[static_cast<std::size_t>(image)];
    board.resize(static_cast<std::size_t>(roster_.workers_of(image)));
    try {
      arrivals.push_back(pgas::load_each_async(
          here(thread), entries_.at(ImageId{image}).reinterpret<std::uint64_t>(), words_of(board)));
      asked.push_back(image);
    } catch (ImageFailed const&) {
      if (image == 0) throw;
    }
  }
  return asked;
}

WorkerView PgasBagState::view_of(int image, BoardEntryWords const& entry, Speed speed) const {
  WorkerView view{
      .not_begun = RangeWord(entry.range).range(), .begun = Work{entry.begun}, .speed = speed};
  if (view.begun > Work{}) {
    auto const me = static_cast<std::size_t>(runtime_.image().value());
    // Its owner wrote it by its own clock.
    Clock::duration const since{
        ticks_since({.ticks = entry.since, .ahead = clock_ahead_[static_cast<std::size_t>(image)]},
                    {.ticks = ticks_now(), .ahead = clock_ahead_[me]})};
    view.since = Seconds{std::chrono::duration<double>(since).count()};
  }
  return view;
}

bool PgasBagState::take_tail(int thread, int victim, ItemRange tail) {
  int const image = roster_.image_of(victim);
  int const local = victim - roster_.first_worker[static_cast<std::size_t>(image)];
  auto const word = entries_.at(ImageId{image}, local).reinterpret<std::uint64_t>();
  // As WorkerBoard::take_tail(), wherever the board lies: the victim is not asked.
  std::uint64_t seen = pgas::load(here(thread), word);
  for (;;) {
    ItemRange const range = RangeWord(seen).range();
    if (range.empty() || range.end != tail.end || range.begin > tail.begin) return false;
    std::uint64_t const rest = RangeWord::of({range.begin, tail.begin}).bits();
    std::uint64_t const before = pgas::compare_swap(here(thread), word, seen, rest);
    if (before == seen) return true;
    seen = before;
  }
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/steal_choice.hpp"

#include <algorithm>
#include <limits>

namespace makespan::bag {

namespace {

constexpr Seconds forever{std::numeric_limits<double>::infinity()};

// Work over a speed that may be unknown.
Seconds time_for(Work work, Speed speed) {
  if (!(work > Work{0.0})) return Seconds{0.0};
  return speed > Speed{0.0} ? work / speed : forever;
}

// As measured, or as slow as the item at hand shows.
Speed present_speed(WorkerView const& view) {
  if (!(view.begun > Work{0.0}) || !(view.since > Seconds{0.0})) return view.speed;
  Speed const shown = view.begun / view.since;  // at most: it is not finished yet
  return view.speed > Speed{0.0} ? std::min(view.speed, shown) : shown;
}

Seconds time_for_begun(WorkerView const& view) {
  Seconds const all = time_for(view.begun, present_speed(view));
  return std::max(all - view.since, Seconds{0.0});
}

// When both have ended, if the thief takes the last `items` items of what the victim has not begun.
Seconds end_of_both(Bag const& bag, WorkerView const& victim, Thief const& thief,
                    std::int64_t items) {
  std::int64_t const cut = victim.not_begun.end - items;
  Work const kept = bag.work_of({victim.not_begun.begin, cut});
  Work const taken = bag.work_of({cut, victim.not_begun.end});
  return std::max(time_left(victim, kept), thief.claim_cost + time_for(taken, thief.speed));
}

// How many items of the victim's tail make both end together, rounded down.
std::int64_t even_share(Bag const& bag, WorkerView const& victim, Thief const& thief) {
  if (!(thief.speed > Speed{0.0})) return 1;
  ItemRange const left = victim.not_begun;
  Speed const speed = present_speed(victim);
  if (!(speed > Speed{0.0})) return left.items();
  Work const all = bag.work_of(left);
  // The equation in the header, solved for x: (W + (rest - claim) r_victim) times the thief's share
  // of both speeds.
  Work const ahead = (time_for_begun(victim) - thief.claim_cost) * speed;
  Work const taken = (all + ahead) * (thief.speed / (thief.speed + speed));
  if (!(taken > Work{0.0})) return 0;
  if (taken >= all) return left.items();
  // Counted from the front, since that is how a bag counts work.
  std::int64_t const cut = bag.items_worth(bag.work_before(left.end) - taken);
  return std::clamp(left.end - cut, std::int64_t{0}, left.items());
}

// What the thief takes of the victim's tail: the whole count of items nearest to an even share.
std::int64_t share(Bag const& bag, WorkerView const& victim, Thief const& thief) {
  ItemRange const left = victim.not_begun;
  // One that has begun nothing keeps an item: two could take a range from each other without end.
  bool const is_at_work = victim.begun > Work{0.0};
  std::int64_t const items_max = is_at_work ? left.items() : left.items() - 1;
  std::int64_t items = std::min(even_share(bag, victim, thief), items_max);
  // An even share was rounded down, and one item more may still end earlier.
  if (items < items_max &&
      end_of_both(bag, victim, thief, items + 1) < end_of_both(bag, victim, thief, items)) {
    ++items;
  }
  if (!thief.whole_tasks || items == 0) return items;
  ItemRange const task = bag.segment_items(bag.segment_of(left.end - items));
  bool const cuts = task.begin < left.end - items;
  // A tail that itself ends inside the task has no whole one to give.
  return cuts ? std::max(left.end - task.end, std::int64_t{0}) : items;
}

}  // namespace

Seconds time_left(WorkerView const& view, Work not_begun) {
  return time_for_begun(view) + time_for(not_begun, present_speed(view));
}

std::optional<StealChoice> choose_steal(Bag const& bag, std::span<WorkerView const> workers,
                                        Thief const& thief) {
  std::optional<StealChoice> best;
  Seconds latest{0.0};
  for (int worker = 0; worker < static_cast<int>(workers.size()); ++worker) {
    WorkerView const& victim = workers[static_cast<std::size_t>(worker)];
    if (worker == thief.worker || victim.not_begun.empty()) continue;
    Seconds const alone = time_left(victim, bag.work_of(victim.not_begun));
    // The one that ends last decides the makespan: taking from another gains nothing.
    if (alone <= latest) continue;
    std::int64_t const items = share(bag, victim, thief);
    if (items == 0) continue;
    // A thief of unknown speed cannot tell whether it helps, and learns.
    bool const is_known = thief.speed > Speed{0.0};
    if (is_known && !(end_of_both(bag, victim, thief, items) < alone)) continue;
    latest = alone;
    best = StealChoice{worker, {victim.not_begun.end - items, victim.not_begun.end}};
  }
  return best;
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/place_decider.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/graph/balancer/own_moves.hpp"

namespace makespan::graph {

namespace {

// Objects that stayed of which a place tells by themselves: of two places enough for a median.
constexpr std::size_t told_apart = 7;
// And of those that have come.
constexpr std::ptrdiff_t told_of_come = 16;

double way_s(Places const& places, KnownObject const& moved) {
  return places.message_s(places[moved.place].domain, places[moved.to].domain,
                          {.other = 0, .messages = 1.0F, .bytes = moved.bytes});
}

}  // namespace

PlaceDecider::PlaceDecider(int place, std::shared_ptr<Places const> all)
    : place_(place), all_(std::move(all)) {
  std::vector<int> live(static_cast<std::size_t>(all_->count()));
  std::iota(live.begin(), live.end(), 0);
  begin_anew(std::move(live));
}

void PlaceDecider::begin_anew(std::vector<int> live) {
  live_ = std::move(live);
  bool const are_all = std::ssize(live_) == all_->count();
  machine_ = are_all ? all_ : std::make_shared<Places const>(all_->subset(live_));
  // After a restart objects come from copies, and may be elsewhere than they were.
  before_.clear();
  came_from_.clear();
  decision_.reset();
}

int PlaceDecider::index_of(int number) const {
  auto const at = std::ranges::lower_bound(live_, number);
  MAKESPAN_EXPECT(at != live_.end() && *at == number);
  return static_cast<int>(at - live_.begin());
}

std::vector<LoadChange> PlaceDecider::changes(std::span<ObjectLoad const> now) {
  std::vector<LoadChange> changes;
  std::vector<LoadChange> stayed;
  NumberMap<Remembered> remembered;
  for (ObjectLoad const& each : now) {
    remembered[each.object] = {.cpu_s = each.cpu_s, .place = place_};
    Remembered const* const before = before_.find(each.object);
    if (before == nullptr) continue;
    auto& list = before->place == place_ ? stayed : changes;
    list.push_back({.place_before = before->place, .before_s = before->cpu_s, .now_s = each.cpu_s});
  }
  before_ = std::move(remembered);
  if (std::ssize(changes) > told_of_come) {
    // The longest: they tell most, and what is told stays small however many come.
    std::ranges::nth_element(changes, changes.begin() + told_of_come, std::greater{},
                             &LoadChange::now_s);
    changes.resize(static_cast<std::size_t>(told_of_come));
  }
  auto const apart =
      stayed.begin() + static_cast<std::ptrdiff_t>(std::min(told_apart, stayed.size()));
  std::ranges::partial_sort(stayed, apart, std::greater{}, &LoadChange::now_s);
  changes.insert(changes.end(), stayed.begin(), apart);
  if (apart != stayed.end()) {
    // All others as one, so that sums over what is told are those of all.
    LoadChange rest{.place_before = place_};
    for (LoadChange const& each : std::span(apart, stayed.end())) {
      rest.before_s += each.before_s;
      rest.now_s += each.now_s;
    }
    changes.push_back(rest);
  }
  return changes;
}

void PlaceDecider::begin(DistributedBalancer const& balancer, DecisionOrder const& order,
                         DecisionFacts const& facts) {
  MAKESPAN_EXPECT(order.speeds.size() == live_.size());
  MAKESPAN_EXPECT(order.availability.size() == live_.size());
  if (order.goes_back != 0) {
    decision_ = std::make_unique<OwnMoves>(returning(facts.loads));
    return;
  }
  // What others take of a core counts for the next phase, and is not learned as the place's speed.
  std::vector<double> speeds(order.speeds);
  for (std::size_t at = 0; at < speeds.size(); ++at) speeds[at] *= order.availability[at];
  decision_ =
      balancer.at_place({.place = index_of(place_),
                         .places = std::make_shared<Places const>(machine_->with_speeds(speeds)),
                         .own = known(order, facts),
                         .noise = order.noise});
}

std::vector<KnownObject> PlaceDecider::returning(ObjectLoads const& loads) const {
  std::vector<KnownObject> objects;
  for (ObjectLoad const& each : loads.objects) {
    std::int32_t const* const from = came_from_.find(each.object);
    if (from == nullptr || !std::ranges::binary_search(live_, *from)) continue;
    objects.push_back({.object = each.object,
                       .place = index_of(place_),
                       .to = index_of(*from),
                       .moves = each.moves,
                       .cpu_s = each.cpu_s,
                       .bytes = each.bytes});
  }
  return objects;
}

KnownObjects PlaceDecider::known(DecisionOrder const& order, DecisionFacts const& facts) const {
  KnownObjects known;
  int const here = index_of(place_);
  for (ObjectLoad const& each : facts.loads.objects) {
    known.objects.push_back(
        {.object = each.object,
         .place = here,
         .to = here,
         .moves = each.moves,
         .cpu_s = each.cpu_s,
         .bytes = each.bytes,
         .is_fixed = static_cast<std::uint8_t>(facts.is_fixed(each.object) ? 1 : 0)});
    // One number: where places decide together all are of one kind (docs/decisions/0115).
    known.work.push_back(each.cpu_s * order.speeds[static_cast<std::size_t>(here)]);
  }
  for (ObjectTraffic const& each : facts.loads.traffic) {
    known.edges.push_back({.from = each.from,
                           .to = each.to,
                           .to_place = index_of(facts.place_of(each.to)),
                           .messages = each.messages,
                           .bytes = each.bytes});
  }
  return known;
}

DecisionWorth PlaceDecider::worth() {
  outcome_ = decision_->outcome();
  DecisionWorth worth{
      .now_s = outcome_.now_s, .new_s = outcome_.new_s, .moved = std::ssize(outcome_.leaving)};
  for (KnownObject const& each : outcome_.leaving) {
    worth.moved_bytes += each.bytes;
    worth.migrate_s += way_s(*machine_, each);
  }
  for (KnownObject const& each : outcome_.arriving) worth.migrate_s += way_s(*machine_, each);
  return worth;
}

DecisionOutcome PlaceDecider::accept() {
  came_from_.clear();
  // A balancer counts the places that are left, envelopes all that there were.
  for (auto* const objects : {&outcome_.leaving, &outcome_.arriving}) {
    for (KnownObject& each : *objects) {
      each.place = number_of(each.place);
      each.to = number_of(each.to);
    }
  }
  for (KnownObject const& each : outcome_.arriving) {
    // What it took there: the next look compares it with what it takes here.
    before_[each.object] = {.cpu_s = each.cpu_s, .place = each.place};
    came_from_[each.object] = each.place;
  }
  decision_.reset();
  return std::exchange(outcome_, {});
}

}  // namespace makespan::graph

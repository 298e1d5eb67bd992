// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/times/move_costs.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

MoveCosts::MoveCosts(Graph const& graph, Places const& places, Mapping mapping)
    : graph_(&graph),
      places_(&places),
      mapping_(std::move(mapping)),
      total_s_(index(places.count())),
      movable_(index(places.count())),
      slot_(index(places.count()), -1),
      left_s_(index(places.count())),
      cost_there_s_(index(places.count())),
      by_domain_s_(index(places.domains())),
      top_receivers_(index(places.domains())) {
  for (int object = 0; object < graph.objects(); ++object) {
    int const place = mapping_[index(object)];
    double const cost = places.time_of(graph, object, place).value() + received_s(object, place);
    cost_s_.push_back(cost);
    total_s_[index(place)] += cost;
    std::vector<std::int32_t>& here = movable_[index(place)];
    position_.push_back(static_cast<std::int32_t>(here.size()));
    if (graph.may_move(object)) here.push_back(object);
  }
}

void MoveCosts::TopTwo::see(double total, int here) {
  // Two are enough to tell the longest of all places without any one of them.
  if (total > total_s[0]) {
    total_s[1] = std::exchange(total_s[0], total);
    place = here;
  } else {
    total_s[1] = std::max(total_s[1], total);
  }
}

double MoveCosts::received_s(int object, int place) const {
  double sum = 0.0;
  int const domain = (*places_)[place].domain;
  for (Traffic const& in : graph_->received(object)) {
    int const sender = mapping_[index(in.other)];
    if (sender != place) sum += places_->message_s((*places_)[sender].domain, domain, in);
  }
  return sum;
}

double MoveCosts::bundle_s(int from, int to, Bundle const& bundle) const {
  return bundle.messages * places_->receive_s(from, to) +
         bundle.bytes * places_->seconds_per_byte(from, to);
}

void MoveCosts::bundle_up(std::span<Traffic const> edges, std::vector<Bundle>& bundles) {
  // As one for each place: objects have many edges, to few places.
  for (Traffic const& edge : edges) {
    int const place = mapping_[index(edge.other)];
    std::int32_t& slot = slot_[index(place)];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(bundles.size());
      bundles.push_back({.place = place, .messages = 0.0, .bytes = 0.0});
    }
    Bundle& bundle = bundles[index(slot)];
    bundle.messages += static_cast<double>(edge.messages);
    bundle.bytes += edge.bytes;
  }
}

void MoveCosts::cost_everywhere(int object) {
  senders_.clear();
  bundle_up(graph_->received(object), senders_);
  // By domains, of which there are fewer than places: all places of one pay the same for what comes
  // from elsewhere.
  std::ranges::fill(by_domain_s_, 0.0);
  for (Bundle const& sender : senders_) {
    int const from = (*places_)[sender.place].domain;
    for (int to = 0; to < places_->domains(); ++to) {
      by_domain_s_[index(to)] += bundle_s(from, to, sender);
    }
  }
  for (int place = 0; place < places_->count(); ++place) {
    int const domain = (*places_)[place].domain;
    // Except for what comes from the place itself, and is no message there.
    double own_s = 0.0;
    if (std::int32_t const slot = slot_[index(place)]; slot >= 0) {
      own_s = bundle_s(domain, domain, senders_[index(slot)]);
    }
    cost_there_s_[index(place)] =
        places_->time_of(*graph_, object, place).value() + by_domain_s_[index(domain)] - own_s;
  }
  for (Bundle const& sender : senders_) slot_[index(sender.place)] = -1;
}

void MoveCosts::see_receivers(int object) {
  int const home = mapping_[index(object)];
  int const home_domain = (*places_)[home].domain;
  receivers_.clear();
  // Home is among the places that change, whether it gets messages or not: it loses the object.
  receivers_.push_back({.place = home, .messages = 0.0, .bytes = 0.0});
  slot_[index(home)] = 0;
  bundle_up(graph_->sent(object), receivers_);
  // What each place has without the object: its own time, and what others pay for what it sends,
  // are taken off.
  std::ranges::copy(total_s_, left_s_.begin());
  left_s_[index(home)] -= cost_s_[index(object)];
  for (Bundle const& receiver : receivers_) {
    if (receiver.place == home) continue;
    int const to = (*places_)[receiver.place].domain;
    left_s_[index(receiver.place)] -= bundle_s(home_domain, to, receiver);
  }
  for (int from = 0; from < places_->domains(); ++from) {
    TopTwo& top = top_receivers_[index(from)];
    top = {};
    for (Bundle const& receiver : receivers_) {
      int const to = (*places_)[receiver.place].domain;
      top.see(left_s_[index(receiver.place)] + bundle_s(from, to, receiver), receiver.place);
    }
  }
}

void MoveCosts::longest_if_moved(int object, std::span<double> longest_s) {
  MAKESPAN_EXPECT(std::ssize(longest_s) == places_->count());
  cost_everywhere(object);
  see_receivers(object);
  // Three kinds of places: the one that gets the object, those whose messages from it change, and
  // all others, whose times stay as they are.
  TopTwo top_others;
  for (int place = 0; place < places_->count(); ++place) {
    if (slot_[index(place)] < 0) top_others.see(total_s_[index(place)], place);
  }
  for (int place = 0; place < places_->count(); ++place) {
    double const here = left_s_[index(place)] + cost_there_s_[index(place)];
    double const receivers = top_receivers_[index((*places_)[place].domain)].without(place);
    longest_s[index(place)] = std::max({here, receivers, top_others.without(place)});
  }
  for (Bundle const& receiver : receivers_) slot_[index(receiver.place)] = -1;
}

void MoveCosts::move(int object, int place) {
  MAKESPAN_EXPECT(graph_->may_move(object));
  int const home = std::exchange(mapping_[index(object)], place);
  if (home == place) return;
  int const from = (*places_)[home].domain;
  int const to = (*places_)[place].domain;
  total_s_[index(home)] -= cost_s_[index(object)];
  cost_s_[index(object)] =
      places_->time_of(*graph_, object, place).value() + received_s(object, place);
  total_s_[index(place)] += cost_s_[index(object)];
  for (Traffic const& out : graph_->sent(object)) {
    int const receiver = mapping_[index(out.other)];
    int const domain = (*places_)[receiver].domain;
    double change = 0.0;
    if (receiver != place) change += places_->message_s(to, domain, out);
    if (receiver != home) change -= places_->message_s(from, domain, out);
    cost_s_[index(out.other)] += change;
    total_s_[index(receiver)] += change;
  }

  std::vector<std::int32_t>& left = movable_[index(home)];
  std::int32_t const at = position_[index(object)];
  left[index(at)] = left.back();
  position_[index(left[index(at)])] = at;
  left.pop_back();
  position_[index(object)] = static_cast<std::int32_t>(movable_[index(place)].size());
  movable_[index(place)].push_back(object);
}

}  // namespace makespan::graph

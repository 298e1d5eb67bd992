// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/times/place_heap.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

std::vector<int> all_of(Places const& places) {
  std::vector<int> numbers(static_cast<std::size_t>(places.count()));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// Places that are alike.
struct Group {
  Place like;
  std::vector<int> members;
};

}  // namespace

PlaceHeap::PlaceHeap(Places const& places) : PlaceHeap(places, all_of(places)) {
}

PlaceHeap::PlaceHeap(Places const& places, std::span<int const> members) {
  MAKESPAN_EXPECT(!members.empty());
  std::vector<int> rising(members.begin(), members.end());
  std::ranges::sort(rising);
  first_ = rising.front();
  slots_.resize(static_cast<std::size_t>(rising.back() - first_) + 1);
  std::vector<Group> groups;
  for (int const place : rising) {
    Place const& here = places[place];
    auto like = std::ranges::find_if(groups, [&](Group const& one) {
      return one.like.kind == here.kind && one.like.speed == here.speed;
    });
    if (like == groups.end()) like = groups.insert(like, {here, {}});
    slots_[static_cast<std::size_t>(place - first_)] = {
        static_cast<std::uint32_t>(like - groups.begin()),
        static_cast<std::int32_t>(like->members.size())};
    like->members.push_back(place);
  }
  classes_.reserve(groups.size());
  for (Group& one : groups) {
    std::size_t const count = one.members.size();
    classes_.push_back({one.like, std::move(one.members), TournamentTree(count)});
  }
}

PlaceHeap::Class const& PlaceHeap::class_of_first(Graph const& graph, int object) const {
  Class const* chosen = nullptr;
  double first = std::numeric_limits<double>::infinity();
  for (Class const& one : classes_) {
    double const end = one.least_s() + one.time_of(graph, object);
    if (chosen == nullptr || end < first || (end == first && one.top() < chosen->top())) {
      first = end;
      chosen = &one;
    }
  }
  return *chosen;
}

int PlaceHeap::least() const {
  int chosen = classes_.front().top();
  double first = classes_.front().least_s();
  for (Class const& one : classes_) {
    if (one.least_s() < first || (one.least_s() == first && one.top() < chosen)) {
      first = one.least_s();
      chosen = one.top();
    }
  }
  return chosen;
}

void add_fixed(Graph const& graph, Places const& places, PlaceHeap& heap) {
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) continue;
    std::int32_t const place = graph.now()[static_cast<std::size_t>(object)];
    heap.add(place, places.time_of(graph, object, place).value());
  }
}

}  // namespace makespan::graph

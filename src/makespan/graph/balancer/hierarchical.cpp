// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/hierarchical.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

#include "makespan/graph/balancer/detail/decision_check.hpp"
#include "makespan/graph/balancer/detail/group_leader.hpp"
#include "makespan/graph/balancer/detail/place_groups.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 2> hierarchical_help{{
    {"group", OptionKind::whole, 0.0, 0.0, 1e9,
     "places of a group, about; 0: the root of all places, 8 at least"},
    {"tolerance", OptionKind::real, 0.02, 0.0, 1.0,
     "a group may have so much more or less than its part of the work before it gives or gets"},
}};

// Their kinds.
struct GroupMessage {
  enum Kind : std::int32_t {
    objects,  // of a place, to its leader
    sums,     // of a group, to the top: its work, its speed
    shares,   // to a leader: how many groups give to it, then groups and the work to give to each
    given,    // objects of another group, from its leader
    placed,   // those objects, with their places: back to that leader
    decided,  // what leaves a place, and what comes to it
  };
};

// At the first of the leaders.
class TopOfGroups {
 public:
  TopOfGroups(PlaceGroups const& groups, double tolerance, double noise)
      : groups_{groups},
        tolerance_{tolerance},
        noise_{noise},
        work_(groups.members.size()),
        speed_(groups.members.size()) {}

  void take(int group, std::vector<double> const& numbers, DecisionOutbox& outbox) {
    expect_told(numbers.size() == 2, "it is no work and speed of a group");
    work_[static_cast<std::size_t>(group)] = numbers[0];
    speed_[static_cast<std::size_t>(group)] = numbers[1];
    if (++heard_ == groups_.count()) tell(outbox);
  }

 private:
  void tell(DecisionOutbox& outbox) const {
    double const time_s = std::accumulate(work_.begin(), work_.end(), 0.0) /
                          std::accumulate(speed_.begin(), speed_.end(), 0.0);
    std::vector<double> beyond;
    std::vector<double> least;
    for (std::size_t group = 0; group < work_.size(); ++group) {
      double const share = time_s * speed_[group];
      auto const places = static_cast<double>(groups_.members[group].size());
      // Nor what the largest of as many errors as there are groups explains
      // (makespan_balancer.cpp).
      double const chance =
          noise_ * std::sqrt(2.0 * std::log(static_cast<double>(work_.size())) / places);
      beyond.push_back(work_[group] - share);
      least.push_back(std::max(tolerance_, chance) * share);
    }
    // By group, the numbers of its message: see GroupMessage::shares.
    std::vector<std::vector<double>> shares(work_.size(), {0.0});
    for (WorkTransfer const& each : work_transfers(beyond, least)) {
      std::vector<double>& giver = shares[static_cast<std::size_t>(each.from)];
      giver.insert(giver.end(), {static_cast<double>(each.to), each.work});
      shares[static_cast<std::size_t>(each.to)][0] += 1.0;
    }
    // Also to groups that neither give nor get: no leader decides before it has heard.
    for (int group = 0; group < groups_.count(); ++group) {
      outbox.send(groups_.leader(group), {.kind = GroupMessage::shares,
                                          .numbers = shares[static_cast<std::size_t>(group)]});
    }
  }

  PlaceGroups const& groups_;
  double tolerance_;
  double noise_;
  std::vector<double> work_;   // by group
  std::vector<double> speed_;  // by group
  int heard_{0};
};

class HierarchicalDecision final : public PlaceDecision {
 public:
  HierarchicalDecision(DecisionView view, int group_size, double tolerance)
      : view_{std::move(view)},
        groups_{place_groups(*view_.places, group_size)},
        group_{groups_.group_of[static_cast<std::size_t>(view_.place)]} {
    if (!is_leader()) return;
    of_member_.resize(groups_.members[static_cast<std::size_t>(group_)].size());
    leader_.emplace(*view_.places, groups_, group_, view_.noise);
    if (group_ == 0) top_.emplace(groups_, tolerance, view_.noise);
  }

  void step(int /*number*/, DecisionOutbox& outbox) override {
    outbox.send(groups_.leader(group_),
                {.kind = GroupMessage::objects, .known = std::move(view_.own)});
  }

  void take(int from, DecisionMessage message, DecisionOutbox& outbox) override {
    switch (message.kind) {
      case GroupMessage::objects:
        return take_objects(from, std::move(message.known), outbox);
      case GroupMessage::sums:
        expect_told(top_.has_value(), "it is for the first of the leaders");
        return top_->take(groups_.group_of[static_cast<std::size_t>(from)], message.numbers,
                          outbox);
      case GroupMessage::shares:
        expect_told(from == top(), "it is not of the first of the leaders");
        return give(message.numbers, outbox);
      case GroupMessage::given:
        return take_given(from, std::move(message.known), outbox);
      case GroupMessage::placed:
        expect_at(*view_.places, message.known);
        expect_told(placed_awaited_ > 0, "nothing was given");
        for (KnownObject const& each : message.known.objects) tell_later(each);
        --placed_awaited_;
        return tell_if_complete(outbox);
      default:
        expect_told(message.kind == GroupMessage::decided, "it is of no kind");
        expect_told(from == groups_.leader(group_), "it is not of the group's leader");
        for (KnownObject const& each : message.known.objects) {
          if (each.place == view_.place) outcome_.leaving.push_back(each);
          if (each.to == view_.place) outcome_.arriving.push_back(each);
        }
    }
  }

  [[nodiscard]] DecisionOutcome outcome() override {
    for (auto* const objects : {&outcome_.leaving, &outcome_.arriving}) {
      std::ranges::sort(*objects, {}, &KnownObject::object);
    }
    return outcome_;
  }

 private:
  [[nodiscard]] bool is_leader() const { return groups_.leader(group_) == view_.place; }
  [[nodiscard]] int top() const { return groups_.leader(0); }

  void expect_for_leader() const {
    expect_told(leader_.has_value(), "it is for the leader of a group");
  }

  // A graph is made of all of them.
  void expect_as_others(KnownObjects const& known) {
    expect_known(*view_.places, known);
    if (known.objects.empty()) return;
    if (kinds_ == 0) kinds_ = known.kinds();
    expect_told(known.kinds() == kinds_, "its objects have work for more kinds than others");
  }

  // In the order of places, whichever is heard first: what comes of it is to be the same.
  void take_objects(int from, KnownObjects known, DecisionOutbox& outbox) {
    expect_for_leader();
    expect_as_others(known);
    std::vector<int> const& members = groups_.members[static_cast<std::size_t>(group_)];
    auto const member = std::ranges::lower_bound(members, from);
    expect_told(
        member != members.end() && *member == from &&
            std::ranges::all_of(known.objects,
                                [from](KnownObject const& each) { return each.place == from; }),
        "it is of no place of the group, or of several");
    expect_told(heard_ < std::ssize(members), "the group is complete");
    auto& mine = of_member_[static_cast<std::size_t>(member - members.begin())];
    expect_told(!mine.has_value(), "its place has told before what it has");
    mine = std::move(known);
    if (++heard_ < std::ssize(members)) return;
    for (auto const& each : std::exchange(of_member_, {})) leader_->add(*each);
    outbox.send(top(),
                {.kind = GroupMessage::sums, .numbers = {leader_->work(), leader_->speed()}});
  }

  void give(std::vector<double> const& shares, DecisionOutbox& outbox) {
    expect_for_leader();
    expect_told(!shares.empty(), "it does not say how many groups give");
    // The top tells when it has heard of all groups, and they tell it when they are complete.
    expect_told(heard_ == std::ssize(groups_.members[static_cast<std::size_t>(group_)]),
                "the group is not complete");
    expect_told(!has_shares_, "its shares are told already");
    given_awaited_ += told_below(shares[0], groups_.count());
    for (std::size_t at = 1; at + 1 < shares.size(); at += 2) {
      int const to = told_below(shares[at], groups_.count());
      outbox.send(groups_.leader(to),
                  {.kind = GroupMessage::given, .known = leader_->give(to, shares[at + 1])});
      ++placed_awaited_;
    }
    has_shares_ = true;
    decide_if_complete(outbox);
  }

  // It may come before the top has said that it will.
  void take_given(int from, KnownObjects known, DecisionOutbox& outbox) {
    expect_for_leader();
    expect_as_others(known);
    expect_told(
        groups_.leader(groups_.group_of[static_cast<std::size_t>(from)]) == from && !has_decided_,
        "it is of no leader, or too late");
    givers_.emplace_back(from, std::move(known));
    --given_awaited_;
    decide_if_complete(outbox);
  }

  void decide_if_complete(DecisionOutbox& outbox) {
    if (!has_shares_ || given_awaited_ != 0) return;
    // By leader, whichever was heard first: what comes of it is to be the same.
    std::ranges::sort(givers_, {}, &Giver::first);
    for (auto const& [place, known] : givers_) leader_->receive(known);
    leader_->decide();
    outcome_.now_s = leader_->now_s();
    outcome_.new_s = leader_->new_s();
    // The leader of each group tells its own places: the giver those that objects leave, this one
    // those that they come to.
    std::vector<KnownObjects> back(groups_.members.size());
    for (KnownObject const& each : leader_->moved()) {
      tell_later(each);
      int const group = groups_.group_of[static_cast<std::size_t>(each.place)];
      if (group != group_) back[static_cast<std::size_t>(group)].objects.push_back(each);
    }
    for (auto const& [place, known] : givers_) {
      int const group = groups_.group_of[static_cast<std::size_t>(place)];
      // Also where nothing was given: the giver counts answers.
      outbox.send(place, {.kind = GroupMessage::placed,
                          .known = std::move(back[static_cast<std::size_t>(group)])});
    }
    has_decided_ = true;
    tell_if_complete(outbox);
  }

  // To those of the places concerned that are of this group.
  void tell_later(KnownObject const& moved) {
    for (std::int32_t const place : {moved.place, moved.to}) {
      if (groups_.group_of[static_cast<std::size_t>(place)] != group_) continue;
      of_place_[place].push_back(moved);
    }
  }

  // Where objects go that were given away is known when the last group has answered.
  void tell_if_complete(DecisionOutbox& outbox) {
    if (!has_decided_ || placed_awaited_ != 0) return;
    of_place_.for_each([&](int place, std::vector<KnownObject> const& moved) {
      outbox.send(place, {.kind = GroupMessage::decided, .known = {.objects = moved}});
    });
  }

  DecisionView view_;
  PlaceGroups groups_;
  int group_;
  std::optional<GroupLeader> leader_{};
  std::optional<TopOfGroups> top_{};
  std::vector<std::optional<KnownObjects>> of_member_{};  // that have told theirs
  int heard_{0};                                          // places of the group
  std::size_t kinds_{0};  // of places that their objects' work is known for; 0: not known yet
  bool has_shares_{false};
  int given_awaited_{0};   // groups that give to this one
  int placed_awaited_{0};  // groups that were given to
  using Giver = std::pair<int, KnownObjects>;
  std::vector<Giver> givers_{};  // leaders, and what they gave
  bool has_decided_{false};
  NumberMap<std::vector<KnownObject>> of_place_{};  // what to tell each
  DecisionOutcome outcome_{};
};

}  // namespace

std::span<OptionHelp const> HierarchicalBalancer::option_help() {
  return hierarchical_help;
}

HierarchicalBalancer::HierarchicalBalancer(OptionValues const& given)
    : group_{static_cast<int>(CheckedOptions(name, hierarchical_help, given).whole("group"))},
      tolerance_{CheckedOptions(name, hierarchical_help, given).real("tolerance")} {
}

std::unique_ptr<PlaceDecision> HierarchicalBalancer::at_place(DecisionView view) const {
  return std::make_unique<HierarchicalDecision>(std::move(view), group_, tolerance_);
}

}  // namespace makespan::graph

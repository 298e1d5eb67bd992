// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/detail/grouping.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

std::size_t index(int number) {
  return static_cast<std::size_t>(number);
}

class Filling {
 public:
  explicit Filling(GroupingProblem const& problem)
      : problem_(problem),
        count_(static_cast<int>(std::ssize(problem.slots))),
        slot_of_(problem.slots.size(), -1),
        is_taken_(problem.slots.size()),
        left_bytes_(problem.slots.size()) {
    int containers = 0;
    int classes = 0;
    for (Slot const& slot : problem.slots) {
      containers = std::max(containers, slot.container + 1);
      classes = std::max(classes, slot.like + 1);
    }
    is_filled_.resize(index(containers));
    free_like_.resize(index(classes));
    for (int a = 0; a < count_; ++a) {
      std::vector<double>& pinned = pinned_.emplace_back(index(containers));
      for (int b = 0; b < count_; ++b) {
        left_bytes_[index(a)] += problem.between.at(a, b);
        pinned[index(problem.slots[index(b)].container)] += problem.pinned.at(a, b);
      }
    }
  }

  void fill(int container) {
    if (is_filled_[index(container)] != 0) return;
    is_filled_[index(container)] = 1;
    std::vector<int> open;
    for (int slot = 0; slot < count_; ++slot) {
      if (problem_.slots[index(slot)].container != container) continue;
      open.push_back(slot);
      ++free_like_[index(like_of(slot))];
    }
    std::vector<double> gains(index(count_));
    for (int thing = 0; thing < count_; ++thing) {
      gains[index(thing)] = pinned_gain(thing, container);
    }
    std::vector<int> taken;
    while (taken.size() < open.size()) {
      int const thing = best_of(gains, container);
      --free_like_[index(like_of(thing))];
      is_taken_[index(thing)] = 1;
      taken.push_back(thing);
      for (int other = 0; other < count_; ++other) {
        gains[index(other)] += problem_.between.at(other, thing);
        left_bytes_[index(other)] -= problem_.between.at(other, thing);
      }
    }
    settle(taken, open);
  }

  [[nodiscard]] std::vector<int> slots() && { return std::move(slot_of_); }

 private:
  // A thing begins in the slot of its number.
  [[nodiscard]] int like_of(int number) const { return problem_.slots[index(number)].like; }

  // What is pinned here, over the most in any container that is still to be filled.
  [[nodiscard]] double pinned_gain(int thing, int container) const {
    std::vector<double> const& pinned = pinned_[index(thing)];
    double elsewhere = 0.0;
    for (std::size_t other = 0; other < pinned.size(); ++other) {
      if (is_filled_[other] == 0) elsewhere = std::max(elsewhere, pinned[other]);
    }
    return pinned[index(container)] - elsewhere;
  }

  // The best for `container` of the things that are left and fit.
  [[nodiscard]] int best_of(std::vector<double> const& gains, int container) const {
    struct Rank {
      double gain;
      double left_bytes;
      bool is_home;
      auto operator<=>(Rank const&) const = default;
    };
    int best = -1;
    Rank best_rank{};
    for (int thing = 0; thing < count_; ++thing) {
      if (is_taken_[index(thing)] != 0 || free_like_[index(like_of(thing))] == 0) continue;
      double const gain = gains[index(thing)];
      Rank const rank{.gain = gain,
                      // Where nothing draws any of them here, the one that has most to say is
                      // first, and draws others.
                      .left_bytes = gain > 0.0 ? 0.0 : left_bytes_[index(thing)],
                      .is_home = problem_.slots[index(thing)].container == container};
      if (best < 0 || rank > best_rank) {
        best = thing;
        best_rank = rank;
      }
    }
    // Of each class there are as many things as slots: none can be lacking.
    MAKESPAN_ASSERT(best >= 0);
    return best;
  }

  // Each to a slot of the container: first where most is pinned for it, then things that begin in
  // one of the slots, then the others in order.
  void settle(std::vector<int> const& taken, std::vector<int> open) {
    struct Pull {
      double bytes;
      int thing;
      int slot;
    };
    std::vector<Pull> pulls;
    for (int const thing : taken) {
      for (int const slot : open) {
        double const bytes = problem_.pinned.at(thing, slot);
        if (bytes > 0.0) pulls.push_back({.bytes = bytes, .thing = thing, .slot = slot});
      }
    }
    std::ranges::stable_sort(pulls, std::greater<>(), &Pull::bytes);
    auto const take = [&](int thing, int slot) {
      if (slot_of_[index(thing)] >= 0 || like_of(slot) != like_of(thing)) return;
      if (std::erase(open, slot) > 0) slot_of_[index(thing)] = slot;
    };
    for (Pull const& pull : pulls) take(pull.thing, pull.slot);
    for (int const thing : taken) take(thing, thing);
    for (int const thing : taken) {
      // Nor can a slot: those that are open are as many of each class as the things that are left.
      for (std::size_t at = 0; slot_of_[index(thing)] < 0; ++at) take(thing, open[at]);
    }
  }

  GroupingProblem const& problem_;
  int count_;
  std::vector<int> slot_of_;
  std::vector<char> is_taken_;
  std::vector<double> left_bytes_;           // by thing: with those that no container took yet
  std::vector<std::vector<double>> pinned_;  // by thing, by container
  std::vector<char> is_filled_;              // by container
  std::vector<int> free_like_;               // slots of the present container, by class
};

}  // namespace

std::vector<int> grouped(GroupingProblem const& problem) {
  MAKESPAN_EXPECT(problem.between.size() == std::ssize(problem.slots));
  MAKESPAN_EXPECT(problem.pinned.size() == std::ssize(problem.slots));
  Filling filling(problem);
  for (Slot const& slot : problem.slots) filling.fill(slot.container);
  return std::move(filling).slots();
}

}  // namespace makespan::graph

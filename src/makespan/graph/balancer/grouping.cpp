// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/grouping.hpp"

#include <algorithm>

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
        count_(std::ssize(problem.slots)),
        slot_of_(problem.slots.size(), -1),
        left_bytes_(problem.slots.size()) {
    for (int a = 0; a < count_; ++a) {
      for (int b = 0; b < count_; ++b) left_bytes_[index(a)] += problem.between.at(a, b);
    }
  }

  void fill(int container) {
    std::vector<int> open;
    for (int slot = 0; slot < count_; ++slot) {
      if (problem_.slots[index(slot)].container == container) open.push_back(slot);
    }
    std::vector<double> bytes(index(static_cast<int>(count_)));
    for (int thing = 0; thing < count_; ++thing) {
      for (int const slot : open) bytes[index(thing)] += problem_.pinned.at(thing, slot);
    }
    std::vector<int> taken;
    for (std::vector<int> free = open; !free.empty();) {
      int const thing = best_of(free, bytes, container);
      auto const slot =
          std::ranges::find(free, like_of(thing), [&](int at) { return like_of(at); });
      free.erase(slot);
      is_taken_.resize(index(static_cast<int>(count_)));
      is_taken_[index(thing)] = 1;
      taken.push_back(thing);
      for (int other = 0; other < count_; ++other) {
        bytes[index(other)] += problem_.between.at(other, thing);
        left_bytes_[index(other)] -= problem_.between.at(other, thing);
      }
    }
    settle(taken, open);
  }

  [[nodiscard]] std::vector<int> slots() && { return std::move(slot_of_); }

 private:
  // A thing begins in the slot of its number.
  [[nodiscard]] int like_of(int number) const { return problem_.slots[index(number)].like; }

  // Of those that are left and fit into one of `free`.
  [[nodiscard]] int best_of(std::vector<int> const& free, std::vector<double> const& bytes,
                            int container) const {
    struct Rank {
      double bytes;
      double left_bytes;
      bool is_home;
      auto operator<=>(Rank const&) const = default;
    };
    int best = -1;
    Rank best_rank{};
    for (int thing = 0; thing < count_; ++thing) {
      if (!is_taken_.empty() && is_taken_[index(thing)] != 0) continue;
      bool const fits =
          std::ranges::any_of(free, [&](int slot) { return like_of(slot) == like_of(thing); });
      if (!fits) continue;
      Rank const rank{.bytes = bytes[index(thing)],
                      .left_bytes = bytes[index(thing)] > 0.0 ? 0.0 : left_bytes_[index(thing)],
                      .is_home = problem_.slots[index(thing)].container == container};
      if (best < 0 || rank > best_rank) {
        best = thing;
        best_rank = rank;
      }
    }
    MAKESPAN_ASSERT(best >= 0);
    return best;
  }

  // Who begins in one of the slots stays in it; the others follow in order.
  void settle(std::vector<int> const& taken, std::vector<int> open) {
    for (int const thing : taken) {
      if (std::erase(open, thing) > 0) slot_of_[index(thing)] = thing;
    }
    for (int const thing : taken) {
      if (slot_of_[index(thing)] >= 0) continue;
      auto const slot =
          std::ranges::find(open, like_of(thing), [&](int at) { return like_of(at); });
      slot_of_[index(thing)] = *slot;
      open.erase(slot);
    }
  }

  GroupingProblem const& problem_;
  std::ptrdiff_t count_;
  std::vector<int> slot_of_;
  std::vector<double> left_bytes_;  // by thing: with those that no container took yet
  std::vector<char> is_taken_;
};

}  // namespace

std::vector<int> grouped(GroupingProblem const& problem) {
  MAKESPAN_EXPECT(problem.between.size() == std::ssize(problem.slots));
  MAKESPAN_EXPECT(problem.pinned.size() == std::ssize(problem.slots));
  Filling filling(problem);
  std::vector<int> filled;
  for (Slot const& slot : problem.slots) {
    if (std::ranges::find(filled, slot.container) != filled.end()) continue;
    filled.push_back(slot.container);
    filling.fill(slot.container);
  }
  return std::move(filling).slots();
}

}  // namespace makespan::graph

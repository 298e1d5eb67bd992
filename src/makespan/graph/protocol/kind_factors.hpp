// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much work objects are on one kind of place, beside another, from objects that moved.
//
// A processor with cores of two kinds, or a cluster of two generations, runs one type of object
// twice as fast on one of them and another type as fast on both. So speeds of places alone do not
// say how long an object takes: its work is known for each kind of place.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/protocol/place_speeds.hpp"

namespace makespan::graph {

// Tested by tests/graph/protocol/kind_factors_test.cpp.
class KindFactors {
 public:
  // `kind`, by place: from 0. `group`, by object, from 0: objects of one group are taken to be
  // alike (those of a collection).
  KindFactors(std::vector<int> kind, std::vector<std::int32_t> group);

  [[nodiscard]] int kinds() const { return static_cast<int>(kinds_); }

  // An object that took t on a place of speed s, and takes u now on one of another kind and of
  // speed v, says that its work there is u v d / (t s) of that on the kind before, where d is by
  // how much work has shrunk meanwhile: the median, over objects that stayed within a kind, of
  // their work before over that now. Where fewer than `samples_min` did nothing is learned. What an
  // object says is blended with what it said before, as logarithms.
  void learn(std::span<double const> speeds, ObjectTimes const& times,
             SpeedLearning const& options = {});

  // The object's work on places of a kind over that on kind 0. Where its own moves have said, and
  // `samples_min` objects of its group, the geometric mean of the object's and the group's median;
  // where one of the two has, that one; then the median over all objects; then 1. Positive and
  // finite.
  [[nodiscard]] double factor(int object, int kind) const;

  // The same times, without those of objects that went to a place of another kind: what is left
  // says how fast places of one kind are beside each other. `now_s` is where they are kept.
  [[nodiscard]] ObjectTimes within_kinds(ObjectTimes const& times,
                                         std::vector<double>& now_s) const;

 private:
  [[nodiscard]] bool changed_kind(ObjectTimes const& times, std::size_t object) const;
  [[nodiscard]] std::size_t cell(std::size_t row, std::size_t kind) const {
    return row * kinds_ + kind;
  }
  [[nodiscard]] double estimate(std::size_t object, std::size_t kind) const;
  [[nodiscard]] std::vector<double> usual_of(std::span<std::size_t const> objects,
                                             std::size_t samples_min) const;
  void summarize(std::size_t samples_min);

  std::vector<int> kind_;            // by place
  std::vector<std::int32_t> group_;  // by object
  std::size_t kinds_{1};
  std::size_t groups_{1};
  // Logarithms. By (object, kind), relative to the object's other kinds: no number where it has not
  // told.
  std::vector<double> own_{};
  std::vector<double> of_group_{};   // by (group, kind), relative to kind 0
  std::vector<bool> is_of_group_{};  // by (group, kind): its own objects have told
};

}  // namespace makespan::graph

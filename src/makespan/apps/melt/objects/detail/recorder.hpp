// SPDX-License-Identifier: Apache-2.0
#pragma once

// Puts together what cells and computes tell of a step: energies, positions, loads.

#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "makespan/apps/melt/atom.hpp"
#include "makespan/apps/melt/objects/detail/run_mark.hpp"
#include "makespan/apps/melt/thermo.hpp"
#include "makespan/base/digest.hpp"
#include "makespan/graph/object/object_place.hpp"

namespace makespan::melt {

// All atoms at one step, by id.
struct Frame {
  std::int64_t step{};
  std::vector<Vector3> positions{};  // where they are; some may be a little outside the box
  std::int64_t missing{};

  template <class Archive>
  void serialize(Archive& archive) {
    archive(step, positions, missing);
  }
};

// What one object took in a phase.
struct ObjectShare {
  std::int32_t index{};  // cells first, then computes
  std::int32_t place{};
  double cpu_s{};

  template <class Archive>
  void serialize(Archive& archive) {
    archive(index, place, cpu_s);
  }
};

// What all of them took.
struct PhaseShares {
  std::int64_t phase{-1};  // -1: not known
  std::vector<ObjectShare> shares{};
};

// One object, at place 0. Sums are made in the order of cells and computes when all are there.
// What other images tell is checked: methods throw InputError for numbers that the run has not.
// Tested by tests/apps/melt/objects/melt_run_test.cpp and foreign_messages_test.cpp.
class Recorder {
 public:
  Recorder() = default;

  void take_kinetic(graph::ObjectPlace& here, std::int64_t step, std::int32_t cell, double energy);
  void take_pairs(graph::ObjectPlace& here, std::int64_t step, std::int32_t compute,
                  PairSums const& sums);
  void take_atoms(graph::ObjectPlace& here, std::int64_t step, std::vector<Atom> const& atoms);
  // Of the objects of one place.
  void take_shares(graph::ObjectPlace& here, std::int64_t phase,
                   std::vector<ObjectShare> const& shares);
  // At the end: atoms_digest() of a cell.
  void take_digest(graph::ObjectPlace& here, std::int32_t cell, Digest const& digest);

  // What is complete, in the order of steps; each is given once.
  [[nodiscard]] std::vector<Thermo> take_lines() { return std::exchange(lines_, {}); }
  [[nodiscard]] std::vector<Frame> take_frames() { return std::exchange(frames_, {}); }
  // Of the first phase of which places told, and of the last.
  [[nodiscard]] PhaseShares const& first_shares() const { return first_shares_; }
  [[nodiscard]] PhaseShares const& last_shares() const { return last_shares_; }
  // By cell, when all steps are done; none before.
  [[nodiscard]] std::vector<Digest> const& digests() const { return digests_; }
  // What a checkpoint says of its run.
  [[nodiscard]] RunMark const& mark() const { return mark_; }
  void set_mark(RunMark const& mark) { mark_ = mark; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(open_, open_frames_, mark_);
  }

 private:
  struct OpenSums {
    std::vector<double> kinetic{};  // by cell
    std::vector<PairSums> pairs{};  // by compute
    std::int64_t missing{};

    template <class Archive>
    void serialize(Archive& archive) {
      archive(kinetic, pairs, missing);
    }
  };

  OpenSums& open_sums(graph::ObjectPlace& here, std::int64_t step);
  Frame& open_frame(graph::ObjectPlace& here, std::int64_t step);
  void close_if_complete(graph::ObjectPlace& here, std::int64_t step);

  std::map<std::int64_t, OpenSums> open_{};      // by step
  std::map<std::int64_t, Frame> open_frames_{};  // by step
  std::vector<Thermo> lines_{};
  std::vector<Frame> frames_{};
  PhaseShares first_shares_{};
  PhaseShares last_shares_{};
  std::vector<Digest> digests_{};
  RunMark mark_{};
};

}  // namespace makespan::melt

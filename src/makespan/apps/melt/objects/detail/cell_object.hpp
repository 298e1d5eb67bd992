// SPDX-License-Identifier: Apache-2.0
#pragma once

// A cell of a melt as an object: it tells its computes where its atoms are, waits for their forces,
// and moves the atoms.

#include <array>
#include <cereal/types/array.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <vector>

#include "makespan/apps/melt/atom.hpp"
#include "makespan/apps/melt/cell.hpp"
#include "makespan/apps/melt/objects/detail/compute_object.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/shared_value.hpp"

namespace makespan::melt {

// Sums forces in the order of computes, whichever come first, so that positions have the same bits
// wherever objects are. What comes in messages is checked: methods throw InputError for numbers
// that the run has not. Tested by
// tests/apps/melt/objects/melt_run_test.cpp and foreign_messages_test.cpp.
class CellObject {
 public:
  CellObject() = default;
  explicit CellObject(Cell cell) : cell_(std::move(cell)) {}

  [[nodiscard]] Cell const& cell() const { return cell_; }
  // The last that is done.
  [[nodiscard]] std::int64_t step() const { return step_; }

  // Up to step `last`. 0: only the forces of the first step.
  void go_on(graph::ObjectPlace& here, std::int64_t last);
  // What compute `compute` adds in this step.
  void take_forces(graph::ObjectPlace& here, std::int32_t compute,
                   SharedContribution const& contribution);
  // Atoms that a neighbour has lost to this cell, perhaps none; it lies in `direction` from here.
  void take_arrivals(graph::ObjectPlace& here, std::int32_t direction,
                     std::vector<Atom> const& atoms);

  // Throws InputError where what was read cannot be.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(cell_, step_, last_, contributions_, contributions_here_, arrivals_, arrivals_here_,
            is_exchanging_);
    if constexpr (Archive::is_loading::value) expect_sound();
  }

 private:
  void expect_sound() const;
  void expect_known(graph::ObjectPlace& here);
  void begin_step(graph::ObjectPlace& here);
  void send_leavers(graph::ObjectPlace& here);
  void settle_if_complete(graph::ObjectPlace& here);
  void tell_clusters(graph::ObjectPlace& here);
  void tell_positions(graph::ObjectPlace& here);
  void end_step(graph::ObjectPlace& here);
  void tell_recorder(graph::ObjectPlace& here);

  Cell cell_{};
  std::int64_t step_{0};
  std::int64_t last_{0};
  std::array<SharedContribution, direction_count> contributions_{};  // of this step, by feed
  std::int32_t contributions_here_{0};
  // Of this rebuild, by direction; those of a faster neighbour may be here before it begins.
  std::array<std::vector<Atom>, direction_count> arrivals_{};
  std::int32_t arrivals_here_{0};
  bool is_exchanging_{false};
  bool is_known_{false};  // here, to be the cell of its number
};

}  // namespace makespan::melt

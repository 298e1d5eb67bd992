// SPDX-License-Identifier: Apache-2.0
#pragma once

// A compute of a melt as an object: it waits for the positions of its two cells, and sends both the
// forces.

#include <array>
#include <cereal/types/array.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <vector>

#include "makespan/apps/melt/clusters.hpp"
#include "makespan/apps/melt/force_compute.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/shared_value.hpp"

namespace makespan::melt {

using SharedClusters = graph::SharedValue<ClusterSet>;
using SharedContribution = graph::SharedValue<ForceContribution>;
using SharedPositions = graph::SharedValue<std::vector<ClusterVectors>>;

// What comes in messages is checked: methods throw InputError for what no cell of its own sends.
// Tested by tests/apps/melt/objects/melt_run_test.cpp and foreign_messages_test.cpp.
class ComputeObject {
 public:
  ComputeObject() = default;
  ComputeObject(CellGrid const& grid, MeltSettings const& settings, int index)
      : compute_(grid, settings, index), index_(index) {}

  [[nodiscard]] std::int32_t index() const { return index_; }

  // Of one of its cells, in a step in which lists are made anew; and in another.
  void take_clusters(graph::ObjectPlace& here, std::int32_t cell, std::int64_t step,
                     SharedClusters const& clusters);
  void take_positions(graph::ObjectPlace& here, std::int32_t cell, std::int64_t step,
                      SharedPositions const& positions);

  // Throws InputError where what was read cannot be.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(compute_, index_, clusters_, positions_);
    if constexpr (Archive::is_loading::value) expect_sound();
  }

 private:
  void expect_sound() const;
  void expect_known(graph::ObjectPlace& here);
  // Throws InputError for a cell that is none of its two.
  [[nodiscard]] std::size_t side_of(int cell) const;
  void run(graph::ObjectPlace& here, std::int64_t step, std::span<ClusterVectors const> first,
           std::span<ClusterVectors const> second);
  void send_forces(graph::ObjectPlace& here, Side side, int cell);

  ForceCompute compute_{};
  std::int32_t index_{};
  std::array<SharedClusters, 2> clusters_{};    // by side, of this step
  std::array<SharedPositions, 2> positions_{};  // likewise
  std::array<SharedContribution, 2> sent_{};    // of the last step; their memory is used again
  bool is_known_{false};                        // here, to be the compute of its number
};

}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A block of the array as an object: it sends its faces, waits for those of its neighbours, and
// does a step when it has all.

#include <cereal/types/vector.hpp>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/stencil4d/detail/halo.hpp"
#include "makespan/apps/stencil4d/settings.hpp"
#include "makespan/graph/object/object_place.hpp"

namespace makespan::stencil4d {

class Block;

// What a block knows of itself and of the others: plain data, which goes with it as it is.
struct BlockPlan {
  graph::Collection<Block> all{};
  int index{};
  int grid{};
  int side{};
  int work{};
  LowFaces low_faces{LowFaces::kept};
};

// Tested by tests/apps/stencil4d/stencil_run_test.cpp.
class Block {
 public:
  Block() = default;  // for those that arrive
  Block(BlockPlan const& plan, std::vector<double> halo);

  // --- messages

  // So many steps from here on. Sent at the beginning of a phase.
  void start(graph::ObjectPlace& here, std::int64_t steps);
  // A neighbour's face, as it was before step `step`, for the layer in direction `number`.
  void face(graph::ObjectPlace& here, std::int64_t step, int number,
            std::vector<double> const& values);

  // --- what has become of it

  [[nodiscard]] std::span<double const> halo() const { return halo_; }
  [[nodiscard]] std::int64_t steps() const { return step_; }
  [[nodiscard]] std::int64_t faces() const { return faces_; }

  // Between steps only its own points go with it: the layer around will be sent again.
  template <class Archive>
  void save(Archive& archive) const {
    archive(cereal::binary_data(&plan_, sizeof plan_), step_, left_, arrived_, faces_, early_);
    if (arrived_ > 0) {
      archive(halo_);
    } else if constexpr (std::same_as<Archive, pgas::ByteCounter>) {
      archive(cereal::binary_data(halo_.data(), own_bytes()));
    } else {
      for_each_row(std::span(halo_), plan_.side, [&](std::span<double const> row) {
        archive(cereal::binary_data(row.data(), row.size_bytes()));
      });
    }
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(cereal::binary_data(&plan_, sizeof plan_), step_, left_, arrived_, faces_, early_);
    if (arrived_ > 0) {
      archive(halo_);
      return;
    }
    halo_.resize(static_cast<std::size_t>(halo_points(plan_.side)));
    for_each_row(std::span(halo_), plan_.side, [&](std::span<double> row) {
      archive(cereal::binary_data(row.data(), row.size_bytes()));
    });
  }

 private:
  // Of the next step: a neighbour may be one ahead.
  struct EarlyFace {
    int number{};
    std::vector<double> values{};

    template <class Archive>
    void serialize(Archive& archive) {
      archive(number, values);
    }
  };

  [[nodiscard]] std::size_t own_bytes() const {
    return static_cast<std::size_t>(own_points(plan_.side)) * sizeof(double);
  }
  void send_faces(graph::ObjectPlace& here) const;
  void go_on(graph::ObjectPlace& here);
  void step();

  BlockPlan plan_{};
  std::vector<double> halo_{};
  std::int64_t step_{0};   // that are done
  std::int64_t left_{0};   // in this phase; 0: it has not begun here, or is over
  int arrived_{0};         // faces, of the present step
  std::int64_t faces_{0};  // that have come, in all
  std::vector<EarlyFace> early_{};
};

// Memory that this thread's blocks compute into is given back. After a run, at each place.
void free_scratch();

}  // namespace makespan::stencil4d

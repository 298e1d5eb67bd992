// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sweeps over one slab by the threads of one device, and what the same threads copy.

#include <cstdint>
#include <functional>
#include <vector>

#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/grid/field/stencil.hpp"
#include "makespan/grid/thread_team.hpp"

namespace makespan::bench {

[[nodiscard]] double seconds_of(std::function<void()> const& work);

class SlabBench {
 public:
  // Faces that nothing passes, or with the value 0 beyond them; each thread has touched its part
  // first.
  SlabBench(grid::Point size, std::vector<grid::FieldRole> roles, int threads,
            grid::Beyond beyond = grid::Beyond::mirror);

  // Bytes that a copy of the first field with streaming stores reads and writes a second.
  [[nodiscard]] double copy();
  // Points a second, of one sweep over all.
  [[nodiscard]] double sweep(grid::Stencil const& stencil, int steps);
  // The same of a sweep's best of two, and what copies before and after it moved at best: the
  // host's speed changes within seconds.
  struct Rate {
    double points_per_s;
    double copy_bytes_per_s;
  };
  [[nodiscard]] Rate beside_copies(std::function<double()> const& points_per_s);

  [[nodiscard]] grid::Point size() const { return size_; }
  [[nodiscard]] double points() const;
  [[nodiscard]] grid::SlabFields& fields() { return fields_; }

 private:
  [[nodiscard]] grid::Box part_of(int thread) const;
  void copy_part(grid::Box const& part) const;

  grid::Point size_;
  grid::ThreadTeam thread_team_;
  grid::SlabFields fields_;
};

}  // namespace makespan::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A grid as it is cut: its slabs, what each computes when, and what it exchanges.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/sim/grids/grid_job.hpp"

namespace makespan::sim {

// Of a number that counts from 0.
[[nodiscard]] inline std::size_t as_index(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

// Where the job's devices are.
struct GridRoster {
  std::vector<int> first_device{};  // by image; one more at the end
  std::vector<int> image_of{};      // by device, through all images
  std::vector<GridDeviceModel const*> models{};

  explicit GridRoster(GridJob const& job);
  [[nodiscard]] int number(grid::DeviceName const& name) const {
    return first_device[static_cast<std::size_t>(name.image)] + name.device;
  }
  [[nodiscard]] int devices() const { return static_cast<int>(models.size()); }
};

struct LaidSlab {
  int device{};  // through all images
  grid::Box box{};
  double planes{};  // whole ones of its stack that are as much work
  grid::SlabRegions regions{};
  std::vector<int> sent{};  // messages of the plan
  std::vector<int> received{};
};

// Tested through tests/sim/grids/grid_simulation_test.cpp.
class GridLayout {
 public:
  GridLayout(GridJob const& job, GridRoster const& roster, std::vector<grid::DeviceStack> stacks);

  [[nodiscard]] std::vector<grid::DeviceStack> const& stacks() const { return stacks_; }
  [[nodiscard]] std::vector<LaidSlab> const& slabs() const { return slabs_; }
  [[nodiscard]] std::vector<grid::HaloMessage> const& messages() const { return plan_.messages; }

  enum class Part : std::uint8_t { boundary, interior, all };
  // Points that a device computes of a slab in so many steps at once, weighted with how many times
  // as long they take: with what neighbours compute too.
  [[nodiscard]] double points(int slab, Part part, std::int64_t steps) const;

 private:
  [[nodiscard]] double points_of(grid::Box const& box, std::int64_t steps) const;

  GridJob const& job_;
  GridRoster const& roster_;
  std::vector<grid::DeviceStack> stacks_;
  grid::ExchangePlan plan_{};
  std::vector<LaidSlab> slabs_{};
};

// As grid::Grid cuts before anything was measured. Throws as grid::stacks_of().
[[nodiscard]] std::vector<grid::DeviceStack> first_stacks(GridJob const& job);

}  // namespace makespan::sim

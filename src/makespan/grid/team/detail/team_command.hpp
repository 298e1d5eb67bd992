// SPDX-License-Identifier: Apache-2.0
#pragma once

// What image 0 of a team tells the others to do, and how that travels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/grid_options.hpp"

namespace makespan::grid {

// A model: its kind, and the bytes that its kind makes it of.
struct ModelOrder {
  std::string kind{};
  std::vector<std::byte> bytes{};
};

struct TeamOptions {
  int devices{1};  // of each image: its cores are dealt out to them in turn
  int gpus{0};     // likewise, besides: the first that it sees; each takes a core to be driven
  Schedule schedule{Schedule::overlap};
  int blocks{4};  // of each layer, with the schedule `pipeline`
  BlockOrder block_order{BlockOrder::far_first};
  Route route{Route::direct};
  ImageCut cut{ImageCut::automatic};
  HostLayers layers{};
  // Of the devices of each image in turn, or of those of all images, in any unit; none: as many as
  // they have cores.
  std::vector<double> speeds{};
  std::vector<double> plane_weights{};  // of each plane along z; none: all the same
  // What a point takes at least [s], given as speeds are; none: nothing. For benches.
  std::vector<double> point_times{};
  int steps_at_once{1};
  std::int64_t rebalance_steps{0};  // between two looks at speeds; 0: never
  std::int64_t first_look{0};       // one more, after so many steps; 0: none
  std::int64_t phases_kept{0};      // of each device, the last ones
};

enum class Verb : std::uint8_t {
  finish,
  open,
  start,
  run,
  heed,
  gather,
  scatter,
  find_bad_value,
  summary,
  digests,
  report,
  set_step
};

// What a verb does not need is left at its default.
struct TeamCommand {
  Verb verb{};
  ModelOrder order{};
  TeamOptions options{};
  int field{};
  Box box{};
  std::int64_t number{};  // of steps
  std::int64_t later{};   // steps that will follow these
  std::vector<std::byte> word{};
};

[[nodiscard]] std::vector<std::byte> bytes_of(TeamCommand const& command);
// Throws std::out_of_range where the bytes end too early, and InputError for a command that this
// build does not know. Whether a grid has such a field, box or number of devices is for those to
// say who have one. Tested by tests/grid/team/team_command_test.cpp.
[[nodiscard]] TeamCommand command_from(std::span<std::byte const> bytes);

}  // namespace makespan::grid

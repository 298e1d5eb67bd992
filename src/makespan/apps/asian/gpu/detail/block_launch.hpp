// SPDX-License-Identifier: Apache-2.0
// What a GPU is asked for at once: blocks of samples of several options, and which of them it is to
// add up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/asian/gpu/block_job.hpp"
#include "makespan/apps/asian/path/path_tables.hpp"

namespace makespan::asian {

// What all options of a launch have in common: which program makes their blocks.
struct BlockKind {
  Precision precision;
  PathModel model;
  Estimator estimator;
  bool greeks;

  bool operator==(BlockKind const&) const = default;
};

// Rows of slab_samples numbers, and words, that a block's threads need as work space
// (BlockScratch).
struct ScratchShape {
  int normals;
  int dimensions;
  int functionals;
  int state;

  [[nodiscard]] bool is_empty() const { return normals + functionals + state == 0; }
};

// Neighbours of one replicate: a node of its tree of moments (moment_tree.hpp).
struct BlockNode {
  std::int32_t first;   // of the launch's items
  std::int32_t blocks;  // a power of two
};

// The most blocks of a node: adding them up must not take a thread long.
inline constexpr int node_blocks_max = 1024;

// Options, blocks and nodes of one launch, with copies of the tables that the options' spans show:
// they can be carried elsewhere in one piece. Allocates only when a launch is larger than all
// before it. Tested by tests/apps/asian/gpu/block_launch_test.cpp.
class BlockLaunch {
 public:
  explicit BlockLaunch(BlockKind kind) : kind_{kind} {}

  // Empties it.
  void clear();
  // Copies an option of this kind, with its tables; its number in the launch.
  int add_option(BlockOption const& option);
  // `item.option` is such a number.
  void add_item(BlockItem const& item) { items_.push_back(item); }
  // Of items that have been added.
  void add_node(BlockNode const& node);

  [[nodiscard]] BlockKind kind() const { return kind_; }
  [[nodiscard]] std::span<BlockItem const> items() const { return items_; }
  [[nodiscard]] std::span<BlockNode const> nodes() const { return nodes_; }
  // Enough for each of its options.
  [[nodiscard]] ScratchShape const& scratch() const { return scratch_; }
  [[nodiscard]] bool uses_sobol() const { return uses_sobol_; }
  // Of one block, or one node.
  [[nodiscard]] int moments() const { return moment_count(kind_.estimator, kind_.greeks); }

  // The tables of all options.
  [[nodiscard]] std::span<std::byte const> tables() const { return tables_; }
  [[nodiscard]] std::size_t options() const { return options_.size(); }
  // The options as they are where the tables lie at `base`, aligned as `table_alignment`, and the
  // direction numbers (sobol.hpp) at `directions`.
  static constexpr std::size_t table_alignment = 256;
  void place_options(std::byte const* base, std::span<std::uint32_t const* const> directions,
                     std::span<BlockOption> placed) const;

 private:
  // Where an option's tables lie.
  struct Offsets {
    std::size_t steps;  // of its model
    std::size_t greeks;
    std::size_t philox_steps;
    std::size_t bridge;
    std::size_t inverse_root_dt;
    // Of baskets.
    std::size_t loading;
    std::size_t terms;
    std::size_t drifts;
    std::size_t grids;
    std::size_t slices;
  };

  template <class T>
  std::size_t copy(std::span<T const> values);
  std::size_t copy_steps(PathJob const& path);
  void copy_basket(BasketPlan const& plan, Offsets& at);
  void place_steps(PathJob& path, std::byte const* base, Offsets const& at) const;

  BlockKind kind_;
  std::vector<BlockOption> options_;
  std::vector<Offsets> offsets_;  // by option
  std::vector<std::byte> tables_;
  std::vector<BlockItem> items_;
  std::vector<BlockNode> nodes_;
  ScratchShape scratch_{};
  bool uses_sobol_ = false;
};

}  // namespace makespan::asian

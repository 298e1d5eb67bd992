// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/gpu/detail/block_launch.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "makespan/base/contracts.hpp"

namespace makespan::asian {

namespace {

// As the widest load wants it.
constexpr std::size_t span_alignment = 16;

template <class T>
void move_to(std::span<T const>& span, std::byte const* base, std::size_t offset) {
  span = {reinterpret_cast<T const*>(base + offset), span.size()};
}

}  // namespace

void BlockLaunch::clear() {
  options_.clear();
  offsets_.clear();
  tables_.clear();
  items_.clear();
  nodes_.clear();
  steps_max_ = 0;
  uses_sobol_ = false;
}

template <class T>
std::size_t BlockLaunch::copy(std::span<T const> values) {
  std::size_t const at = (tables_.size() + span_alignment - 1) / span_alignment * span_alignment;
  tables_.resize(at + values.size_bytes());
  if (!values.empty()) std::memcpy(tables_.data() + at, values.data(), values.size_bytes());
  return at;
}

int BlockLaunch::add_option(BlockOption const& option) {
  PathJob const& path = option.path;
  MAKESPAN_EXPECT(option.moments.estimator == kind_.estimator);
  MAKESPAN_EXPECT(option.moments.greeks == kind_.greeks);
  bool const single = kind_.precision == Precision::fp32;
  bool const sobol = path.source == NormalSource::sobol;
  Offsets const offsets{.steps = single ? copy(path.tables.steps_f32) : copy(path.tables.steps_f64),
                        .greeks = single ? copy(path.tables.greeks_f32) : 0,
                        .philox_steps = sobol ? 0 : copy(path.philox_steps),
                        .bridge = sobol ? copy(path.sobol.bridge) : 0,
                        .inverse_root_dt = sobol ? copy(path.sobol.inverse_root_dt) : 0};
  options_.push_back(option);
  offsets_.push_back(offsets);
  steps_max_ = std::max(steps_max_, path.tables.steps);
  uses_sobol_ = uses_sobol_ || sobol;
  return static_cast<int>(options_.size()) - 1;
}

void BlockLaunch::add_node(BlockNode const& node) {
  MAKESPAN_EXPECT(node.blocks >= 1 && node.blocks <= node_blocks_max);
  MAKESPAN_EXPECT(std::has_single_bit(static_cast<std::uint32_t>(node.blocks)));
  MAKESPAN_EXPECT(node.first >= 0 && node.first + node.blocks <= std::ssize(items_));
  nodes_.push_back(node);
}

// What the threads of a block do not look at shows nothing.
void BlockLaunch::place_options(std::byte const* base,
                                std::span<std::uint32_t const* const> directions,
                                std::span<BlockOption> placed) const {
  MAKESPAN_EXPECT(placed.size() == options_.size());
  for (std::size_t i = 0; i < options_.size(); ++i) {
    Offsets const& at = offsets_[i];
    BlockOption option = options_[i];
    PathJob& path = option.path;
    bool const sobol = path.source == NormalSource::sobol;
    if (kind_.precision == Precision::fp32) {
      move_to(path.tables.steps_f32, base, at.steps);
      move_to(path.tables.greeks_f32, base, at.greeks);
      path.tables.steps_f64 = {};
    } else {
      move_to(path.tables.steps_f64, base, at.steps);
      path.tables.steps_f32 = {};
      path.tables.greeks_f32 = {};
    }
    if (sobol) {
      move_to(path.sobol.bridge, base, at.bridge);
      move_to(path.sobol.inverse_root_dt, base, at.inverse_root_dt);
      path.sobol.direction = directions;
      path.philox_steps = {};
    } else {
      move_to(path.philox_steps, base, at.philox_steps);
      path.sobol.bridge = {};
      path.sobol.inverse_root_dt = {};
      path.sobol.direction = {};
    }
    path.sobol.scramble = {};
    path.sobol.base = {};
    path.normals = nullptr;
    placed[i] = option;
  }
}

}  // namespace makespan::asian

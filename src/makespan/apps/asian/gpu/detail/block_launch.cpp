// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/gpu/detail/block_launch.hpp"

#include <algorithm>
#include <bit>

#include "makespan/base/contracts.hpp"

namespace makespan::asian {

namespace {

// As the widest load wants it.
constexpr std::size_t span_alignment = 16;

template <class T>
void move_to(std::span<T const>& span, std::byte const* base, std::size_t offset) {
  span = {reinterpret_cast<T const*>(base + offset), span.size()};
}

ScratchShape scratch_of(PathJob const& path) {
  ScratchShape shape{};
  bool const is_basket = path.model == PathModel::basket;
  if (path.source == NormalSource::sobol) {
    int const steps = is_basket ? static_cast<int>(path.basket.steps.size()) : path.tables.steps;
    // A row for each point of the bridge, its beginning among them.
    shape.normals = (steps + 1) * path.sobol.factors;
    shape.dimensions = steps * path.sobol.factors;
  } else if (is_basket) {
    shape.normals = path.basket.factors;
  }
  // Those of a lognormal price fit the memory that a block's threads share.
  if (path.model != PathModel::lognormal) shape.functionals = functional_count;
  if (is_basket) shape.state = path.basket.underlyings * basket_state_rows;
  return shape;
}

ScratchShape larger(ScratchShape const& one, ScratchShape const& other) {
  return {.normals = std::max(one.normals, other.normals),
          .dimensions = std::max(one.dimensions, other.dimensions),
          .functionals = std::max(one.functionals, other.functionals),
          .state = std::max(one.state, other.state)};
}

}  // namespace

void BlockLaunch::clear() {
  options_.clear();
  offsets_.clear();
  tables_.clear();
  items_.clear();
  nodes_.clear();
  scratch_ = {};
  uses_sobol_ = false;
}

template <class T>
std::size_t BlockLaunch::copy(std::span<T const> values) {
  std::size_t const at = (tables_.size() + span_alignment - 1) / span_alignment * span_alignment;
  tables_.resize(at);
  auto const bytes = std::as_bytes(values);
  tables_.insert(tables_.end(), bytes.begin(), bytes.end());
  return at;
}

std::size_t BlockLaunch::copy_steps(PathJob const& path) {
  if (path.model == PathModel::heston) return copy(path.heston.steps);
  if (path.model == PathModel::basket) return copy(path.basket.steps);
  return kind_.precision == Precision::fp32 ? copy(path.tables.steps_f32)
                                            : copy(path.tables.steps_f64);
}

void BlockLaunch::copy_basket(BasketPlan const& plan, Offsets& at) {
  at.loading = copy(plan.loading);
  at.terms = copy(plan.terms);
  at.drifts = copy(plan.drifts);
  at.grids = copy(plan.grids);
  at.slices = copy(plan.slices);
}

int BlockLaunch::add_option(BlockOption const& option) {
  PathJob const& path = option.path;
  MAKESPAN_EXPECT(path.model == kind_.model);
  MAKESPAN_EXPECT(option.moments.estimator == kind_.estimator);
  MAKESPAN_EXPECT(option.moments.greeks == kind_.greeks);
  bool const has_greeks = kind_.greeks && kind_.precision == Precision::fp32;
  bool const sobol = path.source == NormalSource::sobol;
  Offsets offsets{};
  offsets.steps = copy_steps(path);
  if (has_greeks) offsets.greeks = copy(path.tables.greeks_f32);
  if (sobol) {
    offsets.bridge = copy(path.sobol.bridge);
    offsets.inverse_root_dt = copy(path.sobol.inverse_root_dt);
  } else {
    offsets.philox_steps = copy(path.philox_steps);
  }
  if (path.model == PathModel::basket) copy_basket(path.basket, offsets);
  options_.push_back(option);
  offsets_.push_back(offsets);
  scratch_ = larger(scratch_, scratch_of(path));
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
void BlockLaunch::place_steps(PathJob& path, std::byte const* base, Offsets const& at) const {
  PathTables& tables = path.tables;
  BasketPlan& basket = path.basket;
  auto const place = [&](auto& span, std::size_t offset, bool is_used) {
    if (is_used) {
      move_to(span, base, offset);
    } else {
      span = {};
    }
  };
  bool const is_lognormal = path.model == PathModel::lognormal;
  bool const is_basket = path.model == PathModel::basket;
  bool const single = kind_.precision == Precision::fp32;
  place(tables.steps_f32, at.steps, is_lognormal && single);
  place(tables.greeks_f32, at.greeks, is_lognormal && single && kind_.greeks);
  place(tables.steps_f64, at.steps, is_lognormal && !single);
  place(path.heston.steps, at.steps, path.model == PathModel::heston);
  place(basket.steps, at.steps, is_basket);
  place(basket.loading, at.loading, is_basket);
  place(basket.terms, at.terms, is_basket);
  place(basket.drifts, at.drifts, is_basket);
  place(basket.grids, at.grids, is_basket);
  place(basket.slices, at.slices, is_basket);
  basket.state = nullptr;
}

void BlockLaunch::place_options(std::byte const* base,
                                std::span<std::uint32_t const* const> directions,
                                std::span<BlockOption> placed) const {
  MAKESPAN_EXPECT(placed.size() == options_.size());
  for (std::size_t i = 0; i < options_.size(); ++i) {
    Offsets const& at = offsets_[i];
    BlockOption option = options_[i];
    PathJob& path = option.path;
    bool const sobol = path.source == NormalSource::sobol;
    place_steps(path, base, at);
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
    // Work space, which is the block's (BlockScratch).
    path.sobol.scramble = {};
    path.sobol.base = {};
    path.normals = nullptr;
    placed[i] = option;
  }
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/book_launcher.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <numeric>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::asian {

namespace {

// Of a batch of the launcher.
constexpr std::array<std::pair<PathModel, Precision>, 4> batch_kinds{
    {{PathModel::lognormal, Precision::fp32},
     {PathModel::lognormal, Precision::fp64},
     {PathModel::heston, Precision::fp64},
     {PathModel::basket, Precision::fp64}}};

std::size_t batch_of(PathModel model, Precision precision) {
  auto const found = std::ranges::find(batch_kinds, std::pair{model, precision});
  MAKESPAN_ENSURE(found != batch_kinds.end());
  return static_cast<std::size_t>(found - batch_kinds.begin());
}

BlockLaunch launch_for(PricingSettings const& settings, std::size_t batch) {
  bool const plain = settings.method == Method::mc_plain;
  return BlockLaunch{{.precision = batch_kinds[batch].second,
                      .model = batch_kinds[batch].first,
                      .estimator = plain ? Estimator::plain : Estimator::controlled,
                      .greeks = settings.greeks}};
}

// Of one path.
double path_steps(PathJob const& path) {
  if (path.model == PathModel::heston) return static_cast<double>(path.heston.steps.size());
  if (path.model == PathModel::basket) return static_cast<double>(path.basket.terms.size());
  return path.tables.steps;
}

// How many of the first blocks make the largest node that begins there: as many as its number has
// trailing zeros for, of one replicate.
std::size_t node_blocks(std::span<Block const> blocks) {
  auto const& first = blocks.front();
  auto const next = std::ranges::find_if(
      blocks, [&](Block const& block) { return block.replicate != first.replicate; });
  auto const there = static_cast<std::size_t>(next - blocks.begin());
  std::size_t const fit = std::bit_floor(std::min<std::size_t>(there, node_blocks_max));
  // Block 0 is the leftmost of nodes of every size.
  if (first.index == 0) return fit;
  // Else a node that begins here has at most as many blocks as the lowest bit of its number says.
  auto const index = static_cast<std::uint64_t>(first.index);
  return std::min(fit, static_cast<std::size_t>(index & (~index + 1)));
}

}  // namespace

BookLauncher::BookLauncher(std::unique_ptr<BlockDevice> device, PricingSettings const& settings)
    : device_{std::move(device)},
      batches_{{{launch_for(settings, 0), {}, {}},
                {launch_for(settings, 1), {}, {}},
                {launch_for(settings, 2), {}, {}},
                {launch_for(settings, 3), {}, {}}}} {
}

void BookLauncher::clear() {
  for (Batch& batch : batches_) {
    batch.launch.clear();
    batch.shares.clear();
  }
  added_.clear();
}

void BookLauncher::add(std::int64_t row, OptionWorker& worker, std::span<Block const> blocks) {
  BlockOption const option = worker.block_option();
  Batch& batch = batches_[batch_of(option.path.model, worker.precision())];
  // With a copy of its tables: when the launch runs, the worker is at another option.
  int const number = batch.launch.add_option(option);
  std::int64_t samples = 0;
  // By nodes of the summation tree that lie whole in the launch: the GPU adds their blocks up
  // (docs/decisions/0053).
  for (auto left = blocks; !left.empty();) {
    auto const count = node_blocks(left);
    auto const first = static_cast<std::int32_t>(batch.launch.items().size());
    for (Block const& block : left.first(count)) {
      BlockItem item = worker.block_item(block);
      item.option = number;
      batch.launch.add_item(item);
      samples += block.samples;
    }
    batch.launch.add_node({first, static_cast<std::int32_t>(count)});
    int const level = std::countr_zero(count);
    batch.shares.push_back(
        {added_.size(), left.front().replicate, level, left.front().index >> level});
    left = left.subspan(count);
  }
  double const work = static_cast<double>(samples) * path_steps(option.path);
  added_.push_back({row, std::ssize(blocks), samples, worker.sampling().replicates, work});
}

std::vector<BookPiece> BookLauncher::run() {
  using Clock = std::chrono::steady_clock;
  auto const begin = Clock::now();
  std::vector<BookPiece> pieces;
  pieces.reserve(added_.size());
  for (Added const& part : added_) {
    pieces.push_back({.row = part.row, .items = part.blocks, .samples = part.samples});
    pieces.back().trees.resize(static_cast<std::size_t>(part.replicates));
  }
  // If it throws, what was added stays: a device that has failed runs nothing any more
  // (bag/device_team.hpp).
  for (Batch& batch : batches_) run(batch, pieces);
  double const taken = std::chrono::duration<double>(Clock::now() - begin).count();
  double const all = std::transform_reduce(added_.begin(), added_.end(), 0.0, std::plus<>{},
                                           [](Added const& part) { return part.work; });
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    // Its options ran at the same time: the launch's is divided by work.
    pieces[i].seconds = taken * added_[i].work / all;
  }
  clear();
  return pieces;
}

void BookLauncher::run(Batch& batch, std::vector<BookPiece>& pieces) {
  if (batch.shares.empty()) return;
  auto const moments = static_cast<std::size_t>(batch.launch.moments());
  batch.moments.resize(batch.shares.size() * moments);
  device_->run(batch.launch, batch.moments);
  // Sums come back node by node, in the order in which they were added.
  auto const* at = batch.moments.data();
  for (NodeShare const& share : batch.shares) {
    pieces[share.piece].trees[static_cast<std::size_t>(share.replicate)].add_node(
        {share.level, share.index, {at, at + moments}});
    at += moments;
  }
}

}  // namespace makespan::asian

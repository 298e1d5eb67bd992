// SPDX-License-Identifier: Apache-2.0
// Goal: what launches give is what blocks one by one give, bit for bit, for any mixture of options
// and any cut of their blocks; and each option's blocks are few nodes. Method: a GPU on the host,
// launches looked at as they begin.
#include "makespan/apps/asian/run/detail/book_launcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "apps/asian/basket_contracts.hpp"
#include "apps/asian/gpu/host_blocks.hpp"
#include "apps/asian/heston_contracts.hpp"
#include "apps/asian/path_set.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/contract/contract_reader.hpp"
#include "makespan/bag/device_failed.hpp"

namespace makespan::asian {
namespace {

PricingSettings settings_of(Method method) {
  PricingSettings settings;
  settings.method = method;
  settings.replicates = 16;
  return settings;
}

std::vector<Block> blocks_from(Sampling const& sampling, std::int64_t samples,
                               std::int64_t item_begin, std::int64_t item_end) {
  std::vector<Block> blocks;
  for (std::int64_t item = item_begin; item < item_end; ++item) {
    blocks.push_back(block_at(sampling, 0, samples, item));
  }
  return blocks;
}

// What vectors make of the same blocks.
std::vector<MomentTree> trees_of(OptionWorker& worker, std::vector<Block> const& blocks,
                                 int replicates) {
  std::vector<MomentTree> trees(static_cast<std::size_t>(replicates));
  for (Block const& block : blocks) {
    trees[static_cast<std::size_t>(block.replicate)].add(block.index, worker.run(block));
  }
  return trees;
}

void expect_same(std::vector<MomentTree> const& ours, std::vector<MomentTree> const& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  auto const sorted = [](MomentTree const& tree) {
    std::vector<MomentTree::Node> nodes(tree.nodes().begin(), tree.nodes().end());
    std::ranges::sort(nodes, {}, &MomentTree::Node::index);
    std::ranges::stable_sort(nodes, {}, &MomentTree::Node::level);
    return nodes;
  };
  for (std::size_t i = 0; i < ours.size(); ++i) {
    auto const left = sorted(ours[i]);
    auto const right = sorted(theirs[i]);
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      EXPECT_EQ(left[k].level, right[k].level);
      EXPECT_EQ(left[k].index, right[k].index);
      EXPECT_EQ(left[k].moments, right[k].moments);
    }
  }
}

// Options in single and in double precision, in one launch each, whole and in parts.
TEST(BookLauncher, gives_what_blocks_one_by_one_give) {
  std::vector<Contract> contracts{with_fixings(5), with_fixings(65, 5.2), put(monthly_call()),
                                  with_fixings(2, 0.002)};
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    PricingSettings const settings = settings_of(method);
    Sampling const sampling = sampling_of(settings);
    std::int64_t const samples = 5 * sampling.block + 77;
    std::int64_t const all = blocks_between(sampling, 0, samples);
    OptionWorker worker{settings, Kernels::named("auto")};
    int launches = 0;
    BookLauncher launcher(std::make_unique<HostBlockDevice>([&](auto const&) { ++launches; }),
                          settings);
    for (auto const& [begin, end] : {std::pair{std::int64_t{0}, all}, {std::int64_t{1}, all - 1}}) {
      auto const blocks = blocks_from(sampling, samples, begin, end);
      for (std::size_t row = 0; row < contracts.size(); ++row) {
        worker.prepare(contracts[row]);
        launcher.add(static_cast<std::int64_t>(row), worker, blocks);
      }
      launches = 0;
      auto const pieces = launcher.run();

      EXPECT_EQ(launches, 2);
      ASSERT_EQ(pieces.size(), contracts.size());
      for (std::size_t row = 0; row < contracts.size(); ++row) {
        worker.prepare(contracts[row]);
        EXPECT_EQ(pieces[row].row, static_cast<std::int64_t>(row));
        EXPECT_EQ(pieces[row].items, end - begin);
        EXPECT_EQ(pieces[row].samples,
                  std::transform_reduce(blocks.begin(), blocks.end(), std::int64_t{0},
                                        std::plus<>{}, [](auto const& b) { return b.samples; }));
        EXPECT_GT(pieces[row].seconds, 0.0);
        expect_same(pieces[row].trees, trees_of(worker, blocks, sampling.replicates));
      }
    }
  }
}

// One launch for each model, whatever order its rows come in.
TEST(BookLauncher, gives_what_blocks_one_by_one_give_of_each_model) {
  BookColumns columns;
  std::int32_t const basket = add_basket(columns, five());
  for (int i = 0; i < 2; ++i) {
    add_heston_row(columns, with_fixings(4 + i), heston_models[1]);
    columns.basket.push_back(-1);
    Contract on_basket = with_fixings(3 + i);
    on_basket.drift = 0;
    add_heston_row(columns, on_basket, {});
    columns.basket.push_back(basket);
  }
  ContractBook const read = columns.book();
  ContractReader const book(read);
  PricingSettings settings = settings_of(Method::mc);
  settings.greeks = true;
  Sampling const sampling = sampling_of(settings);
  std::int64_t const samples = 3 * sampling.block + 9;
  auto const blocks = blocks_from(sampling, samples, 0, blocks_between(sampling, 0, samples));
  OptionWorker worker{settings, Kernels::named("auto")};
  std::vector<PathModel> models;
  BookLauncher launcher(std::make_unique<HostBlockDevice>([&](BlockLaunch const& launch) {
                          models.push_back(launch.kind().model);
                        }),
                        settings);
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    Contract const contract = book.at(row);
    worker.prepare(contract);
    launcher.add(row, worker, blocks);
  }
  auto const pieces = launcher.run();

  EXPECT_EQ(models, (std::vector<PathModel>{PathModel::heston, PathModel::basket}));
  ASSERT_EQ(std::ssize(pieces), book.rows());
  double seconds = 0;
  for (BookPiece const& piece : pieces) {
    Contract const contract = book.at(piece.row);
    worker.prepare(contract);
    expect_same(piece.trees, trees_of(worker, blocks, sampling.replicates));
    seconds += piece.seconds;
  }
  EXPECT_GT(seconds, 0);
}

// 3000 blocks from the 5th: 5, 6 + 7, 8 … 15, and so on up, then down again.
TEST(BookLauncher, adds_up_neighbours_before_they_leave_the_GPU) {
  PricingSettings const settings = settings_of(Method::mc_plain);
  Sampling const sampling = sampling_of(settings);
  std::int64_t const samples = std::int64_t{3005} * sampling.block;
  std::vector<std::int32_t> nodes;
  BookLauncher launcher(std::make_unique<HostBlockDevice>([&](BlockLaunch const& launch) {
                          std::int32_t next = 0;
                          for (BlockNode const& node : launch.nodes()) {
                            EXPECT_EQ(node.first, next);
                            next += node.blocks;
                            nodes.push_back(node.blocks);
                          }
                          EXPECT_EQ(next, 3000);
                          throw bag::DeviceFailed("seen enough");
                        }),
                        settings);
  OptionWorker worker{settings, Kernels::named("auto")};
  Contract const contract = with_fixings(1);
  worker.prepare(contract);
  launcher.add(7, worker, blocks_from(sampling, samples, 5, 3005));

  EXPECT_THROW(launcher.run(), bag::DeviceFailed);
  EXPECT_EQ(nodes, (std::vector<std::int32_t>{1, 2, 8, 16, 32, 64, 128, 256, 512, 1024, 512, 256,
                                              128, 32, 16, 8, 4, 1}));
}

TEST(BookLauncher, begins_anew_after_a_launch_that_failed) {
  PricingSettings const settings = settings_of(Method::mc);
  Sampling const sampling = sampling_of(settings);
  bool fails = true;
  BookLauncher launcher(std::make_unique<HostBlockDevice>([&](auto const& /*launch*/) {
                          if (fails) throw bag::DeviceFailed("no memory");
                        }),
                        settings);
  OptionWorker worker{settings, Kernels::named("auto")};
  Contract const contract = with_fixings(4);
  worker.prepare(contract);
  auto const blocks = blocks_from(sampling, 2048, 0, 2);
  launcher.add(1, worker, blocks);
  EXPECT_THROW(launcher.run(), bag::DeviceFailed);
  fails = false;
  launcher.clear();
  launcher.add(2, worker, blocks);

  auto const pieces = launcher.run();

  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces.front().row, 2);
  expect_same(pieces.front().trees, trees_of(worker, blocks, 1));
  EXPECT_TRUE(launcher.run().empty());
}

}  // namespace
}  // namespace makespan::asian

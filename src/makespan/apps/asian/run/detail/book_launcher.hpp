// SPDX-License-Identifier: Apache-2.0
// Parts of options of a book as launches of a GPU: blocks become items, neighbours nodes, and what
// comes back pieces of results.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "makespan/apps/asian/estimate/sampling.hpp"
#include "makespan/apps/asian/gpu/block_device.hpp"
#include "makespan/apps/asian/run/detail/book_piece.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"

namespace makespan::asian {

// For one thread. Tested by tests/apps/asian/run/book_launcher_test.cpp.
class BookLauncher {
 public:
  BookLauncher(std::unique_ptr<BlockDevice> device, PricingSettings const& settings);

  // Adds blocks of the option at `worker`'s hand to the next launch: `blocks`, in the order of
  // their numbers within a replicate, and replicate by replicate.
  void add(std::int64_t row, OptionWorker& worker, std::span<Block const> blocks);

  // Runs what was added, and forgets it: a piece for each call of add(), in their order. Blocks.
  // Throws what BlockDevice::run() throws.
  std::vector<BookPiece> run();
  // Forgets what was added.
  void clear();

 private:
  struct NodeShare {  // of a launch
    std::size_t piece;
    int replicate;
    int level;
    std::int64_t index;
  };
  struct Batch {
    BlockLaunch launch;
    std::vector<NodeShare> shares;  // by node
    std::vector<double> moments;
  };
  struct Added {
    std::int64_t row;
    std::int64_t blocks;
    std::int64_t samples;
    int replicates;
    double work;  // samples times steps
  };

  void run(Batch& batch, std::vector<BookPiece>& pieces);

  std::unique_ptr<BlockDevice> device_;
  std::array<Batch, 4> batches_;  // of one lognormal price in each precision, of each model
  std::vector<Added> added_;
};

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the programs of other one-sided libraries share: arguments, and blocks that take turns.
//
// Such a program is two processes. The passive one (rank 0) serves until it is told to end; the
// active one (rank 1) does a number of operations in each block and holds the clock. Numbers of
// operations are found in the warm-up, so that a block takes as long as was asked; then every round
// runs each operation once, every other round backwards. A block is one line of JSON, as in
// bench/runtime/contestant.hpp:
//
//   {"contestant": "put", "round": 3, "seconds": 9.1e-06, "per_second": 109890}

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../runtime/arguments.hpp"
#include "../runtime/clock.hpp"

namespace makespan::bench {

// Puts go to these words in turn, and the last values stand there in the end.
constexpr long words = 4096;
// As many calls are under way at a time, at most, as ours have.
constexpr long calls_under_way = 1024;

class PeerRounds {
 public:
  // Reads --rounds and --block-ms.
  explicit PeerRounds(Arguments const& arguments)
      : rounds_(arguments.integer("rounds")), block_s_(1e-3 * arguments.number("block-ms")) {}

  // `run` does so many operations, and returns when all of them are over.
  void add(std::string const& contestant, std::function<void(long)> run) {
    blocks_.push_back({contestant, std::move(run), 1});
  }

  // Every block of every round; called by the active process.
  void run() {
    for (Block& block : blocks_) find_count(block);
    for (int round = 1; round <= rounds_; ++round) {
      for (std::size_t turn = 0; turn < blocks_.size(); ++turn) {
        Block const& block = blocks_[round % 2 == 0 ? turn : blocks_.size() - 1 - turn];
        double const seconds = seconds_of(block, block.count) / static_cast<double>(block.count);
        std::printf(
            "{\"contestant\": \"%s\", \"round\": %d, \"seconds\": %.9g, \"per_second\": "
            "%.9g}\n",
            block.contestant.c_str(), round, seconds, 1.0 / seconds);
      }
    }
    static_cast<void>(std::fflush(stdout));
  }

 private:
  struct Block {
    std::string contestant;
    std::function<void(long)> run;
    long count;
  };

  static double seconds_of(Block const& block, long count) {
    double const begin_s = now_s();
    block.run(count);
    return now_s() - begin_s;
  }

  // By blocks that grow eight times at most, until one lasts half of what it should.
  void find_count(Block& block) const {
    double seconds = seconds_of(block, block.count);
    while (seconds < block_s_ / 2) {
      double const growth = std::clamp(block_s_ / std::max(seconds, 1e-9), 2.0, 8.0);
      block.count = static_cast<long>(static_cast<double>(block.count) * growth);
      seconds = seconds_of(block, block.count);
    }
    block.count = std::max(1L, static_cast<long>(static_cast<double>(block.count) *
                                                 std::min(1.0, block_s_ / seconds)));
  }

  int rounds_;
  double block_s_;
  std::vector<Block> blocks_{};
};

// What put number `each` puts to word `each % words`.
constexpr long put_value(long each) {
  return each + words;
}

// The passive process's words when all is over. A word that nothing was put to is 0.
inline void check_words(long const* values) {
  for (long word = 0; word < words; ++word) {
    if (values[word] != 0 && values[word] % words != word) {  // see put_value()
      throw std::runtime_error{"word " + std::to_string(word) + " holds " +
                               std::to_string(values[word])};
    }
  }
  if (values[0] == 0) throw std::runtime_error{"nothing was put"};
}

// The exit code of `run`; the text of what it threw goes to the standard error.
template <class Run>
int exit_code_of(Run const& run) {
  try {
    run();
    return EXIT_SUCCESS;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}

}  // namespace makespan::bench

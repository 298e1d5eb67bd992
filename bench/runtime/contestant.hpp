// SPDX-License-Identifier: Apache-2.0
#pragma once
// Contestants of the runtime benches, and how they take turns.
//
// A bench is two images: the passive one (rank 0), whose memory is used, and the active one (rank
// 1), which uses it and holds the clock. Contestants lie in one process and alternate in short
// blocks, so that a slow moment of the machine hits all of them: ratios are taken block by block.
// Each block of each contestant becomes one line of JSON from the active image:
//
//   {"contestant": "ucx.fetch_add", "round": 3, "seconds": 9.1e-06}

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi_session.hpp"

namespace makespan::bench {

// One number of a block, by name: "seconds" of one operation, "per_second", …
struct Figure {
  std::string_view name;
  double value;
};
using Figures = std::vector<Figure>;

// One way to do one thing. Both images call run_block() at the same time: the active one measures
// and returns the figures; the passive one does its part meanwhile, and what it returns is ignored.
struct Contestant {
  std::string name;
  std::function<Figures()> run_block;
};

inline void print_line(std::string const& contestant, int round, Figures const& figures) {
  std::string line = "{\"contestant\": \"" + contestant + "\", \"round\": " + std::to_string(round);
  for (Figure const& figure : figures) {
    char number[32];
    std::snprintf(number, sizeof number, "%.9g", figure.value);
    line += ", \"" + std::string(figure.name) + "\": " + number;
  }
  std::puts((line + "}").c_str());
}

// Round 0 warms up and is not printed. Every other round goes backwards, so that no contestant
// always comes after the same neighbour.
inline void run_interleaved(MpiSession const& session, std::vector<Contestant> const& contestants,
                            int rounds) {
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t turn = 0; turn < contestants.size(); ++turn) {
      auto const& contestant = contestants[round % 2 == 0 ? turn : contestants.size() - 1 - turn];
      session.barrier();
      Figures const figures = contestant.run_block();
      if (session.is_active() && round > 0) print_line(contestant.name, round, figures);
    }
  }
  static_cast<void>(std::fflush(stdout));
}

}  // namespace makespan::bench

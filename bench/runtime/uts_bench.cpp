// SPDX-License-Identifier: Apache-2.0
// Unbalanced tree search: how many nodes a second threads of all images count, and whether they are
// as many as UTS publishes.
//
//   mpiexec -n 2 uts_bench --trees T1,T3 --threads 1,2 --divisions steal,fixed --rounds 5
//
// A line of JSON for each run, from image 0. Round 0 warms up and is not printed.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "arguments.hpp"
#include "makespan/apps/uts/tree.hpp"
#include "makespan/apps/uts/tree_search.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace makespan::bench {
namespace {

uts::Division division_named(std::string const& name) {
  if (name == "steal") return uts::Division::steal;
  if (name == "fixed") return uts::Division::fixed;
  throw std::invalid_argument("--divisions " + name);
}

// False where the counts are not the published ones.
bool run_one(pgas::Runtime& runtime, std::string const& tree, int threads,
             std::string const& division, int round) {
  uts::KnownTree const& known = uts::known_tree(tree);
  uts::SearchResult const found =
      uts::search_all(runtime, uts::Tree(known.settings),
                      {.threads = threads, .division = division_named(division)});
  bool const is_right =
      found.nodes == known.nodes && found.leaves == known.leaves && found.depth == known.depth;
  int const all = threads * runtime.images();
  if (runtime.image() == ImageId{0} && round > 0) {
    double const nodes = static_cast<double>(found.nodes);
    std::printf(R"({"tree": "%s", "division": "%s", "images": %d, "threads": %d, "round": %d, )"
                R"("right": %s, "seconds": %.4g, "nodes_per_second": %.4g, "steals": %lld, )"
                R"("longest_over_mean": %.4g})"
                "\n",
                tree.c_str(), division.c_str(), runtime.images(), threads, round,
                is_right ? "true" : "false", found.time.value(), nodes / found.time.value(),
                static_cast<long long>(found.steals),
                static_cast<double>(found.nodes_longest) * all / nodes);
    std::fflush(stdout);
  }
  return is_right;
}

bool run_rounds(Arguments const& arguments) {
  int most = 1;
  for (std::string const& threads : arguments.texts("threads")) {
    most = std::max(most, std::stoi(threads));
  }
  pgas::Runtime runtime(pgas::RuntimeOptions{.threads = most});
  bool are_right = true;
  for (int round = 0; round <= arguments.integer("rounds"); ++round) {
    for (std::string const& tree : arguments.texts("trees")) {
      for (std::string const& threads : arguments.texts("threads")) {
        for (std::string const& division : arguments.texts("divisions")) {
          are_right = run_one(runtime, tree, std::stoi(threads), division, round) && are_right;
        }
      }
    }
  }
  runtime.finish_all();
  return are_right;
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  return makespan::pgas::run_job([&] {
    return makespan::bench::run_rounds(makespan::bench::Arguments(argc, argv)) ? EXIT_SUCCESS
                                                                               : EXIT_FAILURE;
  });
}

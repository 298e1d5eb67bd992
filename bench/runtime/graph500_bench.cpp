// SPDX-License-Identifier: Apache-2.0
// Kernel 2 of Graph500: how many edges a second breadth-first searches traverse, and whether their
// trees are right.
//
//   mpiexec -n 2 graph500_bench --scale 20 --threads 1 --roots 64
//
// With --direction top-down or bottom-up, all levels are looked for so.
//
// A line of JSON for each root, and one for all of them, from image 0. Fails where a tree is wrong.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "makespan/apps/graph500/breadth_first_search.hpp"
#include "makespan/apps/graph500/distributed_graph.hpp"
#include "makespan/apps/graph500/edge_list.hpp"
#include "makespan/apps/graph500/kronecker.hpp"
#include "makespan/apps/graph500/roots.hpp"
#include "makespan/apps/graph500/teps.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"
#include "makespan/apps/graph500/validate.hpp"
#include "makespan/pgas/job/run_job.hpp"

namespace makespan::bench {
namespace {

graph500::Direction direction_named(std::string const& name) {
  if (name == "switching") return graph500::Direction::switching;
  if (name == "top-down") return graph500::Direction::top_down;
  if (name == "bottom-up") return graph500::Direction::bottom_up;
  throw std::invalid_argument("--direction " + name);
}

// Until all images are through with `work`.
template <class Work>
double seconds_of_all(pgas::Runtime& runtime, Work const& work) {
  runtime.team().barrier_all();
  auto const begin = std::chrono::steady_clock::now();
  work();
  double const own =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return runtime.team().all_reduce_all(pgas::ReduceOp::max, own);
}

void print_root(graph500::Vertex root, graph500::SearchResult const& found,
                graph500::Validation const& validation) {
  std::printf(R"({"root": %u, "valid": %s, "reached": %lld, "levels": %d, "bottom_up": %d, )"
              R"("edges": %lld, "seconds": %.4g, "teps": %.4g})"
              "\n",
              root, validation.is_valid() ? "true" : "false", static_cast<long long>(found.reached),
              found.levels, found.levels_bottom_up, static_cast<long long>(validation.edges),
              found.time.value(), static_cast<double>(validation.edges) / found.time.value());
}

struct Searches {
  std::vector<double> teps{};
  std::int64_t validated{0};
  double generated_s{0.0};
  double constructed_s{0.0};
};

Searches search_roots(graph500::ThreadPool& pool, graph500::KroneckerGraph const& list,
                      Arguments const& arguments) {
  Searches done;
  std::vector<graph500::Edge> edges;
  done.generated_s =
      seconds_of_all(pool.runtime(), [&] { edges = graph500::own_edges(pool, list); });
  std::optional<graph500::DistributedGraph> graph;
  done.constructed_s =
      seconds_of_all(pool.runtime(), [&] { graph.emplace(pool, list.vertices(), edges); });
  graph500::BreadthFirstSearch search(
      pool, *graph, {.direction = direction_named(arguments.text_or("direction", "switching"))});
  for (graph500::Vertex const root :
       choose_roots_all(pool, *graph, arguments.integer("roots"), 1)) {
    graph500::SearchResult const found = search.run_all(root);
    graph500::Validation const validation =
        validate_all(pool, graph->blocks(), edges, search.shared_parents(), root);
    done.validated += validation.is_valid() ? 1 : 0;
    done.teps.push_back(static_cast<double>(validation.edges) / found.time.value());
    if (pool.runtime().image() == ImageId{0}) print_root(root, found, validation);
  }
  search.free_all();
  return done;
}

void print_all(Searches const& done, graph500::ThreadPool const& pool, Arguments const& arguments) {
  graph500::TepsStatistics const all = graph500::teps_statistics(done.teps);
  std::printf(R"({"scale": %d, "images": %d, "threads": %d, "direction": "%s", "roots": %zu, )"
              R"("validated": %lld, "generation_seconds": %.4g, "construction_seconds": %.4g, )"
              R"("harmonic_mean_teps": %.5g, "harmonic_stddev_teps": %.3g, "min_teps": %.4g, )"
              R"("firstquartile_teps": %.4g, "median_teps": %.4g, "thirdquartile_teps": %.4g, )"
              R"("max_teps": %.4g})"
              "\n",
              arguments.integer("scale"), pool.runtime().images(), pool.threads(),
              arguments.text_or("direction", "switching").c_str(), done.teps.size(),
              static_cast<long long>(done.validated), done.generated_s, done.constructed_s,
              all.harmonic_mean, all.harmonic_deviation, all.min, all.first_quartile, all.median,
              all.third_quartile, all.max);
  std::fflush(stdout);
}

// False where a tree is wrong.
bool run_bench(Arguments const& arguments) {
  int const threads = arguments.integer("threads");
  graph500::KroneckerGraph const list({.scale = arguments.integer("scale")});
  pgas::Runtime runtime(pgas::RuntimeOptions{
      .threads = threads, .heap_bytes = graph500::search_heap_bytes(list.vertices())});
  bool are_right = false;
  {
    graph500::ThreadPool pool(runtime, threads);
    Searches const done = search_roots(pool, list, arguments);
    if (runtime.image() == ImageId{0}) print_all(done, pool, arguments);
    are_right = done.validated == std::ssize(done.teps);
  }
  runtime.finish_all();
  return are_right;
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  return makespan::pgas::run_job([&] {
    return makespan::bench::run_bench(makespan::bench::Arguments(argc, argv)) ? EXIT_SUCCESS
                                                                              : EXIT_FAILURE;
  });
}

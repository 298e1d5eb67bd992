// SPDX-License-Identifier: Apache-2.0
// Reductions of all images by one thread, against two threads of each that do them at once: words
// of their own, or a half each of one long array.
//
//   mpiexec -n 2 collective_bench --rounds 9 --words 2000 --arrays 200 --bytes 1048576

#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "contestant.hpp"
#include "ours.hpp"

namespace makespan::bench {
namespace {

using Teams = std::vector<pgas::Team>;

// `work(thread)` in each of `threads` threads; the time until all are done.
template <class Work>
double seconds_of_threads(int threads, Work const& work) {
  double const begin_s = now_s();
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) {
    others.emplace_back([&work, thread] { work(thread); });
  }
  work(0);
  others.clear();
  return now_s() - begin_s;
}

Figures words_block(Teams& teams, int threads, int reductions) {
  double const seconds = seconds_of_threads(threads, [&](int thread) {
    for (int each = 0; each < reductions; ++each) {
      keep(teams[static_cast<std::size_t>(thread)].all_reduce_all(pgas::ReduceOp::sum,
                                                                  std::int64_t{each}));
    }
  });
  return {{"seconds", seconds / reductions}, {"per_second", reductions * threads / seconds}};
}

Figures array_block(Teams& teams, int threads, int reductions, std::size_t bytes) {
  std::vector<double> const values(bytes / sizeof(double), 1.0);
  std::vector<double> sums(values.size());
  double const seconds = seconds_of_threads(threads, [&](int thread) {
    for (int each = 0; each < reductions; ++each) {
      teams[static_cast<std::size_t>(thread)].all_reduce_all(
          pgas::ReduceOp::sum, pgas::share_of(std::span<double const>(values), thread, threads),
          pgas::share_of(std::span(sums), thread, threads));
    }
  });
  double const per_second = reductions / seconds;
  return {{"seconds", seconds / reductions},
          {"per_second", per_second},
          {"bytes_per_second", per_second * static_cast<double>(bytes)}};
}

void measure(MpiSession const& session, Arguments const& arguments) {
  Ours ours(session, {.threads = 2});
  {
    Teams teams = ours.runtime().teams_of_threads_all();
    auto const bytes = std::stoul(arguments.text("bytes"));
    int const words = arguments.integer("words");
    int const arrays = arguments.integer("arrays");
    std::vector<Contestant> contestants;
    for (int const threads : {1, 2}) {
      std::string const suffix = threads == 1 ? ".one_thread" : ".two_threads";
      contestants.push_back(
          {"words" + suffix, [&, threads] { return words_block(teams, threads, words); }});
      contestants.push_back(
          {"array" + suffix, [&, threads] { return array_block(teams, threads, arrays, bytes); }});
    }
    run_interleaved(session, contestants, arguments.integer("rounds"));
    session.barrier();
  }
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  return run_bench(argc, argv, measure);
}

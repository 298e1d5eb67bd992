// SPDX-License-Identifier: Apache-2.0
// An image that computes and never calls us, while another changes its counter.
//
// Image 0 computes; image 1 adds to its counter about 3000 times a second and waits for the old
// value each time. Usage: mpiexec -n 2 passive_bench SECONDS [OPERATIONS_PER_S], with
// MAKESPAN_PROGRESS=manual|nap|event. Prints the latency, and how fast image 0 computed compared to
// when it was left alone. With manual progress the first operation ends when the computation does:
// that is the point.

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "computing.hpp"
#include "json_line.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

namespace {

using makespan::ImageId;
using makespan::bench::Clock;
using makespan::bench::compute_for;
using makespan::bench::JsonLine;
using makespan::bench::pin_process;
using makespan::bench::seconds_since;
using makespan::pgas::Endpoint;
using makespan::pgas::GlobalPtr;
using makespan::pgas::Runtime;

constexpr ImageId target{0};
constexpr ImageId asker{1};

// Latencies [s] of operations that begin `gap` apart, for `seconds`.
std::vector<double> ask(Endpoint& here, GlobalPtr<std::int64_t> counter, double seconds,
                        double gap) {
  std::vector<double> latencies;
  auto const begin = Clock::now();
  while (seconds_since(begin) < seconds) {
    auto const asked = Clock::now();
    fetch_add(here, counter, 1);
    latencies.push_back(seconds_since(asked));
    while (seconds_since(asked) < gap) {
    }
  }
  return latencies;
}

double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void measure(Runtime& runtime, double seconds, double gap) {
  auto const counter = runtime.allocate_all<std::int64_t>(1, "counter");
  Endpoint& here = runtime.endpoint(0);
  bool const computes = runtime.image() == target;
  pin_process(computes ? 1 : 0);  // where there is one core only, both share it
  auto const nothing = [] {};

  double const alone = computes ? compute_for(seconds, nothing) : 0.0;
  runtime.team().barrier_all();
  double const busy = computes ? compute_for(seconds, nothing) : 0.0;
  std::vector<double> latencies;
  // A little less, so that the last operation meets a computing target, too.
  if (runtime.image() == asker) latencies = ask(here, counter.at(target), 0.95 * seconds, gap);
  runtime.team().barrier_all();

  if (computes) {
    JsonLine("passive_compute").number("speed_kept", busy / alone).print();
  } else {
    JsonLine("passive_fetch_add")
        .number("median_s", quantile(latencies, 0.5))
        .number("p99_s", quantile(latencies, 0.99))
        .number("operations", static_cast<double>(latencies.size()))
        .word("progress", std::string(runtime.describe().progress))
        .word("transport", runtime.describe().transport)
        .print();
  }
}

}  // namespace

int main(int argc, char** argv) {
  return makespan::pgas::run_job([&] {
    if (argc < 2) throw std::invalid_argument("usage: passive_bench SECONDS [OPERATIONS_PER_S]");
    double const rate = argc > 2 ? std::stod(argv[2]) : 3000.0;
    Runtime runtime;
    if (runtime.images() != 2) throw std::invalid_argument("passive_bench runs as 2 images");
    measure(runtime, std::stod(argv[1]), 1.0 / rate);
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}

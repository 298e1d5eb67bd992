// SPDX-License-Identifier: Apache-2.0
// Long messages to an image that computes before it looks at the network: what a helper is worth.
//
// The benchmark of M. Luo, J. Jose, S. Sur and D. K. Panda, "Multi-threaded UPC Runtime with
// Network Endpoints" (HiPC 2011), slides "Load Balancing Evaluation for Multi-endpoint Design:
// Helper Thread": senders send messages of 1 MB and wait for the acknowledgement; receivers compute
// for a given time before they poll. Here one pair of images.
//
// Usage: mpiexec -n 2 bandwidth_bench SECONDS BYTES COMPUTE_US…, with
// MAKESPAN_PROGRESS=manual|nap|event. Prints the bandwidth for each length of computation.

#include <cstdint>
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
using makespan::pgas::Runtime;
using makespan::pgas::SymmetricArray;

constexpr ImageId sender{0};
constexpr ImageId receiver{1};

// Puts `message` again and again, each time until it is there [bytes/s].
double send(Endpoint& here, SymmetricArray<std::byte> const& landing,
            std::vector<std::byte> const& message, double seconds) {
  std::int64_t messages = 0;
  auto const begin = Clock::now();
  do {
    here.put(landing.at(receiver), std::span(message));
    here.flush(receiver);
    ++messages;
  } while (seconds_since(begin) < seconds);
  return static_cast<double>(messages) * static_cast<double>(message.size()) / seconds_since(begin);
}

// Computes for `compute_s` and looks at the network once, until `is_over` is set.
void receive(Endpoint& here, std::uint64_t const& is_over, double compute_s) {
  auto const nothing = [] {};
  while (std::atomic_ref(const_cast<std::uint64_t&>(is_over)).load() == 0) {
    if (compute_s > 0.0) compute_for(compute_s, nothing);
    here.progress();
  }
}

void measure(Runtime& runtime, double seconds, std::int64_t bytes, std::vector<double> const& us) {
  auto const landing = runtime.allocate_all<std::byte>(bytes, "landing");
  auto const is_over = runtime.allocate_all<std::uint64_t>(1, "is_over");
  Endpoint& here = runtime.endpoint(0);
  pin_process(runtime.image() == sender ? 0 : 1);
  std::vector<std::byte> const message(static_cast<std::size_t>(bytes), std::byte{1});
  for (double const compute_us : us) {
    runtime.local(is_over)[0] = 0;
    runtime.team().barrier_all();
    if (runtime.image() == sender) {
      double const bandwidth = send(here, landing, message, seconds);
      store(here, is_over.at(receiver), 1);
      here.flush(receiver);
      JsonLine("bandwidth_while_computing")
          .number("compute_us", compute_us)
          .number("bytes_per_s", bandwidth)
          .word("progress", std::string(runtime.describe().progress))
          .word("transport", runtime.describe().transport)
          .print();
    } else {
      receive(here, runtime.local(is_over)[0], compute_us * 1e-6);
    }
    runtime.team().barrier_all();
  }
}

}  // namespace

int main(int argc, char** argv) {
  return makespan::pgas::run_job([&] {
    if (argc < 4) throw std::invalid_argument("usage: bandwidth_bench SECONDS BYTES COMPUTE_US…");
    std::vector<double> us;
    for (int at = 3; at < argc; ++at) us.push_back(std::stod(argv[at]));
    Runtime runtime;
    if (runtime.images() != 2) throw std::invalid_argument("bandwidth_bench runs as 2 images");
    measure(runtime, std::stod(argv[1]), std::stoll(argv[2]), us);
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}

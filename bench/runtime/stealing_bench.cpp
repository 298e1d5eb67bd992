// SPDX-License-Identifier: Apache-2.0
// Matrix products sent to the threads of an image, unevenly: what stealing is worth.
//
// The benchmark of M. Luo, J. Jose, S. Sur and D. K. Panda, "Multi-threaded UPC Runtime with
// Network Endpoints" (HiPC 2011), slide "Load Balancing Evaluation for Multi-endpoint Design: Work
// Stealing": senders send requests for DGEMM to receiving threads; of these a part gets matrices of
// size 2000 - x, as many get 2000 + x, the rest 2000; receivers answer when they are done. There 3,
// 3 and 2 threads of each node, here the first half and the second half of the image's threads.
//
// Image 0 sends, image 1 computes. Usage: mpiexec -n 2 stealing_bench THREADS REQUESTS BASE X…
// (REQUESTS for each thread), with MAKESPAN_STEALING=on or off and OPENBLAS_NUM_THREADS=1. Prints
// the rate of all threads computing at once without any requests, and then the rate for each X.

#include <cstdint>
#include <cstdlib>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "computing.hpp"
#include "json_line.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/runtime.hpp"

extern "C" void dgemm_(char const* transpose_a, char const* transpose_b, int const* m, int const* n,
                       int const* k, double const* alpha, double const* a, int const* lda,
                       double const* b, int const* ldb, double const* beta, double* c,
                       int const* ldc);

namespace {

using makespan::ImageId;
using makespan::bench::Clock;
using makespan::bench::JsonLine;
using makespan::bench::seconds_since;
using makespan::pgas::Endpoint;
using makespan::pgas::Future;
using makespan::pgas::Place;
using makespan::pgas::Runtime;
using makespan::pgas::RuntimeOptions;

constexpr ImageId sender{0};
constexpr ImageId computer{1};

// Square matrices of one thread, as large as it has met.
class Matrices {
 public:
  void multiply(int size) {
    auto const elements = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    if (a_.size() < elements) {
      a_.assign(elements, 0.5);
      b_.assign(elements, 0.25);
      c_.assign(elements, 0.0);
    }
    double const one = 1.0;
    double const zero = 0.0;
    dgemm_("N", "N", &size, &size, &size, &one, a_.data(), &size, b_.data(), &size, &zero,
           c_.data(), &size);
  }

 private:
  std::vector<double> a_;
  std::vector<double> b_;
  std::vector<double> c_;
};

void multiply_here(int size) {
  thread_local Matrices matrices;
  matrices.multiply(size);
}

double flops(int size) {
  return 2.0 * size * size * size;
}

struct Sizes {
  int threads;
  int requests;  // for each thread
  int base;
  std::vector<int> ranges;  // the x

  [[nodiscard]] int of_thread(int thread, int range) const {
    return thread < threads / 2 ? base - range : base + range;
  }
};

Sizes read_sizes(std::vector<std::string> const& words) {
  if (words.size() < 4)
    throw std::invalid_argument("usage: stealing_bench THREADS REQUESTS BASE X…");
  Sizes sizes{std::stoi(words[0]), std::stoi(words[1]), std::stoi(words[2]), {}};
  for (std::size_t at = 3; at < words.size(); ++at) sizes.ranges.push_back(std::stoi(words[at]));
  return sizes;
}

// All threads at once, `times` products each [flop/s].
double peak_rate(int threads, int size, int times) {
  std::latch ready(threads + 1);
  std::vector<std::thread> team;
  for (int thread = 0; thread < threads; ++thread) {
    team.emplace_back([&] {
      multiply_here(size);  // memory and caches
      ready.arrive_and_wait();
      for (int time = 0; time < times; ++time) multiply_here(size);
    });
  }
  ready.arrive_and_wait();
  auto const begin = Clock::now();
  for (std::thread& thread : team) thread.join();
  return threads * times * flops(size) / seconds_since(begin);
}

// The computing image: its threads run what comes until image 0 says that this was all.
void compute(Runtime& runtime, int threads, makespan::pgas::GlobalPtr<std::uint64_t> is_over) {
  std::vector<std::thread> team;
  auto const serve = [&](int thread) {
    Endpoint& here = runtime.endpoint(thread);
    here.wait_until_word(is_over, makespan::pgas::Comparison::equal, 1);
  };
  for (int thread = 1; thread < threads; ++thread) team.emplace_back(serve, thread);
  serve(0);
  for (std::thread& thread : team) thread.join();
}

// Image 0 sends everything and waits for the answers [flop/s].
double send(Endpoint& here, Sizes const& sizes, int range) {
  auto const begin = Clock::now();
  std::vector<Future<void>> answers;
  double work = 0.0;
  for (int request = 0; request < sizes.requests; ++request) {
    for (int thread = 0; thread < sizes.threads; ++thread) {
      int const size = sizes.of_thread(thread, range);
      answers.push_back(here.rpc(Place{computer, thread}, [](int of) { multiply_here(of); }, size));
      work += flops(size);
    }
  }
  for (Future<void> const& answer : answers) answer.get();
  return work / seconds_since(begin);
}

void measure(Runtime& runtime, Sizes const& sizes) {
  auto const is_over = runtime.allocate_all<std::uint64_t>(1, "is_over");
  for (int const range : sizes.ranges) {
    runtime.local(is_over)[0] = 0;
    runtime.team().barrier_all();
    if (runtime.image() == sender) {
      double const rate = send(runtime.endpoint(0), sizes, range);
      makespan::pgas::store(runtime.endpoint(0), is_over.at(computer), 1);
      runtime.endpoint(0).flush(computer);
      JsonLine("dgemm_requests").number("range", range).number("flop_per_s", rate).print();
    } else if (runtime.image() == computer) {
      compute(runtime, sizes.threads, is_over.at(computer));
    }
    runtime.team().barrier_all();
  }
}

}  // namespace

int main(int argc, char** argv) {
  return makespan::pgas::run_job([&] {
    Sizes const sizes = read_sizes({argv + 1, argv + argc});
    RuntimeOptions options;
    options.threads = sizes.threads;
    Runtime runtime(options);
    if (runtime.images() != 2) throw std::invalid_argument("stealing_bench runs as 2 images");
    if (runtime.image() == computer) {
      JsonLine("dgemm_peak")
          .number("flop_per_s", peak_rate(sizes.threads, sizes.base, sizes.requests))
          .print();
    }
    runtime.team().barrier_all();
    measure(runtime, sizes);
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}

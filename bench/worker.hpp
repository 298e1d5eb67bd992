// SPDX-License-Identifier: Apache-2.0
#pragma once
// The worker side of the bench protocol: a process that stays alive and runs what it is told.
//
// The harness holds one worker per contestant and asks them in turn, so that all of them see the
// same minutes of the same noisy machine. One request is one line, `run WORD...`; one reply is one
// line of JSON. The clock of the core is measured on both sides of every run, since virtual
// machines show no hardware counters and the frequency moves while a comparison runs.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace makespan::bench {
// What one run gives back: wall time [s] and discounted price [currency].
struct Sample {
  double seconds;
  double price;
};

using Words = std::vector<std::string>;
using Runner = std::function<Sample(Words const& request)>;

inline double now_s() {
  auto const since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_start).count();
}

// Processor time of this process so far [s], of all its threads.
inline double processor_s() {
  std::timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// One link of the chain is eight additions, each waiting for the one before it: one cycle each on
// every core that we know of. Register operands, because recent cores fold added constants away.
inline void run_add_chain(int links) {
  unsigned long sum = 1;
  unsigned long const step = 3;
  for (int link = 0; link < links; ++link) {
#if defined(__x86_64__)
    asm volatile(
        "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
        "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0"
        : "+r"(sum)
        : "r"(step)
        : "cc");
#elif defined(__aarch64__)
    asm volatile(
        "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
        "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1"
        : "+r"(sum)
        : "r"(step));
#else
#error "bench/worker.hpp: no chain of additions for this instruction set; add one above"
#endif
  }
}

// Present clock of this core [Hz], from a dependent chain of additions of about 0.3 ms.
// The best of three, because an interruption can only make the clock look slower.
inline double measured_clock_hz() {
  constexpr int links = 100'000;
  constexpr double additions = 8.0 * links;
  double best_hz = 0.0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    double const start_s = now_s();
    run_add_chain(links);
    double const elapsed_s = now_s() - start_s;
    best_hz = std::max(best_hz, additions / elapsed_s);
  }
  return best_hz;
}

inline Words split(std::string const& line) {
  std::istringstream stream{line};
  Words words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char const letter : text) {
    if (letter == '"' || letter == '\\') {
      out += '\\';
    }
    out += letter == '\n' ? ' ' : letter;
  }
  return out + '"';
}

// Runs one request and returns the line of JSON that answers it. `waited_seconds` is the wall time
// during which the process did not have the core. Throws what the runner throws.
inline std::string answer(Words const& request, Runner const& run) {
  double const clock_before_hz = measured_clock_hz();
  double const start_s = now_s();
  double const processor_start_s = processor_s();
  Sample const sample = run(request);
  double const processor_time_s = processor_s() - processor_start_s;
  double const waited_s = std::max(0.0, now_s() - start_s - processor_time_s);
  double const clock_after_hz = measured_clock_hz();

  std::ostringstream reply;
  reply.precision(17);
  reply << "{\"seconds\": " << sample.seconds << ", \"price\": " << sample.price
        << ", \"waited_seconds\": " << waited_s << ", \"clock_before_hz\": " << clock_before_hz
        << ", \"clock_after_hz\": " << clock_after_hz << '}';
  return reply.str();
}

// Serves requests until the input ends; a request that fails is answered with its error.
inline void serve(std::istream& requests, std::ostream& replies, Runner const& run) {
  for (std::string line; std::getline(requests, line);) {
    Words words = split(line);
    if (words.empty()) {
      continue;
    }
    try {
      if (words.front() != "run") {
        throw std::invalid_argument{"unknown request '" + words.front() +
                                    "' (a request is one line 'run WORD...')"};
      }
      words.erase(words.begin());
      replies << answer(words, run) << '\n' << std::flush;
    } catch (std::exception const& error) {
      replies << "{\"error\": " << quoted(error.what()) << "}\n" << std::flush;
    }
  }
}
}  // namespace makespan::bench

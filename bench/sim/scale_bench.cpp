// SPDX-License-Identifier: Apache-2.0
// How long a large simulated bag takes, and what memory.
//
//   scale_bench DEVICES TASKS DEVICES_PER_IMAGE POLICY DISPATCHER
//
// Three of four devices have a fortieth of the fourth's speed; 0 devices for each image: all in
// one. Prints a line of JSON.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include "makespan/sim/bag_simulation.hpp"

namespace makespan::bench {
namespace {

sim::BagJob job_of(int devices, std::int64_t tasks, int per_image) {
  sim::BagJob job;
  for (int device = 0; device < devices; ++device) {
    if (device % per_image == 0) job.machine.images.push_back({.node = device / per_image});
    double const speed = device % 4 == 3 ? 40.0 : 1.0;
    job.machine.images.back().devices.push_back({.kind = "cpu", .speed = Speed{speed}});
  }
  for (std::int64_t task = 0; task < tasks; ++task) {
    double const uneven = 0.5 + static_cast<double>(task * 7919 % 1000) / 1000.0;
    job.segments.push_back({TaskId{task}, 1, Work{uneven}});
  }
  return job;
}

int run(char** arguments) {
  int const devices = std::stoi(arguments[1]);
  int const per_image = std::stoi(arguments[3]) == 0 ? devices : std::stoi(arguments[3]);
  sim::BagJob job = job_of(devices, std::stoll(arguments[2]), per_image);
  job.policy = arguments[4];
  job.dispatcher = bag::dispatcher_named(arguments[5]);
  auto const begin = std::chrono::steady_clock::now();
  sim::BagResult const result = sim::simulate(job);
  std::chrono::duration<double> const time = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "{\"seconds\": %.3f, \"peak_mib\": %ld, \"makespan_s\": %.6g, \"over_ideal\": %.5f, "
      "\"claims\": %ld, \"steals\": %ld, \"operations\": %ld, \"messages\": %ld, "
      "\"complete\": %s}\n",
      time.count(), usage.ru_maxrss / 1024, result.makespan.value(), result.makespan / result.ideal,
      static_cast<long>(result.claims), static_cast<long>(result.steals),
      static_cast<long>(result.operations), static_cast<long>(result.messages),
      result.complete ? "true" : "false");
  return result.complete ? 0 : 1;
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: scale_bench DEVICES TASKS DEVICES_PER_IMAGE POLICY DISPATCHER\n");
    return 2;
  }
  try {
    return makespan::bench::run(argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "scale_bench: %s\n", error.what());
    return 2;
  }
}

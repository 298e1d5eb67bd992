// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/affinity.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace makespan::machine {

namespace {

std::vector<int> all_cores() {
  std::vector<int> cores(std::max(1U, std::thread::hardware_concurrency()));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

}  // namespace

#if defined(__linux__)

std::vector<int> allowed_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  // Fails on a machine with more cores than the mask holds (1024).
  // 0 is the calling thread, not the process: threads may be tied to different cores.
  if (sched_getaffinity(0, sizeof(mask), &mask) != 0) return all_cores();
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<unsigned>(core), &mask)) cores.push_back(core);
  }
  return cores.empty() ? all_cores() : cores;
}

namespace {

PinOutcome pin_to(std::span<int const> cores) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int const core : cores) {
    if (core < 0 || core >= CPU_SETSIZE) return PinOutcome::refused;
    CPU_SET(static_cast<unsigned>(core), &mask);
  }
  bool const accepted = pthread_setaffinity_np(pthread_self(), sizeof(mask), &mask) == 0;
  return accepted ? PinOutcome::pinned : PinOutcome::refused;
}

}  // namespace

PinOutcome pin_this_thread(int core) {
  return pin_to(std::span(&core, 1));
}

#else

std::vector<int> allowed_cores() {
  return all_cores();
}

namespace {

PinOutcome pin_to(std::span<int const> /*cores*/) {
  return PinOutcome::refused;
}

}  // namespace

PinOutcome pin_this_thread(int /*core*/) {
  return PinOutcome::refused;
}

#endif

PinScope::PinScope(int core) {
  if (core < 0) return;
  std::vector<int> before = allowed_cores();
  if (pin_this_thread(core) == PinOutcome::pinned) cores_before_ = std::move(before);
}

PinScope::~PinScope() {
  // What was allowed before still is, or the core is gone; then the system has moved the thread.
  if (!cores_before_.empty()) static_cast<void>(pin_to(cores_before_));
}

}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/affinity.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

#include "makespan/machine/detail/core_mask.hpp"

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

namespace {

// The kernel's sets are words, of which a cpu_set_t is 1024 bits.
CoreMask mask_of_this_thread() {
  return mask_from([](std::span<unsigned long> words) {
    // 0 is the calling thread, not the process: threads may be tied to different cores.
    return sched_getaffinity(0, words.size_bytes(), reinterpret_cast<cpu_set_t*>(words.data())) ==
           0;
  });
}

PinOutcome pin_to(CoreMask const& mask) {
  if (mask.empty()) return PinOutcome::refused;
  bool const accepted =
      pthread_setaffinity_np(pthread_self(), std::span(mask).size_bytes(),
                             reinterpret_cast<cpu_set_t const*>(mask.data())) == 0;
  return accepted ? PinOutcome::pinned : PinOutcome::refused;
}

}  // namespace

#else

namespace {

CoreMask mask_of_this_thread() {
  return {};
}

PinOutcome pin_to(CoreMask const& /*mask*/) {
  return PinOutcome::refused;
}

}  // namespace

#endif

std::vector<int> allowed_cores() {
  std::vector<int> cores = cores_in(mask_of_this_thread());
  return cores.empty() ? all_cores() : cores;
}

PinOutcome pin_this_thread(int core) {
  return pin_to(mask_with(core));
}

PinScope::PinScope(int core) {
  if (core < 0) return;
  CoreMask before = mask_of_this_thread();
  // Else it could not be given back.
  if (before.empty()) return;
  if (pin_this_thread(core) == PinOutcome::pinned) mask_before_ = std::move(before);
}

PinScope::~PinScope() {
  // What was allowed before still is, or the core is gone; then the system has moved the thread.
  if (!mask_before_.empty()) static_cast<void>(pin_to(mask_before_));
}

}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A runtime in words, for run records.

#include <cstdint>
#include <string>

namespace makespan::pgas {

// What a run record says of its runtime.
struct RuntimeDescription {
  int images;
  int nodes;
  int threads;
  std::string launcher;   // "MPICH 4.0.2", "none"
  std::string transport;  // "shm", "shm+ucx", …
  std::string design;
  std::string progress;
  std::string stealing;
  std::int64_t heap_bytes;
};

}  // namespace makespan::pgas

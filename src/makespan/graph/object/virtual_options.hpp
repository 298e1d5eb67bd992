// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the time of a virtual world passes.

#include <cstdint>
#include <functional>

namespace makespan::graph {

struct VirtualOptions {
  // The processor's time of the calling thread [ns]: what methods and decisions take is measured by
  // it, less what reading it takes. Null: the wall's time without stops of 30 µs or more, in which
  // another thread had the core; the clock of the processor's time alone would make short methods
  // longer, since to read it is a system call.
  std::function<std::int64_t()> cpu_ns{};
  // Methods, and begin() of a phase, take so many times what is measured, but for what sending
  // takes; above 0: as if objects had more to do each. Decisions do not.
  double program_times{1.0};
  // Of an object's number and the kind of its place: so many times as long a method takes there, on
  // top of that; above 0. Null: kinds differ in speed alone.
  std::function<double(int object, int kind)> kind_times{};
};

}  // namespace makespan::graph

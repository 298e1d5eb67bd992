// SPDX-License-Identifier: Apache-2.0
// Runs the path kernel alone, for benchmarks: what a kernel costs without books, threads and rounds.
#pragma once

#include <cstdint>
#include <string_view>

namespace makespan::asian {

struct KernelProbe {
  double seconds;  // wall time in the kernels, tables included
  double price;    // of the call, so that the run proves what it priced
};

// Prices the arithmetic call S = K = 100, r = 5 %, sigma = 20 %, T = 1, fixings at T i/N, with `paths` paths (pairs, if
// antithetic) on the calling thread. Plain: arithmetic payoffs, with the geometric average computed beside them. Throws
// InputError if the instruction set is not available or philox_rounds is neither 7 nor 10.
KernelProbe kernel_probe(std::string_view isa, int philox_rounds, bool antithetic, bool greeks, int fixings,
                         std::int64_t paths);

}  // namespace makespan::asian

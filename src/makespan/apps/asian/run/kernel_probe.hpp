// SPDX-License-Identifier: Apache-2.0
// Runs the path kernel alone, for benchmarks: what a kernel costs without books, threads and
// rounds.
#pragma once

#include <cstdint>
#include <string_view>

namespace makespan::asian {

struct KernelProbe {
  double seconds;  // wall time in the kernels, tables included
  double price;    // of the call, so that the run proves what it priced
};

struct KernelProbeOptions {
  std::string_view isa;  // a name of kernels.hpp
  int philox_rounds;     // 7 or 10
  bool antithetic;       // with the moments that the fitted controls need; else plain Monte Carlo
  bool greeks;
  int fixings;
  std::int64_t paths;  // pairs, if antithetic
  // The kernel's growth polynomial is as long as these two ask for.
  double volatility{0.2};  // a root-year
  double expiry{1.0};      // years
};

// Prices the arithmetic call S = K = 100, r = 5 %, fixings at T i/N, on the calling thread. Throws
// InputError if the instruction set is not available or philox_rounds is neither 7 nor 10.
KernelProbe kernel_probe(KernelProbeOptions const& options);

}  // namespace makespan::asian

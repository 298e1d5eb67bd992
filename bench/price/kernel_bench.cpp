// SPDX-License-Identifier: Apache-2.0
// Runs the pricing kernel alone, for the harness to compare with other programs' inner loops.
//
// Request: `run ISA PHILOX_ROUNDS plain|antithetic price|greeks FIXINGS PATHS [VOLATILITY EXPIRY]`,
// for example `run avx512 10 plain price 365 131072`. The contract is the probe's own: the
// at-the-money arithmetic call that the peers price as well, at 0.2 a root-year and 1 year unless
// given. Paths count both of an antithetic pair.

#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

#include "../worker.hpp"
#include "makespan/apps/asian/run/kernel_probe.hpp"

namespace {
using makespan::bench::Sample;
using makespan::bench::Words;

// True for the second of two spellings; any third one is an error that names both.
bool is_second(std::string const& word, char const* first, char const* second) {
  if (word != first && word != second) {
    throw std::invalid_argument{"'" + word + "' should be '" + first + "' or '" + second + "'"};
  }
  return word == second;
}

Sample run(Words const& request) {
  if (request.size() != 6 && request.size() != 8) {
    throw std::invalid_argument{
        "a request is 'run ISA PHILOX_ROUNDS plain|antithetic price|greeks FIXINGS PATHS "
        "[VOLATILITY EXPIRY]'"};
  }
  bool const antithetic = is_second(request[2], "plain", "antithetic");
  bool const greeks = is_second(request[3], "price", "greeks");
  std::int64_t const paths = std::stoll(request[5]);

  makespan::asian::KernelProbeOptions options{.isa = request[0],
                                              .philox_rounds = std::stoi(request[1]),
                                              .antithetic = antithetic,
                                              .greeks = greeks,
                                              .fixings = std::stoi(request[4]),
                                              .paths = antithetic ? paths / 2 : paths};
  if (request.size() == 8) {
    options.volatility = std::stod(request[6]);
    options.expiry = std::stod(request[7]);
  }
  auto const probe = makespan::asian::kernel_probe(options);
  return {.seconds = probe.seconds, .price = probe.price};
}
}  // namespace

int main() {
  makespan::bench::serve(std::cin, std::cout, run);
  return 0;
}

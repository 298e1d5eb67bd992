// SPDX-License-Identifier: Apache-2.0
// Failures and slow-downs as users write them.
#include "fuzz/fuzz_target.hpp"
#include "makespan/bag/injection.hpp"

namespace makespan::fuzz::injection_target {
namespace {

void read_injections(std::span<std::byte const> bytes) {
  static_cast<void>(bag::injections_from(text_of(bytes)));
}

std::vector<Bytes> seeds() {
  return {bytes_of("fail:0@5000,kill:1@7"), bytes_of("slow:1@3000:4.5")};
}

FuzzTarget const target("injection", &read_injections, &seeds);

}  // namespace
}  // namespace makespan::fuzz::injection_target

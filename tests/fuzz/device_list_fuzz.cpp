// SPDX-License-Identifier: Apache-2.0
// Devices as users name them.
#include "fuzz/fuzz_target.hpp"
#include "makespan/machine/device_list.hpp"

namespace makespan::fuzz::device_list_target {
namespace {

void read_devices(std::span<std::byte const> bytes) {
  static_cast<void>(machine::devices_from(text_of(bytes)));
}

std::vector<Bytes> seeds() {
  return {bytes_of("cpu"), bytes_of("cpu[cores=0-3+8,isa=avx2,threads=4,mode=mt] cuda:0"),
          bytes_of("cuda"), bytes_of("cpu[cores=0-65536]")};
}

FuzzTarget const target("device_list", &read_devices, &seeds);

}  // namespace
}  // namespace makespan::fuzz::device_list_target

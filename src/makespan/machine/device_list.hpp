// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices as users name them:
//
//   cpu                                  all cores that the process may use, as one device
//   cpu[cores=0-3+8,isa=avx2]            some of them, at one instruction set
//   cpu[cores=0,threads=2,mode=mt]       with so many threads, and a mode of their own
//   cuda:0                               a GPU
//   cuda                                 every GPU
//
// A list has spaces between devices.

#include <string>
#include <string_view>
#include <vector>

namespace makespan::machine {

enum class DeviceKind { cpu, cuda };

// The index of `cuda`, which stands for as many devices as there are GPUs.
inline constexpr int every_gpu = -1;

// One device of a list. What was not said is empty, or 0.
struct DeviceSpec {
  DeviceKind kind{DeviceKind::cpu};
  int index{};               // of a GPU, or every_gpu
  std::vector<int> cores{};  // of a CPU device, rising
  int threads{};
  std::string isa{};
  std::string mode{};
  std::string text{};  // as it was written
};

// Throws InputError that names the device, the part of it that is wrong, and what would be right; a
// core that two devices name, too. Whether cores, instruction sets and modes exist is not looked
// at.
[[nodiscard]] std::vector<DeviceSpec> devices_from(std::string_view text);

}  // namespace makespan::machine

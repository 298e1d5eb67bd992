// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that lies on one NUMA node.

#include <cstddef>
#include <optional>
#include <span>

#include "makespan/machine/machine.hpp"

namespace makespan::machine {

// Gives it back in the end; before the Machine that it came from. Tested by
// tests/machine/node_memory_test.cpp.
class NodeMemory {
 public:
  // `bytes` on the NUMA node at `place` of the machine's topology, on huge pages where the system
  // has some to give. Its pages come into being when they are touched first. Nothing where the
  // system does not let this process say where memory lies (containers often do not), or has no
  // room.
  [[nodiscard]] static std::optional<NodeMemory> on(Machine const& machine, int place,
                                                    std::size_t bytes);

  NodeMemory(NodeMemory&& other) noexcept;
  NodeMemory& operator=(NodeMemory&& other) noexcept;
  ~NodeMemory();

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  NodeMemory(Machine::Handle& handle, std::span<std::byte> bytes)
      : handle_{&handle}, bytes_{bytes} {}

  Machine::Handle* handle_;
  std::span<std::byte> bytes_;
};

}  // namespace makespan::machine

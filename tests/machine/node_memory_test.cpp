// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/node_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::machine {
namespace {

std::optional<Machine> find_this_machine() {
  try {
    return Machine::this_one();
  } catch (NotConfigured const&) {
    return std::nullopt;
  }
}

TEST(NodeMemory, can_be_written_to_and_moved) {
  auto const machine = find_this_machine();
  if (!machine) GTEST_SKIP() << "this build is without hwloc";
  int const node = places_of(machine->topology(), PlaceKind::numa_node).front();
  auto memory = NodeMemory::on(*machine, node, 1 << 20);
  if (!memory) GTEST_SKIP() << "this system does not say where memory lies";

  std::ranges::fill(memory->bytes(), std::byte{1});
  NodeMemory moved = std::move(*memory);
  memory.reset();

  EXPECT_EQ(moved.bytes().size(), std::size_t{1} << 20);
  EXPECT_EQ(moved.bytes().back(), std::byte{1});
}

TEST(NodeMemory, is_of_a_numa_node) {
  auto const machine = find_this_machine();
  if (!machine) GTEST_SKIP() << "this build is without hwloc";

  EXPECT_THROW(static_cast<void>(NodeMemory::on(*machine, 0, 1)), ContractViolated);
}

}  // namespace
}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
// Machines in a build without hwloc: there are none.
#include "makespan/base/error.hpp"
#include "makespan/machine/detail/node_memory.hpp"
#include "makespan/machine/machine.hpp"

namespace makespan::machine {

struct Machine::Handle {};

Machine::Machine(std::unique_ptr<Handle> handle) : handle_{std::move(handle)} {
}
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

Machine Machine::this_one() {
  not_configured("hwloc");
}
Machine Machine::synthetic(std::string const& /*description*/) {
  not_configured("hwloc");
}
Machine Machine::from_xml(std::string const& /*text*/, std::string_view /*source*/) {
  not_configured("hwloc");
}
Machine Machine::from_file(std::filesystem::path const& /*path*/) {
  not_configured("hwloc");
}
bool Machine::is_this_one() const {
  not_configured("hwloc");
}
void Machine::add(CostMatrix const& /*matrix*/) {
  not_configured("hwloc");
}
std::string Machine::xml() const {
  not_configured("hwloc");
}

std::optional<NodeMemory> NodeMemory::on(Machine const& /*machine*/, int /*place*/,
                                         std::size_t /*bytes*/) {
  not_configured("hwloc");
}
NodeMemory::NodeMemory(NodeMemory&& other) noexcept = default;
NodeMemory& NodeMemory::operator=(NodeMemory&& other) noexcept = default;
NodeMemory::~NodeMemory() = default;

}  // namespace makespan::machine

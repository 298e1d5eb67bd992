// SPDX-License-Identifier: Apache-2.0
// Machine files, and what is made of a machine: places of graphs, NUCO factors, the file again.
#include <pthread.h>

#include <cstdlib>
#include <string>

#include "fuzz/fuzz_target.hpp"
#include "makespan/graph/message_matrices.hpp"
#include "makespan/graph/places_of_machine.hpp"
#include "makespan/machine/machine.hpp"

// What hwloc and its plugins leave behind of files that they refuse is not ours to mend, and to
// look for it after each takes ten times as long as the file. Tests look for leaks of ours.
extern "C" int __lsan_is_turned_off();  // NOLINT(bugprone-reserved-identifier)
extern "C" int __lsan_is_turned_off() {
  return 1;
}

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace makespan::fuzz::machine_xml_target {
namespace {

void look_at(machine::Topology const& topology) {
  static_cast<void>(graph::class_costs_of(topology));
  for (int place = 0; place < std::ssize(topology.places); ++place) {
    static_cast<void>(machine::label_of(topology, place));
    static_cast<void>(machine::cpus_within(topology, place));
  }
  for (graph::PlaceGrain const grain :
       {graph::PlaceGrain::core, graph::PlaceGrain::numa_node, graph::PlaceGrain::package}) {
    auto const table =
        graph::places_of_machine(topology, {.grain = grain, .gpus = graph::GpuPlaces::each});
    static_cast<void>(table.to_places());
  }
}

// A reader that tries it in a process of its own may crash there; libFuzzer would keep the input.
void let_copies_die() {
  ::pthread_atfork(nullptr, nullptr, [] {
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(nullptr);
  });
}

void load(std::span<std::byte const> bytes) {
  ::setenv("HWLOC_HIDE_ERRORS", "2", 1);  // it says much of files that it refuses
  // hwloc loads its plugins anew when it has no other machine, which takes most of the time.
  static bool const dies_alone = (let_copies_die(), true);
  static_cast<void>(dies_alone);
  static machine::Machine const other = machine::Machine::synthetic("pu:1");
  machine::Machine const one = machine::Machine::from_xml(std::string(text_of(bytes)), "file");
  look_at(one.topology());
  static_cast<void>(one.xml());
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  for (char const* const text : {"package:2 numa:1 l3:1 core:2 pu:1", "package:1 numa:2 pu:2"}) {
    machine::Machine one = machine::Machine::synthetic(text);
    one.add({.name = std::string(machine::core_latency_name),
             .kind = machine::CostKind::latency,
             .from = {1, 2},
             .to = {1, 2},
             .values = {1e-8, 2e-8, 2e-8, 1e-8}});
    all.push_back(bytes_of(one.xml()));
  }
  return all;
}

FuzzTarget const target("machine_xml", &load, &seeds);

}  // namespace
}  // namespace makespan::fuzz::machine_xml_target

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The places of a graph that a machine has, and what was measured between them.

#include <string_view>

#include "makespan/graph/place_table.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::graph {

// What is one place.
enum class PlaceGrain { core, numa_node, package };

// "core", "numa", "package".
[[nodiscard]] std::string_view name_of(PlaceGrain grain);
// Throws InputError, which names the nearest.
[[nodiscard]] PlaceGrain place_grain_named(std::string_view name);

enum class GpuPlaces { none, each };

struct MachinePlaceOptions {
  PlaceGrain grain{PlaceGrain::core};
  GpuPlaces gpus{GpuPlaces::none};
};

// One place for each core (PU, where the machine knows no cores), for the cores near each NUMA
// node, or for each package; then, if asked, one of kind 1 for each GPU. Speeds are 1; of several
// cores together that of the place with most of them, and of others in proportion.
//
// Domains of cores are the deepest of packages, NUMA nodes, L3, L2 and cores that parts places
// without parting all of them from each other (thread_places.hpp), with those above as groups; of
// others what NUMA nodes hang on (see machine::local_memory), or packages that hold several of
// those; and GPUs. Costs between them are medians over what was measured between their cores:
//
//   latency    message_latency; what it lacks by core_latency, then by memory_latency, then by the
//              system's NUMALatency (10 is local, taken for local_latency_s_assumed), then what is
//              assumed. What fills in is scaled to agree, in the median, with what is known: NUCO
//              factors are kept.
//   receiver   message_receive; what it lacks within domains is assumed, between them that times
//              the factor of latencies.
//   bandwidth  message_bandwidth; what it lacks by memory_copy_bandwidth of the receiver's cores
//              from the sender's memory, over the places that share it, and over 2, since a message
//              is read and written.
//   of GPUs    gpu_latency, gpu_upload_bandwidth, gpu_download_bandwidth; between GPUs by way of
//              the host that is best for it.
//
// Throws InputError if it has no place of that grain. Tested by
// tests/graph/places_of_machine_test.cpp.
[[nodiscard]] PlaceTable places_of_machine(machine::Topology const& topology,
                                           MachinePlaceOptions const& options);

}  // namespace makespan::graph

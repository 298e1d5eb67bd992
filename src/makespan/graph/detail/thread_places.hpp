// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the threads of a job run, and which of them are equally near to all others.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/graph/model/places.hpp"
#include "makespan/machine/topology.hpp"

namespace makespan::graph {

// What threads of a host can have in common, the widest first.
enum class ThreadLevel : std::int8_t { package, numa_node, l3, l2, core };
inline constexpr std::size_t thread_levels = 5;

// "package", "NUMA node", "L3", "L2", "core".
[[nodiscard]] std::string_view name_of(ThreadLevel level);

// One thread. Plain data: images send it to each other.
struct ThreadPlace {
  std::int32_t host{};
  std::int32_t image{};
  // By level the number, in the host's tree, of what all CPUs of the thread are within; -1: none.
  std::array<std::int32_t, thread_levels> within{-1, -1, -1, -1, -1};
  // The same for threads whose cores are alike, on other hosts, too: a hash of their processor's
  // model and of their kinds among its kinds of cores; 0: not known.
  std::uint32_t core_kind{0};

  friend bool operator==(ThreadPlace const&, ThreadPlace const&) = default;
};

// Of a thread that may run on `cpus`, the system's numbers. Of host and image 0. Throws InputError
// if the machine has no such CPU. Tested by tests/graph/thread_places_test.cpp, as the functions
// below.
[[nodiscard]] ThreadPlace thread_place_of(machine::Topology const& topology,
                                          std::span<int const> cpus);

// Of as many threads of each image, image by image, as images have sent them. Throws BadMessage for
// one that says it is of another image.
void expect_of_images(std::span<ThreadPlace const> threads, int images);

// Threads as places of a graph.
struct ThreadDomains {
  std::vector<int> domain{};          // by thread
  std::vector<Domain> domains{};      // nodes are hosts, numbered as they come
  std::vector<ThreadLevel> levels{};  // what Domain::groups are
};

// By thread, the number of its kind of core among those that there are, as they come.
[[nodiscard]] std::vector<int> core_kinds_of(std::span<ThreadPlace const> threads);

// A domain is the threads of an image that have in common all that any two threads of the job have.
// Levels that part no threads, or all of them from each other, are left out.
[[nodiscard]] ThreadDomains domains_of(std::span<ThreadPlace const> threads);

}  // namespace makespan::graph

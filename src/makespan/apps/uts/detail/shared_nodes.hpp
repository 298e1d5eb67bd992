// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nodes that a thread has and others may take, of its image or another one, by one-sided operations
// alone.
//
// A ring in the symmetric heap, beside two words. The first says how many nodes have been put and
// how many claimed, modulo 2^32 each, in one word, so that a claim is one compare-and-swap, and no
// node is claimed twice; claimants copy theirs afterwards, and add to the second word how many they
// have copied, so that the owner knows which places of the ring are free. (The idea of one word for
// both ends is that of B. Cartier, J. Dinan and D. Larkins, "Optimizing Work Stealing Communication
// with Structured Atomic Operations", ICPP 2021, https://doi.org/10.1145/3472456.3472522.)

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/uts/tree.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::uts {

// The rings of all threads of all images.
struct NodeRings {
  // Collective. `capacity` nodes in each.
  NodeRings(pgas::Runtime& runtime, int threads, std::int64_t capacity);

  std::int64_t capacity;
  pgas::SymmetricArray<std::uint64_t> words{};
  pgas::SymmetricArray<Node> nodes{};

  // Collective.
  void free_all(pgas::Runtime& runtime) const;
};

// One thread's way to all rings. Tested by tests/apps/uts/shared_nodes_test.cpp.
class SharedNodes {
 public:
  // For the endpoint's thread. `rings` outlives it.
  SharedNodes(pgas::Endpoint& here, NodeRings const& rings);

  // How many nodes a thread's ring has for others; one round trip to another image.
  [[nodiscard]] std::int64_t available(pgas::EndpointAddress const& at) const;
  // Puts nodes into this thread's own ring. False, and nothing is put, where it has no room.
  [[nodiscard]] bool offer(std::span<Node const> nodes);
  // Appends nodes of a thread's ring to `to`: half of them, rounded up, and `most` at most. How
  // many; 0 where there are none, or others were faster. Blocks until they are here.
  int take(pgas::EndpointAddress const& from, int most, std::vector<Node>& to);

 private:
  [[nodiscard]] std::int64_t first_word(int thread) const;
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> claims(pgas::EndpointAddress const& at) const;
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> copies(pgas::EndpointAddress const& at) const;
  template <class Use>
  void each_run(std::uint32_t first, std::uint32_t count, Use const& use) const;
  [[nodiscard]] pgas::GlobalPtr<Node> node_at(pgas::EndpointAddress const& at,
                                              std::uint32_t number) const;

  pgas::Endpoint& here_;
  NodeRings const& rings_;
  std::uint32_t free_until_{0};  // places of nodes before this number are free again
};

}  // namespace makespan::uts

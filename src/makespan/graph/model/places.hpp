// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where objects can be: what computes in a machine, how fast, and what it costs to send from one to
// another.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/graph/model/graph.hpp"

namespace makespan::graph {

// Something that runs objects: a core, some cores, a GPU.
struct Place {
  int kind{0};       // which of an object's loads counts here
  Speed speed{1.0};  // work per second
  int domain{0};     // see Domain

  friend bool operator==(Place const&, Place const&) = default;
};

// Places that are equally near to all others: the cores of a NUMA node, a GPU.
struct Domain {
  int node{0};  // the host that it is part of: 0 to the number of domains - 1
  // What of its node it is part of, the widest first: a package, a NUMA node, a cache. As many
  // numbers in all domains; domains with the same number at one level have the same at all wider
  // ones.
  std::vector<int> groups{};

  friend bool operator==(Domain const&, Domain const&) = default;
};

// Between two places of these domains; shape (domains, domains), the sender's first. On the
// diagonal what it costs within a domain. From a place to itself all is free.
struct DomainCosts {
  std::vector<double> latency_s{};          // of a message, from its sender to its receiver
  std::vector<double> bandwidth_bytes_s{};  // infinite is free
  // What a message takes of its receiver's time, with many under way (the overhead of LogP: Culler
  // et al., PPoPP 1993, https://doi.org/10.1145/155332.155333). Empty: its latency, as in the model
  // of Pilla et al.
  std::vector<double> receive_s{};

  friend bool operator==(DomainCosts const&, DomainCosts const&) = default;
};

// What holds objects: the memory of an image, of a host, of a GPU; and how much there is of it.
struct PlaceMemories {
  std::vector<int> of{};              // by place: a memory, from 0
  std::vector<double> limit_bytes{};  // by memory; infinite: no limit
  std::vector<double> used_bytes{};   // by memory: by what are no objects; empty: 0

  friend bool operator==(PlaceMemories const&, PlaceMemories const&) = default;
};

// Immutable. Tested by tests/graph/model/places_test.cpp.
class Places {
 public:
  // Throws InputError that names the place or domain: no place, a speed that is not positive, a
  // kind, domain or node that is not there, costs of the wrong shape, negative or no number.
  Places(std::vector<Place> places, std::vector<Domain> domains, DomainCosts costs);

  [[nodiscard]] int count() const { return static_cast<int>(places_.size()); }
  [[nodiscard]] int domains() const { return static_cast<int>(machine_->domains.size()); }
  [[nodiscard]] std::span<Place const> all() const { return places_; }
  [[nodiscard]] Place const& operator[](int place) const {
    return places_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] int node(int domain) const {
    return machine_->domains[static_cast<std::size_t>(domain)].node;
  }
  // Levels of groups below nodes.
  [[nodiscard]] int levels() const {
    return static_cast<int>(machine_->domains.front().groups.size());
  }
  // The group of a domain at level 0, the widest, to levels() - 1.
  [[nodiscard]] int group(int level, int domain) const {
    return machine_->domains[static_cast<std::size_t>(domain)]
        .groups[static_cast<std::size_t>(level)];
  }
  // Numbers of the places of a domain, rising.
  [[nodiscard]] std::span<int const> in(int domain) const {
    auto const at = static_cast<std::size_t>(domain);
    return {members_.data() + begin_[at], members_.data() + begin_[at + 1]};
  }

  // From a place of one domain to one of another: until a message is there, and what it takes of
  // its receiver's time.
  [[nodiscard]] double latency_s(int from, int to) const {
    return machine_->latency_s[cell(from, to)];
  }
  [[nodiscard]] double receive_s(int from, int to) const {
    return machine_->receive_s[cell(from, to)];
  }
  [[nodiscard]] double seconds_per_byte(int from, int to) const {
    return machine_->seconds_per_byte[cell(from, to)];
  }
  [[nodiscard]] double bandwidth_bytes_s(int from, int to) const {
    return machine_->bandwidth_bytes_s[cell(from, to)];
  }
  // Messages and bytes one after the other.
  [[nodiscard]] double message_s(int from, int to, Traffic const& traffic) const {
    std::size_t const at = cell(from, to);
    return static_cast<double>(traffic.messages) * machine_->receive_s[at] +
           traffic.bytes * machine_->seconds_per_byte[at];
  }
  // Of a byte, what it takes of its receiver: nothing from another node, where the link between
  // nodes is busy with it, and not the place.
  [[nodiscard]] double copied_s_per_byte(int from, int to) const {
    return is_linked(from, to) ? 0.0 : seconds_per_byte(from, to);
  }
  // Whether messages go over the link of a node, which its places share.
  [[nodiscard]] bool is_linked(int from, int to) const { return node(from) != node(to); }
  // Whether an object that goes from one domain to another changes for how long links are busy: to
  // another node it does, and within a node whose domains have unequal bandwidths to the others.
  [[nodiscard]] bool changes_links(int from, int to) const {
    if (is_linked(from, to)) return true;
    return from != to && !machine_->has_even_links[static_cast<std::size_t>(node(from))];
  }
  // Nodes that have domains are numbered below this.
  [[nodiscard]] int nodes() const { return machine_->nodes; }
  // Latency over that within the receiver's own domain (Pilla et al., ICPP 2012).
  [[nodiscard]] double nuco_factor(int from, int to) const;

  // The same places at other speeds, one for each, all positive. O(places): what is known of
  // domains is shared.
  [[nodiscard]] Places with_speeds(std::span<double const> speeds) const;
  // The same places, whose objects may take no more than what their memories have. Throws
  // InputError that names the place or memory: columns of other lengths, a memory that is not
  // there, bytes that are negative or no number.
  [[nodiscard]] Places with_memories(PlaceMemories memories) const;
  [[nodiscard]] bool has_memory_limits() const { return memories_ != nullptr; }
  // Only where there are limits.
  [[nodiscard]] PlaceMemories const& memories() const { return *memories_; }
  [[nodiscard]] int memory_of(int place) const {
    return memories_->of[static_cast<std::size_t>(place)];
  }
  // Some of them, numbered in the order of `members`, with the domains that these are in, numbered
  // by their first member, on nodes numbered likewise; without memories, which places that are left
  // out may share. O(members + their domains²).
  [[nodiscard]] Places subset(std::span<int const> members) const;

  // The time that an object takes on a place.
  [[nodiscard]] Seconds time_of(Graph const& graph, int object, int place) const {
    Place const& here = (*this)[place];
    return graph.work(object, here.kind) / here.speed;
  }
  // Of all places.
  [[nodiscard]] Speed speed_sum() const { return speed_sum_; }

 private:
  // What is the same whatever the speeds.
  struct Machine {
    std::vector<Domain> domains{};
    // By cell.
    std::vector<double> latency_s{};
    std::vector<double> receive_s{};
    std::vector<double> seconds_per_byte{};
    std::vector<double> bandwidth_bytes_s{};
    int nodes{0};
    // By node: whether all its domains have the same bandwidths from and to those of other nodes.
    std::vector<bool> has_even_links{};
  };

  [[nodiscard]] std::size_t cell(int from, int to) const {
    return static_cast<std::size_t>(from) * machine_->domains.size() + static_cast<std::size_t>(to);
  }
  [[nodiscard]] std::vector<bool> nodes_with_even_links() const;

  std::vector<Place> places_;
  std::shared_ptr<Machine const> machine_;
  std::shared_ptr<PlaceMemories const> memories_{};  // null: no limits
  std::vector<int> members_;
  std::vector<std::size_t> begin_;
  Speed speed_sum_{};
};

// Throws InputError that names the object whose place is not one of these, or whose work is not
// known for the kind of a place.
void expect_fits(Graph const& graph, Places const& places);

}  // namespace makespan::graph

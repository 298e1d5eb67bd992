// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adds up what the objects of one place take, and to whom they send, in a phase.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/rebalance/object_loads.hpp"

namespace makespan::graph {

// Tested by tests/graph/rebalance/load_book_test.cpp.
class LoadBook {
 public:
  explicit LoadBook(int objects);

  // Where an object's time is added up [s].
  [[nodiscard]] double& cpu_s(int object) { return cpu_s_[static_cast<std::size_t>(object)]; }
  // All that was ever added up [s].
  [[nodiscard]] double whole_cpu_s(int object) const {
    return cpu_s_[static_cast<std::size_t>(object)] + cleared_s_[static_cast<std::size_t>(object)];
  }

  // In constant time, however many receivers there are.
  void note_message(int from, int to, double bytes) {
    Edges& edges = edges_of(from);
    std::size_t at = edges.next;
    if (at >= edges.all.size() || edges.all[at].to != to) at = edges.at_of(to);
    ++edges.all[at].messages;
    edges.all[at].bytes += bytes;
    edges.next = at + 1 < edges.all.size() ? at + 1 : 0;
  }

  // What `object` sent since the last clear().
  [[nodiscard]] std::vector<ObjectTraffic> traffic_of(int object) const;

  // Times and traffic are 0 again.
  void clear();

 private:
  struct Edge {
    std::int32_t to;
    std::int32_t messages;
    double bytes;
  };
  class Edges {
   public:
    std::vector<Edge> all{};
    std::size_t next{0};  // where the next message probably belongs: they come as last time

    // Which of `all` goes to that receiver; a new one if none does.
    [[nodiscard]] std::size_t at_of(std::int32_t to);
    // Counts are 0 again. Receivers stay, since objects say much the same from phase to phase, but
    // those that were sent nothing.
    void clear();

   private:
    void put(std::int32_t to, std::size_t at);
    void index();

    // By a hash of the receiver with linear probing, 1 + its place in `all`; 0: free. Empty while
    // there are few receivers, which are looked through.
    std::vector<std::uint32_t> slots_{};
  };

  [[nodiscard]] Edges& edges_of(int object) {
    std::int32_t const at = edges_of_[static_cast<std::size_t>(object)];
    return at >= 0 ? sent_[static_cast<std::size_t>(at)] : new_edges_of(object);
  }
  Edges& new_edges_of(int object);

  std::vector<double> cpu_s_;
  std::vector<double> cleared_s_;
  // Of those that sent in this phase or the one before, which is whose; -1: an object's that is
  // none.
  std::vector<Edges> sent_{};
  std::vector<std::int32_t> senders_{};
  std::vector<std::int32_t> edges_of_;  // by object
};

}  // namespace makespan::graph

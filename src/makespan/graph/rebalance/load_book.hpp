// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adds up what the objects of one place take, and to whom they send, in a phase.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "makespan/base/number_map.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"

namespace makespan::graph {

// An object that has done nothing here takes no memory; one that has, some 50 bytes, for good,
// since whole_cpu_s() is asked for in the end. Tested by tests/graph/rebalance/load_book_test.cpp.
class LoadBook {
 public:
  LoadBook() = default;
  LoadBook(LoadBook const&) = delete;
  LoadBook& operator=(LoadBook const&) = delete;

  // What was added up for an object since the last clear(), with what it has brought [s]; 0 for one
  // that did nothing.
  [[nodiscard]] double cpu_s(int object) const {
    std::int32_t const* const at = entries_of_.find(object);
    if (at == nullptr) return 0.0;
    Entry const& entry = entries_[static_cast<std::size_t>(*at)];
    return entry.cpu_s + entry.brought_s;
  }
  // All that was ever added up here [s].
  [[nodiscard]] double whole_cpu_s(int object) const {
    std::int32_t const* const at = entries_of_.find(object);
    if (at == nullptr) return 0.0;
    Entry const& entry = entries_[static_cast<std::size_t>(*at)];
    return entry.cpu_s + entry.cleared_s;
  }

  // Where an object's time is added up [s]. The reference holds as long as the book.
  [[nodiscard]] double& time_of(int object) {
    if (likely_ == entries_.end() || likely_->object != object) look_up(object);
    return (likely_++)->cpu_s;
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

  // What `object` sent since the last clear(), here and where it was before.
  [[nodiscard]] std::vector<ObjectTraffic> traffic_of(int object) const;

  // Of one that leaves: what cpu_s() and traffic_of() say, which is nothing from then on.
  [[nodiscard]] ObjectLoads take(int object, std::uint32_t moves);
  // Of one that has come: what it has brought, as take() said of it elsewhere.
  void add(ObjectLoads const& brought);

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
    void index();

    // By receiver, which of `all`. Empty while there are few receivers, which are looked through.
    NumberMap<std::int32_t> at_{};
  };

  struct Entry {
    double cpu_s{0.0};
    double cleared_s{0.0};
    double brought_s{0.0};  // since the last clear(): what it took elsewhere
    std::int32_t object{};
    std::int32_t sent{-1};  // which of sent_ is its; -1: none
  };

  // Makes `likely_` the entry of the object, a new one if it has none.
  void look_up(int object);
  [[nodiscard]] Edges& edges_of(int object) {
    return object == last_sender_ ? sent_[last_sent_] : found_edges_of(object);
  }
  Edges& found_edges_of(int object);

  NumberMap<std::int32_t> entries_of_{};  // by object
  std::deque<Entry> entries_{};           // of each that did something here, and stays where it is
  // What probably comes next: objects are in the same order from phase to phase, and one that sends
  // sends to several.
  std::deque<Entry>::iterator likely_{entries_.end()};
  std::int32_t last_sender_{-1};
  std::size_t last_sent_{0};
  // Of those that sent in this phase or the one before.
  std::vector<Edges> sent_{};
  std::vector<Entry*> senders_{};
};

}  // namespace makespan::graph

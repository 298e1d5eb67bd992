// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the leader of a group of places does with their objects.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/base/number_map.hpp"
#include "makespan/graph/balancer/detail/place_groups.hpp"
#include "makespan/graph/balancer/place_decision.hpp"
#include "makespan/graph/model/graph.hpp"

namespace makespan::graph {

// Pure. Tested by tests/graph/balancer/group_leader_test.cpp.
class GroupLeader {
 public:
  // Of `group`. Keeps a reference to all places and to the groups.
  GroupLeader(Places const& all, PlaceGroups const& groups, int group, double noise);

  // What a place of the group has. After the last, the next three may be called.
  void add(KnownObjects const& objects);

  // Work, at the speeds of the places where it is, and the sum of their speeds.
  [[nodiscard]] double work() const;
  [[nodiscard]] double speed() const;

  // Takes objects of about so much work out of the group, for `to`, those first of which little is
  // said within the group, or much to the other one.
  [[nodiscard]] KnownObjects give(int to, double work);

  // Objects of another group come.
  void receive(KnownObjects const& objects) { received_.append(objects); }
  // A place of the group for each of its objects, and of those that have come: `to`. By `makespan`.
  // `now_s` and `new_s` are the predicted phases of this group alone, as it is and then.
  void decide();
  // Those that move, or were given to this group.
  [[nodiscard]] std::vector<KnownObject> const& moved() const { return moved_; }
  [[nodiscard]] double now_s() const { return now_s_; }
  [[nodiscard]] double new_s() const { return new_s_; }

 private:
  struct GroupGraph {
    Graph graph;
    std::vector<KnownObject> objects;   // by vertex
    NumberMap<std::int32_t> vertex_of;  // by object
  };
  [[nodiscard]] double work_of(KnownObjects const& known, std::size_t at) const;
  [[nodiscard]] GroupGraph graph_of(KnownObjects const& known,
                                    std::span<std::int32_t const> first) const;
  [[nodiscard]] GroupGraph const& own_graph();
  void place(GroupGraph const& all);
  [[nodiscard]] std::vector<std::int32_t> first_places() const;
  [[nodiscard]] std::vector<double> gains_of(GroupGraph const& own, int to) const;
  [[nodiscard]] KnownObjects taken_out(std::vector<std::uint8_t> const& goes) const;

  Places const& all_;
  PlaceGroups const& groups_;
  int group_;
  double noise_;
  Places here_;                          // of the group, by member
  NumberMap<std::int32_t> member_of_{};  // by place
  KnownObjects own_{};
  std::optional<GroupGraph> own_graph_{};
  std::vector<std::uint8_t> is_given_{};  // by vertex of own_graph_
  KnownObjects received_{};
  std::vector<KnownObject> moved_{};
  double now_s_{0.0};
  double new_s_{0.0};
};

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ours: makes the predicted phase short, with as few moves as that takes.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// What is made small is the time of the place, or link between nodes, that ends last: computing at
// the place's speed, what messages from other places take of it (phase_time.hpp), and the way of
// objects that have just come, spread over `phases` phases (phase_state.hpp). Begins from several
// mappings, improves each (sweep.hpp, worst_first.hpp), and takes the best:
//
// - where objects are: few moves;
// - the greedy one (greedy.hpp), where objects take other times on other kinds of places;
// - groups of objects that talk (clusters.hpp), divided among the places by recursive bisection,
//   nodes first and domains next: little to say from place to place. Where receiving messages, or
//   the busiest link, takes more than a tenth of the time.
//
// On graphs of at most 100 objects each is searched on for some milliseconds (detail/kicks.hpp).
// One of the later ones, which move more, is taken only if it is better by the part `worth`.
//
// Where loads are known but for some noise, the search ends when places are as even as can be told,
// and what moves nearly all must be better than few moves by what noise explains. And map_again()
// does not divide at each look: after one in vain it leaves out the next, after two in a row two,
// then four, and eight at most; unless what messages take has grown by a quarter
// (docs/decisions/0158).
//
// O((objects + edges) log places), about half a microsecond for an object of large graphs; up to
// ten where objects are few for their places or talk much.
//
// Tested by tests/graph/balancer/makespan_balancer_test.cpp, and against the others by
// bench/graph.
class MakespanBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "makespan";
  static constexpr std::string_view summary =
      "the shortest predicted phase: computing at each place's speed, messages at measured "
      "latency and bandwidth, and the way of moved objects; few moves";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit MakespanBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
  [[nodiscard]] Mapping map_again(Graph const& graph, Places const& places,
                                  PastLooks& past) const override;

 private:
  double phases_;
  double worth_;
};

}  // namespace makespan::graph

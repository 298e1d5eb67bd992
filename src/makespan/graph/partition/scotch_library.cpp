// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/scotch_library.hpp"

#include <scotch.h>
#include <stdio.h>  // scotch.h names FILE and brings no header that does

#include <stdexcept>
#include <string>
#include <type_traits>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

static_assert(std::is_same_v<SCOTCH_Num, std::int32_t>, "Scotch of 32 bits, as Debian's");

namespace {

void check(int outcome, char const* call) {
  if (outcome != 0) throw std::runtime_error(std::string("Scotch: ") + call + " failed");
}

// Scotch reads its arrays through pointers to what is not const.
SCOTCH_Num* scotch_pointer(std::vector<std::int32_t> const& column) {
  return const_cast<SCOTCH_Num*>(column.data());
}

// A thing of Scotch, from init to exit.
template <class Thing, int (*init)(Thing*), void (*exit_of)(Thing*)>
class Owned {
 public:
  Owned() { check(init(&thing_), "init"); }
  ~Owned() { exit_of(&thing_); }
  Owned(Owned const&) = delete;
  Owned& operator=(Owned const&) = delete;
  Thing* get() { return &thing_; }

 private:
  Thing thing_;
};

using OwnedContext = Owned<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit>;
using OwnedGraph = Owned<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using OwnedArch = Owned<SCOTCH_Arch, SCOTCH_archInit, SCOTCH_archExit>;
using OwnedStrategy = Owned<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;

}  // namespace

bool has_scotch() {
  return true;
}

void scotch_map(ScotchTask const& task, std::span<std::int32_t> place) {
  MAKESPAN_EXPECT(std::ssize(place) == task.graph.vertices());
  OwnedContext context;
  // A context of its own, with one thread: without one Scotch draws from a sequence that all calls
  // of a process share (docs/decisions/0057).
  check(SCOTCH_contextThreadSpawn(context.get(), 1, nullptr), "contextThreadSpawn");
  check(SCOTCH_contextRandomClone(context.get()), "contextRandomClone");
  SCOTCH_contextRandomSeed(context.get(), task.seed);
  SCOTCH_contextRandomReset(context.get());
  check(SCOTCH_contextOptionSetNum(context.get(), SCOTCH_OPTIONNUMDETERMINISTIC, 1),
        "contextOptionSetNum");

  PartitionerInput const& input = task.graph;
  OwnedGraph graph;
  // A vertex's edges end where those of the next one begin.
  check(SCOTCH_graphBuild(graph.get(), 0, input.vertices(), scotch_pointer(input.begin),
                          scotch_pointer(input.begin) + 1, scotch_pointer(input.vertex_weight),
                          nullptr, static_cast<SCOTCH_Num>(input.other.size()),
                          scotch_pointer(input.other), scotch_pointer(input.edge_weight)),
        "graphBuild");
  OwnedGraph bound;
  check(SCOTCH_contextBindGraph(context.get(), graph.get(), bound.get()), "contextBindGraph");

  auto const places = static_cast<SCOTCH_Num>(task.shares.size());
  OwnedArch arch;
  check(SCOTCH_archCmpltw(arch.get(), places, task.shares.data()), "archCmpltw");
  OwnedStrategy strategy;
  check(SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATDEFAULT, places, task.imbalance),
        "stratGraphMapBuild");
  check(SCOTCH_graphMapFixed(bound.get(), arch.get(), strategy.get(), place.data()),
        "graphMapFixed");
}

}  // namespace makespan::graph

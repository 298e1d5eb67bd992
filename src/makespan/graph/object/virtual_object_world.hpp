// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program of objects on a machine that need not exist, in virtual time: the objects, the protocol
// of places and coordinator, load models and balancers are those of object_world.hpp.
//
//   VirtualObjectWorld world(numa48, {.balance = {.balancer = "nuco"}});
//   auto const counters = world.add<Counter>("counters", 100);
//   world.run_all({.create = …, .begin = …, .phases = 20});

#include <span>

#include "makespan/graph/model/places.hpp"
#include "makespan/graph/object/object_host.hpp"
#include "makespan/graph/object/virtual_options.hpp"
#include "makespan/graph/object/world_options.hpp"

namespace makespan::graph {

// What is virtual:
//
// - A method of an object, the program's begin() of a phase, and all that the coordinator does take
//   their measured processor time, over the speed of the place; 1 is the processor that this runs
//   on. Where places are of several kinds a method takes VirtualOptions::kind_times times as long.
//   They run one after the other, in the calling thread: what their data do to caches is what
//   they do here, on one core, with a stack of 1 MiB for each place. What a method sends leaves
//   when it has come so far.
// - A message to a place of the same node is there after the latency between the two, and takes its
//   receiver Places::receive_s and its bytes over the bandwidth. Messages to another node are
//   gathered and sent together, as the runtime does it; the bytes go over both nodes' links, of
//   which each carries one batch at a time and in each direction, and then the latency passes.
// - Threads of a node are an image where nodes have equally many places in a row, else each place
//   is one.
//
// The rebalancer is told the machine's costs, as a measured one's; loads and speeds it learns, from
// virtual clocks. Nothing is lost. Not for several threads at a time. Tested by
// tests/graph/object/virtual_object_world_test.cpp.
class VirtualObjectWorld final : public ObjectHost {
 public:
  // `options.threads` and `options.machine` say nothing here.
  // Throws InputError on options that are invalid.
  VirtualObjectWorld(Places machine, WorldOptions options, VirtualOptions virtual_options = {});

  // Blocks. Throws what the program threw, and ObjectRunFailed if nothing happens any more before
  // all phases are over.
  void run_all(ObjectProgram const& program) override;

  [[nodiscard]] int places() const override { return machine_.count(); }
  [[nodiscard]] MachineFacts const& machine() const override { return facts_; }

  // There is one image.
  void sum_all(std::span<std::int64_t>) override {}
  void sum_all(std::span<std::uint64_t>) override {}
  void sum_all(std::span<double>) override {}

 private:
  Places machine_;
  VirtualOptions options_;
  MachineFacts facts_;
};

}  // namespace makespan::graph

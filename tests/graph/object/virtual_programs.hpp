// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs of objects for tests in virtual time: a processor's clock of the test's own, which
// methods advance, so that every time is known.

#include <gtest/gtest.h>

#include <cereal/types/vector.hpp>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "makespan/graph/object/create_mapped.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/phase_log.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"

namespace makespan::graph {

// The processor's time that methods have taken [ns].
inline std::int64_t& taken_ns() {
  static std::int64_t taken = 0;
  return taken;
}

inline VirtualOptions with_test_clock() {
  return {.cpu_ns = [] { return taken_ns(); }};
}

struct ClockedWorker {
  Collection<ClockedWorker> all{};
  std::int64_t calls{0};

  void work(ObjectPlace& /*here*/, std::int64_t ns) {
    taken_ns() += ns;
    ++calls;
  }
  // Takes nothing; so often back and forth with another.
  void pass(ObjectPlace& here, int other, int self, std::int64_t left) {
    ++calls;
    if (left > 0) here.send<&ClockedWorker::pass>(all, other, self, other, left - 1);
  }
  // Computes, and then has another compute as long.
  void work_and_tell(ObjectPlace& here, int other, std::int64_t ns) {
    work(here, ns);
    here.send<&ClockedWorker::work>(all, other, ns);
  }
  // Computes so many times, with a message to itself between.
  void work_on(ObjectPlace& here, int self, std::int64_t ns, int times) {
    work(here, ns);
    if (times > 1) here.send<&ClockedWorker::work_on>(all, self, self, ns, times - 1);
  }
  // Computes, and then goes elsewhere and computes as long there.
  void work_and_go(ObjectPlace& here, int self, int place, std::int64_t ns) {
    work(here, ns);
    here.migrate(all, self, place);
    here.send<&ClockedWorker::work>(all, self, ns);
  }
  void take(ObjectPlace& /*here*/, std::vector<double> const& /*data*/) { ++calls; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(all.id, all.first, all.count, calls);
  }
};

// Places of one node and domain, or each of its own node.
inline Places machine_of(std::vector<double> const& speeds, bool are_nodes, double latency_s,
                         double receive_s, double bytes_s) {
  std::vector<Place> places;
  std::vector<Domain> domains;
  int const count = static_cast<int>(speeds.size());
  for (int place = 0; place < count; ++place) {
    places.push_back(
        {.speed = Speed{speeds[static_cast<std::size_t>(place)]}, .domain = are_nodes ? place : 0});
    if (are_nodes || place == 0) domains.push_back({.node = are_nodes ? place : 0});
  }
  std::size_t const pairs = domains.size() * domains.size();
  return Places(std::move(places), std::move(domains),
                {.latency_s = std::vector<double>(pairs, latency_s),
                 .bandwidth_bytes_s = std::vector<double>(pairs, bytes_s),
                 .receive_s = std::vector<double>(pairs, receive_s)});
}

inline Places free_of_costs(std::vector<double> const& speeds) {
  return machine_of(speeds, false, 0.0, 0.0, 1e30);
}

inline WorldOptions never() {
  return {.balance = {.trigger = {.when = BalanceWhen::never}}};
}

class VirtualObjectWorldTest : public testing::Test {
 protected:
  // A worker at each place, in blocks.
  void run(
      VirtualObjectWorld& world, int workers, std::int64_t phases,
      std::function<void(ObjectPlace&, Collection<ClockedWorker>, std::int64_t)> const& begin) {
    auto const all = world.add<ClockedWorker>("workers", workers);
    world.run_all(log.watching(
        {.create =
             [&](ObjectPlace& here) {
               create_mapped(here, all, InitialMap::block, [&](int) { return ClockedWorker{all}; });
             },
         .begin = [&](ObjectPlace& here, std::int64_t phase) { begin(here, all, phase); },
         .end =
             [&](ObjectPlace& here) {
               here.for_each(all, [&](int, ClockedWorker const& worker) { calls += worker.calls; });
             },
         .phases = phases}));
  }
  [[nodiscard]] double phase_s(std::size_t phase) const { return log.reports()[phase].time_s; }

  PhaseLog log{};
  std::int64_t calls{0};
};

}  // namespace makespan::graph

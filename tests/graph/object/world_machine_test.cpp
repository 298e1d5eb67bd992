// SPDX-License-Identifier: Apache-2.0
// Goal: a world knows where its threads are and what messages between them cost; it measures that
// once, and tells where each number is from. Method: worlds of two places an image, a cache of the
// test's own, and a machine's file.
#include "makespan/graph/object/detail/world_machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "makespan/base/configuration.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/message_matrices.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/pgas/runtime.hpp"
#include "test_size.hpp"

namespace makespan::graph {
namespace {

namespace fs = std::filesystem;
using Source = MachineFacts::Source;

// All images of a test share its folder: image 0 tells the others its name.
class WorldMachineTest : public testing::Test {
 protected:
  WorldMachineTest() : runtime_({.threads = 2, .heap_bytes = 1 << 20}) {
    std::int64_t const id = runtime_.team().broadcast_all(std::int64_t{::getpid()}, 0);
    folder_ = fs::path(testing::TempDir()) / ("world_machine_" + std::to_string(id));
    if (is_first()) fs::create_directories(folder_);
    runtime_.team().barrier_all();
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~WorldMachineTest() override {
    ::unsetenv("XDG_CACHE_HOME");
    runtime_.team().barrier_all();
    if (is_first()) fs::remove_all(folder_);
    runtime_.finish_all();
  }

  [[nodiscard]] bool is_first() const { return runtime_.image() == ImageId{0}; }
  [[nodiscard]] int places() const { return 2 * runtime_.images(); }
  [[nodiscard]] WorldMachine made(std::string const& from) {
    // Enough to look at each pair once, where a build is slow, too.
    Seconds const budget{is_small_build ? 3.0 : 0.5};
    return world_machine_all(runtime_, 2, {.from = from, .budget = budget});
  }

  // As long on all images, and of the same values, as image 0 has them.
  template <class T>
  void expect_on_all(std::vector<T> const& own) {
    std::vector<T> of_first(
        static_cast<std::size_t>(runtime_.team().broadcast_all(std::ssize(own), 0)));
    if (is_first()) of_first = own;
    runtime_.team().broadcast_all(std::span(of_first), 0);
    EXPECT_EQ(own, of_first);
  }

  pgas::Runtime runtime_;
  fs::path folder_;
};

TEST_F(WorldMachineTest, has_a_domain_and_costs_for_every_place) {
  WorldMachine const machine = made("auto");

  ASSERT_EQ(std::ssize(machine.layout.domain), places());
  EXPECT_EQ(machine.facts.domain, machine.layout.domain);
  EXPECT_EQ(std::ssize(machine.facts.cpu), places());
  EXPECT_EQ(machine.cpus.size(), 2);
  ASSERT_FALSE(machine.facts.classes.empty());
  for (MachineFacts::Class const& one : machine.facts.classes) {
    EXPECT_EQ(name_of(one.source), "measured") << one.label;
    EXPECT_TRUE(one.cost.is_known()) << one.label;
  }
  std::vector<Place> all;
  for (int const domain : machine.layout.domain) all.push_back({.domain = domain});
  Places const graph_places(all, machine.layout.domains, machine.layout.costs);
  // A thread of the image is nearer than another image.
  if (runtime_.images() > 1) {
    EXPECT_NE(machine.layout.domain.front(), machine.layout.domain.back());
  }
}

TEST_F(WorldMachineTest, measures_once) {
  WorldMachine const first = made("auto");
  WorldMachine const second = made("auto");

  EXPECT_EQ(second.layout, first.layout);
  for (MachineFacts::Class const& one : second.facts.classes) {
    EXPECT_EQ(one.source, Source::kept) << one.label;
  }
}

TEST_F(WorldMachineTest, is_the_same_on_all_images) {
  WorldMachine const machine = made("auto");

  for (auto const& own : {machine.layout.costs.latency_s, machine.layout.costs.bandwidth_bytes_s,
                          machine.layout.costs.receive_s}) {
    expect_on_all(own);
  }
  for (auto const& own : {machine.layout.domain, machine.layout.kind, machine.layout.memory,
                          machine.facts.domain, machine.facts.cpu}) {
    expect_on_all(own);
  }
  for (Domain const& one : machine.layout.domains) expect_on_all(std::vector{one.node});
  for (MachineFacts::Class const& one : machine.facts.classes) {
    SCOPED_TRACE(one.label);
    expect_on_all(std::vector(one.label.begin(), one.label.end()));
    expect_on_all(std::vector{one.cost.latency_s, one.cost.send_s, one.cost.receive_s,
                              one.cost.byte_s, static_cast<double>(one.source)});
  }
}

TEST_F(WorldMachineTest, that_is_none_is_assumed) {
  WorldMachine const machine = made("none");

  EXPECT_EQ(machine.layout,
            assumed_layout(2, std::vector<int>(static_cast<std::size_t>(runtime_.images()))));
  EXPECT_EQ(machine.cpus, (std::vector{-1, -1}));
  for (MachineFacts::Class const& one : machine.facts.classes) {
    EXPECT_EQ(one.source, Source::assumed) << one.label;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 0);
}

TEST_F(WorldMachineTest, takes_from_a_file_what_it_knows) {
  // Of all classes within an image that this machine can have, one cost.
  MessageCost const cost{.latency_s = 3e-6, .send_s = 1e-7, .receive_s = 2e-7, .byte_s = 1e-9};
  std::optional<machine::Machine> here;
  try {
    here.emplace(machine::Machine::this_one());
  } catch (NotConfigured const&) {
    GTEST_SKIP() << "a build without hwloc reads no machine";
  }
  std::vector<machine::CorePlace> const cores =
      machine::plan_of(here->topology(), machine::allowed_cores()).cores;
  std::vector<ThreadPlace> const threads = threads_on(here->topology(), cores);
  if (threads.size() < 2) GTEST_SKIP() << "a machine of one core has no pair of them";
  ClassCosts known;
  for (ThreadPair const& pair : pairs_to_measure(threads, 0)) {
    known[class_of(threads[static_cast<std::size_t>(pair.from)],
                   threads[static_cast<std::size_t>(pair.to)])] = cost;
  }
  for (auto const& matrix : message_matrices(here->topology(), cores, known)) here->add(matrix);
  std::string const file = (folder_ / "here.xml").string();
  if (is_first()) std::ofstream(file) << here->xml();
  runtime_.team().barrier_all();

  static_cast<void>(made("auto"));
  WorldMachine const machine = made(file);
  WorldMachine const again = made("auto");

  for (MachineFacts::Class const& one : machine.facts.classes) {
    bool const is_within = one.label.starts_with("threads of an image");
    // Threads that take turns on a core are nowhere in particular: the file has no such class.
    if (!is_within || machine.facts.cpu.front() < 0) continue;
    EXPECT_EQ(one.source, Source::file) << one.label;
    EXPECT_NEAR(one.cost.receive_s, cost.receive_s, 1e-12);
  }
  // What was measured beside the file did not take the place of what was kept without it.
  for (MachineFacts::Class const& one : again.facts.classes) {
    EXPECT_EQ(one.source, Source::kept) << one.label;
  }
}

TEST_F(WorldMachineTest, refuses_a_file_that_is_no_machine) {
  EXPECT_THROW(static_cast<void>(made((folder_ / "nothing.xml").string())), InputError);
}

TEST_F(WorldMachineTest, refuses_what_images_want_differently) {
  if (runtime_.images() == 1) return;
  EXPECT_THROW(static_cast<void>(made(is_first() ? "none" : "auto")), InputError);
}

TEST_F(WorldMachineTest, says_where_threads_of_the_world_are_tied_to) {
  std::vector<int> const allowed = machine::allowed_cores();
  auto outcome = machine::PinOutcome::refused;
  std::thread([&] { outcome = machine::pin_this_thread(allowed.front()); }).join();
  if (outcome != machine::PinOutcome::pinned) GTEST_SKIP() << "this system does not pin threads";
  WorldMachine two_cores = made("none");
  two_cores.cpus = {allowed.back(), allowed.front()};
  ObjectWorld world(runtime_, {.threads = 2}, two_cores);
  std::vector<std::vector<int>> seen(2);

  world.run_all({.begin =
                     [&](ObjectPlace& here, std::int64_t) {
                       seen[static_cast<std::size_t>(here.place() % 2)] = machine::allowed_cores();
                     },
                 .phases = 1});

  EXPECT_EQ(seen[0], std::vector{allowed.back()});
  EXPECT_EQ(seen[1], std::vector{allowed.front()});
  EXPECT_EQ(machine::allowed_cores(), allowed) << "the caller's";
}

TEST_F(WorldMachineTest, reaches_the_world) {
  ObjectWorld const world(runtime_, {.threads = 2, .machine = {.from = "auto"}});

  EXPECT_EQ(world.machine().from, "auto");
  EXPECT_EQ(std::ssize(world.machine().domain), places());
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: a thread is where its CPUs are, and threads are parted by what they do not have in common.
// Method: the machine of two packages; threads by hand.
#include "makespan/graph/detail/thread_places.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "machine/hand_made_topology.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::graph {
namespace {

ThreadPlace thread_at(std::int32_t host, std::int32_t image,
                      std::array<std::int32_t, thread_levels> within) {
  return {.host = host, .image = image, .within = within};
}

TEST(ThreadPlaces, are_what_contains_a_cpu) {
  // The system counts CPUs across packages: 3 is the second of package 1.
  ThreadPlace const thread = thread_place_of(machine::two_packages(), std::array{3});

  EXPECT_EQ(thread.within, (std::array{8, 9, 10, -1, 13}));
}

TEST(ThreadPlaces, of_several_cpus_are_what_contains_them_all) {
  EXPECT_EQ(thread_place_of(machine::two_packages(), std::array{0, 2}).within,
            (std::array{1, 2, 3, -1, -1}));
  EXPECT_EQ(thread_place_of(machine::two_packages(), std::array{0, 1}).within,
            (std::array{-1, -1, -1, -1, -1}));
}

TEST(ThreadPlaces, of_a_cpu_that_is_not_there_are_refused) {
  EXPECT_THROW(static_cast<void>(thread_place_of(machine::two_packages(), std::array{0, 4})),
               InputError);
}

// Tables by image are made by them.
TEST(ThreadPlaces, of_other_images_than_sent_them_are_refused) {
  std::vector<ThreadPlace> threads(4);
  threads[2].image = threads[3].image = 1;
  EXPECT_NO_THROW(expect_of_images(threads, 2));
  for (std::int32_t const image : {0, -5, 2, std::numeric_limits<std::int32_t>::max()}) {
    threads[3].image = image;
    EXPECT_THROW(expect_of_images(threads, 2), BadMessage) << image;
  }
}

TEST(ThreadPlaces, of_cores_alike_are_of_one_kind) {
  machine::Topology unequal = machine::two_packages();
  for (int const pu : machine::places_of(unequal, machine::PlaceKind::pu)) {
    auto& place = unequal.places[static_cast<std::size_t>(pu)];
    place.core_kind = place.os_index == 3 ? 1 : 0;
  }
  std::vector<ThreadPlace> threads;
  for (int const cpu : {0, 1, 2, 3}) threads.push_back(thread_place_of(unequal, std::array{cpu}));
  threads.push_back(thread_place_of(unequal, std::array{0, 1}));
  threads.push_back(thread_place_of(unequal, std::array{0, 3}));  // some of each

  EXPECT_EQ(core_kinds_of(threads), (std::vector{0, 0, 0, 1, 0, 2}));
}

TEST(ThreadPlaces, of_processors_of_other_models_are_of_other_kinds) {
  machine::Topology other = machine::two_packages();
  for (int const package : machine::places_of(other, machine::PlaceKind::package)) {
    other.places[static_cast<std::size_t>(package)].name = "another model";
  }
  std::vector const threads{thread_place_of(machine::two_packages(), std::array{0}),
                            thread_place_of(other, std::array{0}),
                            thread_place_of(machine::two_packages(), std::array{3})};

  EXPECT_EQ(core_kinds_of(threads), (std::vector{0, 1, 0}));
}

TEST(ThreadDomains, are_parted_by_the_levels_that_part_threads) {
  // Two packages with two L3 each, a core for each of 8 threads.
  std::vector<ThreadPlace> threads;
  for (std::int32_t core = 0; core < 8; ++core) {
    threads.push_back(thread_at(0, 0, {core / 4, core / 4, core / 2, core, core}));
  }

  ThreadDomains const all = domains_of(threads);

  // NUMA nodes part as packages do, L2 and cores all threads from each other.
  EXPECT_EQ(all.levels, (std::vector{ThreadLevel::package, ThreadLevel::l3}));
  EXPECT_EQ(all.domain, (std::vector{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(all.domains[1], (Domain{.node = 0, .groups = {0, 1}}));
  EXPECT_EQ(all.domains[2], (Domain{.node = 0, .groups = {1, 2}}));
}

TEST(ThreadDomains, tell_images_and_hosts_apart) {
  // The places in the trees of two hosts have the same numbers.
  std::vector<ThreadPlace> const threads{
      thread_at(0, 0, {1, 2, 3, 4, 5}), thread_at(0, 0, {1, 2, 3, 4, 6}),
      thread_at(0, 1, {1, 2, 3, 4, 7}), thread_at(1, 2, {1, 2, 3, 4, 5})};

  ThreadDomains const all = domains_of(threads);

  EXPECT_EQ(all.domain, (std::vector{0, 0, 1, 2}));
  EXPECT_EQ(all.domains, (std::vector<Domain>{{.node = 0}, {.node = 0}, {.node = 1}}));
}

TEST(ThreadDomains, share_a_core_where_threads_do) {
  std::vector<ThreadPlace> const threads{
      thread_at(0, 0, {1, 2, 3, 4, 5}), thread_at(0, 0, {1, 2, 3, 4, 5}),
      thread_at(0, 0, {1, 2, 3, 6, 7}), thread_at(0, 0, {1, 2, 3, 6, 7})};

  ThreadDomains const all = domains_of(threads);

  EXPECT_EQ(all.levels, (std::vector{ThreadLevel::l2}));  // cores part them no further
  EXPECT_EQ(all.domain, (std::vector{0, 0, 1, 1}));
}

TEST(ThreadDomains, form_a_tree_that_places_accept) {
  std::vector<ThreadPlace> threads;
  for (std::int32_t core = 0; core < 32; ++core) {
    threads.push_back(thread_at(core / 16, core / 4, {core / 8, core / 8, core / 4, core, core}));
  }
  ThreadDomains const all = domains_of(threads);
  std::vector<Place> places;
  for (int const domain : all.domain) places.push_back({.domain = domain});
  std::size_t const pairs = all.domains.size() * all.domains.size();

  EXPECT_NO_THROW(Places(places, all.domains,
                         {.latency_s = std::vector<double>(pairs, 1.0),
                          .bandwidth_bytes_s = std::vector<double>(pairs, 1.0)}));
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: clusters hold each atom once, are compact, and do not depend on the order of arrival.
#include "makespan/apps/melt/clusters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>

#include "apps/melt/melt_atoms.hpp"
#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

constexpr Vector3 sides{6.7, 6.7, 6.7};

TEST(Clusters, arrival_makes_no_difference) {
  for (int const count : {0, 1, 7, 8, 9, 64, 100, 256, 300}) {
    auto atoms = loose_atoms(count, sides, 1);
    auto shuffled = atoms;
    std::ranges::shuffle(shuffled, std::mt19937_64{2});

    put_in_cluster_order(atoms, sides);
    put_in_cluster_order(shuffled, sides);

    EXPECT_EQ(atoms, shuffled) << count << " atoms";
  }
}

TEST(Clusters, ties_are_broken_by_id) {
  std::vector<Atom> atoms(40);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    atoms[i] = {.id = static_cast<std::int64_t>(i), .position = {1, 1, 1}};
  }
  auto reversed = atoms;
  std::ranges::reverse(reversed);

  put_in_cluster_order(atoms, sides);
  put_in_cluster_order(reversed, sides);

  EXPECT_EQ(atoms, reversed);
}

TEST(Clusters, are_compact) {
  // Eight of 256 atoms have a cube of side 2.1 if they are packed ideally.
  auto atoms = loose_atoms(256, sides, 3);
  put_in_cluster_order(atoms, sides);
  ClusterSet const set = clusters_of(atoms);

  double mean = 0;
  for (std::size_t cluster = 0; cluster < 32; ++cluster) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      mean += (set.high[cluster / 8].axis[axis][cluster % 8] -
               set.low[cluster / 8].axis[axis][cluster % 8]) /
              (32 * 3);
    }
  }
  EXPECT_LT(mean, 2.1);
}

TEST(Clusters, hold_each_atom_once_and_nothing_else) {
  for (int const count : {0, 1, 7, 8, 9, 65, 250}) {
    auto atoms = loose_atoms(count, sides, 4);
    put_in_cluster_order(atoms, sides);

    ClusterSet const set = clusters_of(atoms);

    EXPECT_EQ(set.atoms, count);
    ASSERT_EQ(std::ssize(set.positions), (count + 7) / 8);
    ASSERT_EQ(std::ssize(set.low), (std::ssize(set.positions) + 7) / 8);
    for (std::size_t i = 0; i < 8 * set.positions.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double const x = set.positions[i / 8].axis[axis][i % 8];
        EXPECT_EQ(x, i < atoms.size() ? atoms[i].position[axis] : nowhere);
        if (i >= atoms.size()) continue;
        EXPECT_LE(set.low[i / 64].axis[axis][i / 8 % 8], x);
        EXPECT_GE(set.high[i / 64].axis[axis][i / 8 % 8], x);
      }
    }
    for (std::size_t cluster = set.positions.size(); cluster < 8 * set.low.size(); ++cluster) {
      EXPECT_EQ(set.low[cluster / 8].axis[0][cluster % 8], nowhere);
    }
  }
}

// Sets come from other images: kernels read as many boxes as there are clusters.
TEST(Clusters, without_a_box_for_each_are_refused) {
  ClusterSet const whole = clusters_of(loose_atoms(70, {5, 5, 5}, 3));
  EXPECT_NO_THROW(expect_sound(whole));
  EXPECT_NO_THROW(expect_sound({}));
  auto const refused = [&](auto const& change) {
    ClusterSet set = whole;
    change(set);
    EXPECT_THROW(expect_sound(set), InputError);
  };
  refused([](ClusterSet& set) { set.low.pop_back(); });
  refused([](ClusterSet& set) { set.high.clear(); });
  refused([](ClusterSet& set) { set.positions.pop_back(); });
  for (std::int64_t const atoms :
       {std::int64_t{-1}, std::int64_t{64}, std::int64_t{73}, std::int64_t{1} << 62}) {
    refused([&](ClusterSet& set) { set.atoms = atoms; });
  }
}

}  // namespace
}  // namespace makespan::melt

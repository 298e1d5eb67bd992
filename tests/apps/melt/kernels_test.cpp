// SPDX-License-Identifier: Apache-2.0
// Goal: kernels give the same bits on every instruction set, for cells of every size. Method: each
// against the one lane; the one lane against sums over all pairs.
#include "makespan/apps/melt/kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "apps/melt/melt_atoms.hpp"
#include "makespan/apps/melt/force_compute.hpp"
#include "makespan/apps/melt/kernels.hpp"
#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int sizes[] = {0, 1, 7, 8, 9, 63, 130};
constexpr Vector3 room{5, 5, 5};

struct Outcome {
  std::vector<ClusterVectors> first;
  std::vector<ClusterVectors> second;
  PairSums sums;
};

ClusterSet random_cell(int atoms, double x, std::uint64_t seed) {
  auto loose = loose_atoms(atoms, room, seed);
  for (Atom& atom : loose) atom.position[0] += x;
  put_in_cluster_order(loose, room);
  return clusters_of(loose);
}

// Compute 0 is within cell 0; compute 9 is with the cell beside it along x.
Outcome outcome(Kernels const& kernels, int index, ClusterSet const& first,
                ClusterSet const& second) {
  MeltSettings const settings;
  ForceScratch scratch;
  ForceCompute compute(CellGrid{settings}, settings, index);
  compute.rebuild(kernels, first, second, scratch);
  compute.run(kernels, first.positions, second.positions, Measure::forces, scratch);
  Outcome out{compute.forces(Side::first).forces, compute.forces(Side::second).forces, {}};
  compute.run(kernels, first.positions, second.positions, Measure::forces_and_sums, scratch);
  EXPECT_TRUE(same_bits(out.first, compute.forces(Side::first).forces));
  out.sums = compute.sums();
  return out;
}

void expect_same(Outcome const& a, Outcome const& b, std::string const& what) {
  EXPECT_TRUE(same_bits(a.first, b.first)) << what;
  EXPECT_TRUE(same_bits(a.second, b.second)) << what;
  EXPECT_TRUE(same_bits(std::vector{a.sums}, std::vector{b.sums})) << what;
}

// S6, S12 and the number of pairs within 2.5, by all pairs.
PairSums plain_sums(ClusterSet const& first, ClusterSet const& second, bool within) {
  PairSums sums;
  for (std::int64_t i = 0; i < first.atoms; ++i) {
    for (std::int64_t j = within ? i + 1 : 0; j < second.atoms; ++j) {
      double square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        auto const at = [axis](ClusterSet const& set, std::int64_t atom) {
          return set.positions[static_cast<std::size_t>(atom / 8)]
              .axis[axis][static_cast<std::size_t>(atom % 8)];
        };
        square += std::pow(at(first, i) - at(second, j), 2);
      }
      if (square >= 2.5 * 2.5) continue;
      sums.inverse_6 += std::pow(square, -3);
      sums.inverse_12 += std::pow(square, -6);
      sums.pairs += 1;
    }
  }
  return sums;
}

void expect_near(PairSums const& a, PairSums const& b) {
  EXPECT_NEAR(a.inverse_6, b.inverse_6, 1e-13 * b.inverse_6);
  EXPECT_NEAR(a.inverse_12, b.inverse_12, 1e-13 * b.inverse_12);
  EXPECT_EQ(a.pairs, b.pairs);
}

TEST(MeltKernels, there_is_always_one_lane_and_it_is_last) {
  EXPECT_EQ(Kernels::available().back(), &Kernels::one_lane_table());
  EXPECT_EQ(&Kernels::named("one_lane"), &Kernels::one_lane_table());
  EXPECT_EQ(&Kernels::named("auto"), Kernels::available().front());
  EXPECT_THAT([] { static_cast<void>(Kernels::named("mmx")); },
              ThrowsMessage<InputError>(HasSubstr("isa 'mmx' is not available")));
}

TEST(MeltKernels, give_the_same_bits_within_cells_of_every_size) {
  for (int const size : sizes) {
    ClusterSet const cell = random_cell(size, 0, 11);
    Outcome const expected = outcome(Kernels::one_lane_table(), 0, cell, cell);
    expect_near(expected.sums, plain_sums(cell, cell, true));
    for (Kernels const* kernels : Kernels::available()) {
      expect_same(outcome(*kernels, 0, cell, cell), expected,
                  std::string(kernels->isa) + ", " + std::to_string(size) + " atoms");
    }
  }
}

TEST(MeltKernels, give_the_same_bits_between_cells_of_every_size) {
  for (int const size : sizes) {
    for (int const other : sizes) {
      ClusterSet const first = random_cell(size, 0, 12);
      ClusterSet const second = random_cell(other, 5.5, 13);
      Outcome const expected = outcome(Kernels::one_lane_table(), 9, first, second);
      expect_near(expected.sums, plain_sums(first, second, false));
      for (Kernels const* kernels : Kernels::available()) {
        expect_same(outcome(*kernels, 9, first, second), expected,
                    std::string(kernels->isa) + ", " + std::to_string(size) + " and " +
                        std::to_string(other) + " atoms");
      }
    }
  }
}

// Sets come from other images: beyond the last cluster none is looked at, whatever its box is.
TEST(MeltKernels, find_no_clusters_that_are_not_there) {
  ClusterSet const first = random_cell(64, 0, 16);
  ClusterSet second = random_cell(64, 0, 17);
  second.atoms = 40;
  second.positions.resize(5);  // what was there stays in memory
  for (Kernels const* kernels : Kernels::available()) {
    std::vector<ClusterPair> found(8 * 8 + 1);
    std::int64_t const count = kernels->find_pairs(
        {.reach = 100, .first = &first, .second = &second, .found = found.data()});
    EXPECT_EQ(count, 8 * 5) << kernels->isa;
  }
}

TEST(MeltKernels, add_and_scale_the_same_everywhere) {
  ClusterSet const cell = random_cell(50, 0, 14);
  auto const more = random_cell(50, 1, 15).positions;
  std::vector<std::int32_t> const some{1, 2, 5};

  auto expected = cell.positions;
  for (std::size_t i = 0; i < 24 * expected.size(); ++i) {
    double& x = expected[i / 24].axis[i / 8 % 3][i % 8];
    double const y = more[i / 24].axis[i / 8 % 3][i % 8];
    x = std::fma(0.3, y, x);
  }
  for (std::size_t k = 0; k < some.size(); ++k) {
    for (std::size_t i = 0; i < 24; ++i) {
      expected[static_cast<std::size_t>(some[k])].axis[i / 8][i % 8] += more[k].axis[i / 8][i % 8];
    }
  }

  for (Kernels const* kernels : Kernels::available()) {
    auto sum = cell.positions;
    kernels->add_scaled(sum, 0.3, more.data());
    kernels->add_contribution(some, more.data(), sum.data());
    EXPECT_TRUE(same_bits(sum, expected)) << kernels->isa;
  }
}

}  // namespace
}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
// Goal: a list holds each atom's rows, in order, under the clusters that they name.
#include "makespan/apps/melt/detail/pair_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PairList, of_nothing_is_empty) {
  PairList const list = pair_list_of({}, Pairs::between_cells, 5, 7);

  EXPECT_THAT(list.first_clusters, IsEmpty());
  EXPECT_THAT(list.second_clusters, IsEmpty());
  EXPECT_THAT(list.entries, IsEmpty());
}

TEST(PairList, names_the_clusters_that_have_pairs) {
  // Atom 2 of cluster 1 reaches clusters 3 and 6, its atom 0 cluster 6, atom 7 of cluster 4 too.
  std::vector<ClusterPair> const found{{1, 3, 0b100}, {1, 6, 0b101}, {4, 6, 0b10000000}};

  PairList const list = pair_list_of(found, Pairs::between_cells, 5, 7);

  EXPECT_THAT(list.first_clusters, ElementsAre(1, 4));
  EXPECT_THAT(list.second_clusters, ElementsAre(3, 6));
  ASSERT_EQ(list.entries.size(), 3U);
  EXPECT_EQ(list.entries[0].position, 1U * cluster_doubles + 0);
  EXPECT_EQ(list.entries[0].force, 0U);
  EXPECT_EQ(list.entries[1].position, 1U * cluster_doubles + 2);
  EXPECT_EQ(list.entries[1].rows, 2U);
  EXPECT_EQ(list.entries[2].position, 4U * cluster_doubles + 7);
  EXPECT_EQ(list.entries[2].force, 1U * cluster_doubles + 7);
  EXPECT_THAT(list.rows, ElementsAre(slot_doubles, 0, slot_doubles, slot_doubles));
}

TEST(PairList, within_a_cell_all_clusters_have_their_place) {
  std::vector<ClusterPair> const found{{1, 1, 0b1}};

  PairList const list = pair_list_of(found, Pairs::within_cell, 3, 3);

  EXPECT_THAT(list.first_clusters, ElementsAre(0, 1, 2));
  EXPECT_THAT(list.second_clusters, ElementsAre(0, 1, 2));
  EXPECT_THAT(list.rows, ElementsAre(slot_doubles));
}

void expect_refused(PairList const& list, Pairs pairs, std::string const& text) {
  EXPECT_THAT([&] { expect_sound(list, pairs); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr(text)));
}

// A list that another image, or a file, holds: kernels follow what it says.
TEST(PairList, is_sound_as_it_is_made) {
  std::vector<ClusterPair> const found{{1, 1, 0b11}, {1, 2, 0b1}};
  EXPECT_NO_THROW(expect_sound({}, Pairs::between_cells));
  EXPECT_NO_THROW(expect_sound(pair_list_of(found, Pairs::within_cell, 3, 3), Pairs::within_cell));
  EXPECT_NO_THROW(
      expect_sound(pair_list_of(found, Pairs::between_cells, 3, 3), Pairs::between_cells));
}

TEST(PairList, with_places_outside_is_refused) {
  std::vector<ClusterPair> const found{{1, 3, 0b100}, {1, 6, 0b101}, {4, 6, 0b10000000}};
  PairList const whole = pair_list_of(found, Pairs::between_cells, 5, 7);
  auto const refused = [&](std::string const& text, auto const& change) {
    PairList list = whole;
    change(list);
    expect_refused(list, Pairs::between_cells, text);
  };
  std::string const entry = "an entry of a list of pairs for position ";
  refused(entry + "4000000000", [](PairList& list) { list.entries[0].position = 4'000'000'000; });
  refused("force 4000000000", [](PairList& list) { list.entries[0].force = 4'000'000'000; });
  refused("with 0 rows", [](PairList& list) { list.entries[1].rows = 0; });
  refused("its entries have ", [](PairList& list) { list.entries[1].rows = 4'000'000'000; });
  refused(entry, [](PairList& list) { list.first_clusters.clear(); });
  refused("a row at 96 ", [](PairList& list) { list.rows[0] = 2 * slot_doubles; });
  refused("a row at 1 ", [](PairList& list) { list.rows[0] = 1; });
  refused("a row at ", [](PairList& list) { list.second_clusters.clear(); });
  refused("they ascend", [](PairList& list) { list.first_clusters = {4, 1}; });
  refused("they ascend", [](PairList& list) { list.second_clusters = {-1, 6}; });
  expect_refused(whole, Pairs::within_cell, "within a cell both sides have the same");
}

}  // namespace
}  // namespace makespan::melt

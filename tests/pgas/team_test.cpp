// SPDX-License-Identifier: Apache-2.0
// Goal: every collective with every type and operation gives what a loop over the images gives, on
// teams of any members in any order. Method: closed forms over ranks.
#include "makespan/pgas/team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/job/host_name.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TeamTest : public SharedRuntimeTest {};

TEST_F(TeamTest, Team_of_all_is_in_order) {
  EXPECT_EQ(team().size(), images());
  EXPECT_EQ(team().rank(), me().value());
  for (int rank = 0; rank < images(); ++rank) {
    EXPECT_EQ(team().members()[static_cast<std::size_t>(rank)], ImageId{rank});
  }
}

TEST_F(TeamTest, Barrier_waits_for_all) {
  auto const counter = runtime().allocate_all<std::int64_t>(1, "counter");
  for (int round = 1; round <= 10; ++round) {
    here().fetch<AtomicOp::add>(counter.at(ImageId{0}), std::int64_t{1});
    team().barrier_all();
    EXPECT_EQ(here().fetch<AtomicOp::load>(counter.at(ImageId{0}), std::int64_t{0}),
              round * images());
    team().barrier_all();
  }
  runtime().free_all(counter);
}

TEST_F(TeamTest, Broadcast_from_each_root) {
  for (int root = 0; root < images(); ++root) {
    EXPECT_EQ(team().broadcast_all(100 + team().rank(), root), 100 + root);
    std::array<char, 3> text{'a', 'b', static_cast<char>('c' + team().rank())};
    team().broadcast_all(std::span<char>(text), root);
    EXPECT_EQ(text[2], 'c' + root);
  }
}

// Both threads at once, each with a part of one array and with words of its own.
TEST_F(TeamTest, Teams_of_threads_work_at_once) {
  std::vector<Team> teams = runtime().teams_of_threads_all();
  ASSERT_EQ(std::ssize(teams), runtime().describe().threads);
  constexpr int rounds = 50;
  std::vector<std::int64_t> values(20'001);
  std::iota(values.begin(), values.end(), me().value());
  std::vector<std::int64_t> sums(values.size());
  in_all_threads([&](Endpoint& endpoint) {
    int const thread = endpoint.address().thread;
    Team& mine = teams[static_cast<std::size_t>(thread)];
    int const threads = static_cast<int>(teams.size());
    EXPECT_EQ(mine.size(), images());
    for (int round = 0; round < rounds; ++round) {
      // Other numbers of calls on either thread: nothing is shared between them.
      for (int call = 0; call <= thread; ++call) {
        EXPECT_EQ(mine.all_reduce_all(ReduceOp::sum, 10 * round + call),
                  images() * (10 * round + call));
      }
      mine.all_reduce_all(ReduceOp::sum,
                          share_of(std::span<std::int64_t const>(values), thread, threads),
                          share_of(std::span(sums), thread, threads));
      mine.barrier_all();
    }
  });
  std::int64_t const of_images = std::int64_t{images()} * (images() - 1) / 2;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    ASSERT_EQ(sums[at], images() * static_cast<std::int64_t>(at) + of_images) << at;
  }
}

// What is not copied, also from a span into the same one.
TEST_F(TeamTest, Long_spans) {
  std::size_t const size = Team::copied_bytes_max / sizeof(std::int64_t) + 1;
  std::int64_t const rank = team().rank();
  std::int64_t const last = images() - 1;
  auto const all = [&](std::int64_t value) { return std::vector<std::int64_t>(size, value); };

  std::vector<std::int64_t> values = all(rank);
  std::span<std::int64_t const> const in_place(values);
  team().broadcast_all(std::span(values), static_cast<int>(last));
  EXPECT_EQ(values, all(last));

  std::ranges::fill(values, rank + 1);
  team().all_reduce_all(ReduceOp::sum, in_place, std::span(values));
  EXPECT_EQ(values, all((last + 1) * (last + 2) / 2));

  std::ranges::fill(values, rank + 1);
  team().inclusive_scan_all(ReduceOp::sum, in_place, std::span(values));
  EXPECT_EQ(values, all((rank + 1) * (rank + 2) / 2));

  std::ranges::fill(values, rank + 1);
  team().reduce_all(ReduceOp::max, in_place, std::span(values), 0);
  EXPECT_EQ(values, all(rank == 0 ? last + 1 : rank + 1));
}

TEST(ShareOfTest, Shares_are_all_of_it_and_even) {
  std::vector<int> values(11);
  std::iota(values.begin(), values.end(), 0);
  for (int const parts : {1, 2, 3, 11, 20}) {
    std::vector<int> all;
    for (int part = 0; part < parts; ++part) {
      auto const share = share_of(std::span<int const>(values), part, parts);
      EXPECT_LE(std::ssize(share), (11 + parts - 1) / parts);
      all.insert(all.end(), share.begin(), share.end());
    }
    EXPECT_EQ(all, values);
  }
}

template <class T>
class ReduceTest : public SharedRuntimeTest {
 protected:
  // Small, so that sums and products of all images are exact in every type.
  static T value_of(int rank, int at) { return static_cast<T>(1 + (3 * rank + at) % 5); }

  // What `op` makes of the values of ranks 0 to last, element by element.
  static std::vector<T> expected(ReduceOp op, int last) {
    std::vector<T> result(3);
    for (int at = 0; at < 3; ++at) {
      T value = value_of(0, at);
      for (int rank = 1; rank <= last; ++rank) value = apply(op, value, value_of(rank, at));
      result[static_cast<std::size_t>(at)] = value;
    }
    return result;
  }

  static T apply(ReduceOp op, T a, T b) {
    if constexpr (std::integral<T>) {
      if (op == ReduceOp::bit_and) return static_cast<T>(a & b);
      if (op == ReduceOp::bit_or) return static_cast<T>(a | b);
      if (op == ReduceOp::bit_xor) return static_cast<T>(a ^ b);
    }
    if (op == ReduceOp::sum) return static_cast<T>(a + b);
    if (op == ReduceOp::product) return static_cast<T>(a * b);
    return op == ReduceOp::min ? std::min(a, b) : std::max(a, b);
  }

  static std::vector<ReduceOp> operations() {
    std::vector<ReduceOp> all{ReduceOp::sum, ReduceOp::product, ReduceOp::min, ReduceOp::max};
    if constexpr (std::integral<T>) {
      for (ReduceOp const op : {ReduceOp::bit_and, ReduceOp::bit_or, ReduceOp::bit_xor}) {
        all.push_back(op);
      }
    }
    return all;
  }

  std::vector<T> mine{value_of(team().rank(), 0), value_of(team().rank(), 1),
                      value_of(team().rank(), 2)};

  using SharedRuntimeTest::images;
  using SharedRuntimeTest::team;
};

using Elements =
    testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(ReduceTest, Elements);

TYPED_TEST(ReduceTest, All_reduce) {
  for (ReduceOp const op : this->operations()) {
    std::vector<TypeParam> result(3);
    this->team().template all_reduce_all<TypeParam>(op, this->mine, result);
    EXPECT_EQ(result, this->expected(op, this->images() - 1)) << static_cast<int>(op);
  }
}

// Of unsigned numbers the largest have their first bit set, as negative ones have.
TYPED_TEST(ReduceTest, Least_and_most_of_all_values_of_a_type) {
  using Limits = std::numeric_limits<TypeParam>;
  // The first rank's are extreme, the others' lie between.
  bool const is_first = this->team().rank() == 0;
  std::vector<TypeParam> const given{is_first ? Limits::lowest() : TypeParam{7},
                                     is_first ? Limits::max() : TypeParam{7},
                                     is_first ? TypeParam{7} : Limits::max()};
  bool const has_others = this->images() > 1;
  TypeParam const third_most = has_others ? Limits::max() : TypeParam{7};
  std::vector<TypeParam> const least{Limits::lowest(), has_others ? TypeParam{7} : Limits::max(),
                                     TypeParam{7}};
  std::vector<TypeParam> const most{has_others ? TypeParam{7} : Limits::lowest(), Limits::max(),
                                    third_most};
  std::vector<TypeParam> result(3);
  this->team().template all_reduce_all<TypeParam>(ReduceOp::min, given, result);
  EXPECT_EQ(result, least);
  this->team().template all_reduce_all<TypeParam>(ReduceOp::max, given, result);
  EXPECT_EQ(result, most);
  std::vector<TypeParam> at_root(is_first ? 3 : 0);
  this->team().template reduce_all<TypeParam>(ReduceOp::max, given, at_root, 0);
  if (is_first) {
    EXPECT_EQ(at_root, most);
  }
  this->team().template inclusive_scan_all<TypeParam>(ReduceOp::min, given, result);
  EXPECT_EQ(result, is_first ? given : least);
}

TYPED_TEST(ReduceTest, Reduce_to_each_root) {
  for (int root = 0; root < this->images(); ++root) {
    std::vector<TypeParam> result(this->team().rank() == root ? 3 : 0);
    this->team().template reduce_all<TypeParam>(ReduceOp::sum, this->mine, result, root);
    if (this->team().rank() == root) {
      EXPECT_EQ(result, this->expected(ReduceOp::sum, this->images() - 1));
    }
  }
}

TYPED_TEST(ReduceTest, Inclusive_scan) {
  for (ReduceOp const op : this->operations()) {
    std::vector<TypeParam> result(3);
    this->team().template inclusive_scan_all<TypeParam>(op, this->mine, result);
    EXPECT_EQ(result, this->expected(op, this->team().rank())) << static_cast<int>(op);
  }
}

TYPED_TEST(ReduceTest, Single_values) {
  TypeParam const value = this->value_of(this->team().rank(), 0);
  EXPECT_EQ(this->team().all_reduce_all(ReduceOp::max, value),
            this->expected(ReduceOp::max, this->images() - 1)[0]);
  EXPECT_EQ(this->team().inclusive_scan_all(ReduceOp::sum, value),
            this->expected(ReduceOp::sum, this->team().rank())[0]);
}

struct Pair {
  std::int32_t rank;
  double value;
};

TEST_F(TeamTest, Gather_at_each_root) {
  std::array<Pair, 2> const mine{{{team().rank(), 0.5}, {team().rank(), 1.5}}};
  for (int root = 0; root < images(); ++root) {
    auto const all = team().gather_all(std::span<Pair const>(mine), root);
    ASSERT_EQ(std::ssize(all), team().rank() == root ? 2 * images() : 0);
    for (std::size_t at = 0; at < all.size(); ++at) {
      EXPECT_EQ(all[at].rank, static_cast<int>(at / 2));
      EXPECT_EQ(all[at].value, at % 2 == 0 ? 0.5 : 1.5);
    }
  }
}

TEST_F(TeamTest, All_gather) {
  std::array<std::int64_t, 1> const mine{10 * me().value()};
  auto const all = team().all_gather_all(std::span<std::int64_t const>(mine));

  ASSERT_EQ(std::ssize(all), images());
  for (int rank = 0; rank < images(); ++rank) {
    EXPECT_EQ(all[static_cast<std::size_t>(rank)], 10 * rank);
  }
}

TEST_F(TeamTest, Nothing_may_be_collected_too) {
  std::vector<double> nothing;
  team().broadcast_all(std::span(nothing), 0);
  team().all_reduce_all<double>(ReduceOp::sum, nothing, nothing);
  EXPECT_TRUE(team().gather_all(std::span<double const>(nothing), 0).empty());
  EXPECT_TRUE(team().all_gather_all(std::span<double const>(nothing)).empty());
}

TEST_F(TeamTest, Colors_make_teams) {
  int const color = 7 * (team().rank() % 2);
  auto part = team().split_all(color);

  ASSERT_TRUE(part);
  EXPECT_EQ(part->size(), (images() + 1 - team().rank() % 2) / 2);
  EXPECT_EQ(part->rank(), team().rank() / 2);
  std::int64_t sum = 0;
  for (ImageId const member : part->members()) sum += member.value();
  EXPECT_EQ(part->all_reduce_all<std::int64_t>(ReduceOp::sum, me().value()), sum);
  for (int rank = 0; rank < part->size(); ++rank) {
    EXPECT_EQ(part->members()[static_cast<std::size_t>(rank)].value() % 2, team().rank() % 2);
  }
  part->barrier_all();
}

TEST_F(TeamTest, Keys_order_members) {
  auto reversed = team().split_all(0, -team().rank());

  ASSERT_TRUE(reversed);
  EXPECT_EQ(reversed->rank(), images() - 1 - team().rank());
  EXPECT_EQ(reversed->members().front(), ImageId{images() - 1});
  EXPECT_EQ(reversed->broadcast_all(team().rank(), 0), images() - 1);
  // Equal keys: by rank.
  auto same = team().split_all(3, 42);
  EXPECT_EQ(same->rank(), team().rank());
}

TEST_F(TeamTest, Negative_color_takes_no_part) {
  bool const is_out = team().rank() == 0;
  auto part = team().split_all(is_out ? -1 : 1);

  EXPECT_EQ(part.has_value(), !is_out);
  if (part) {
    EXPECT_EQ(part->size(), images() - 1);
    EXPECT_EQ(part->members().front(), ImageId{1});
  }
}

TEST_F(TeamTest, Teams_of_teams) {
  auto half = team().split_all(team().rank() % 2);
  auto quarter = half->split_all(half->rank() % 2, -half->rank());

  ASSERT_TRUE(quarter);
  EXPECT_EQ(quarter->all_reduce_all(ReduceOp::sum, std::int64_t{1}), quarter->size());
  EXPECT_EQ(quarter->members()[static_cast<std::size_t>(quarter->rank())], me());
}

TEST_F(TeamTest, Node_team_has_all_of_this_machine) {
  auto const hosts = images_of_hosts(here().fabric().job());
  auto const& mates = hosts.at(host_name());
  EXPECT_THAT(runtime().node_team().members(), testing::ElementsAreArray(mates));
  EXPECT_THAT(team().split_by_node_all().members(), testing::ElementsAreArray(mates));
  runtime().node_team().barrier_all();
}

TEST_F(TeamTest, Wait_in_a_barrier_answers_calls) {
  if (team().rank() != 0) {
    // Image 0 is in the barrier, or on its way there.
    EXPECT_EQ(here().rpc(ImageId{0}, [](int value) { return value + 1; }, 1).get(), 2);
  }
  team().barrier_all();
}

TEST_F(TeamTest, Roots_that_there_are_not_are_refused) {
  for (int const root : {-1, images()}) {
    try {
      static_cast<void>(team().broadcast_all(1, root));
      ADD_FAILURE();
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr("root " + std::to_string(root)), HasSubstr("broadcast"),
                        HasSubstr("0 to " + std::to_string(images() - 1))));
    }
  }
}

TEST_F(TeamTest, Bits_of_floating_point_numbers_are_a_mistake) {
  EXPECT_THROW(static_cast<void>(team().all_reduce_all(ReduceOp::bit_or, 1.0)), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas

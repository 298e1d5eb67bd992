// SPDX-License-Identifier: Apache-2.0
// Goal: every collective gives what its definition says, for every type and operation, in every
// team. Method: values that name who gave them; the expected result computed by each image alone.
#include "makespan/pgas/job/collectives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/job/element.hpp"
#include "makespan/pgas/job/open_job.hpp"

namespace makespan::pgas {
namespace {

// The test's own time limit ends a wait that does not.
void wait(Collectives::Operation const& operation) {
  while (!operation->test()) std::this_thread::yield();
}

template <class T>
std::span<std::byte const> in_bytes(std::vector<T> const& values) {
  return std::as_bytes(std::span(values));
}

template <class T>
std::span<std::byte> out_bytes(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

class CollectivesTest : public testing::Test {
 protected:
  void TearDown() override {
    if (HasFatalFailure()) return;
    team.reset();
    job->finish_all();
  }

  [[nodiscard]] int rank() const { return team->rank(); }
  [[nodiscard]] int size() const { return static_cast<int>(team->members().size()); }

  std::unique_ptr<Job> job{open_job_all()};
  std::unique_ptr<Collectives> team{job->world_collectives_all()};
};

TEST_F(CollectivesTest, Team_of_all_has_all_images_by_rank) {
  EXPECT_EQ(size(), job->images());
  EXPECT_EQ(rank(), job->image().value());
  for (int rank = 0; rank < size(); ++rank) {
    EXPECT_EQ(team->members()[static_cast<std::size_t>(rank)], ImageId{rank});
  }
}

TEST_F(CollectivesTest, Barrier_waits_for_all) {
  auto const memory = job->allocate_node_memory_all(64);
  memory->segment(job->image())[0] = std::byte{1};

  wait(team->barrier());

  for (ImageId const mate : job->node_images()) EXPECT_EQ(memory->segment(mate)[0], std::byte{1});
  wait(team->barrier());
  memory->close_all();
}

TEST_F(CollectivesTest, Broadcast_comes_from_every_root) {
  for (int root = 0; root < size(); ++root) {
    std::vector<std::int64_t> data(1000, rank());
    wait(team->broadcast(out_bytes(data), root));
    EXPECT_EQ(data, std::vector<std::int64_t>(1000, root));
  }
}

TEST_F(CollectivesTest, Broadcast_of_nothing_ends) {
  wait(team->broadcast({}, 0));
}

TEST_F(CollectivesTest, Reduce_gives_the_sum_to_the_root_only) {
  for (int root = 0; root < size(); ++root) {
    std::vector<std::int64_t> const in{rank(), 1, 2 * rank()};
    std::vector<std::int64_t> out(3, -7);
    wait(team->reduce(ElementType::int64, ReduceOp::sum, in_bytes(in), out_bytes(out), root));
    std::int64_t const sum = size() * (size() - 1) / 2;
    if (rank() == root) {
      EXPECT_EQ(out, (std::vector<std::int64_t>{sum, size(), 2 * sum}));
    } else {
      EXPECT_EQ(out, (std::vector<std::int64_t>(3, -7)));
    }
  }
}

// Values and results that every type can hold, by operation.
template <class T>
T value_of(ReduceOp op, int rank) {
  switch (op) {
    case ReduceOp::product:
      return static_cast<T>(rank % 2 + 1);
    case ReduceOp::bit_and:
    case ReduceOp::bit_or:
    case ReduceOp::bit_xor:
      return static_cast<T>(rank + 8);
    default:
      return static_cast<T>(rank + 1);
  }
}

template <class T>
T fold(ReduceOp op, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (op == ReduceOp::bit_and) return static_cast<T>(a & b);
    if (op == ReduceOp::bit_or) return static_cast<T>(a | b);
    if (op == ReduceOp::bit_xor) return static_cast<T>(a ^ b);
  }
  if (op == ReduceOp::sum) return static_cast<T>(a + b);
  if (op == ReduceOp::product) return static_cast<T>(a * b);
  return op == ReduceOp::min ? std::min(a, b) : std::max(a, b);
}

template <class T>
T folded(ReduceOp op, int ranks) {
  T result = value_of<T>(op, 0);
  for (int rank = 1; rank < ranks; ++rank) result = fold(op, result, value_of<T>(op, rank));
  return result;
}

constexpr std::array arithmetic{ReduceOp::sum, ReduceOp::product, ReduceOp::min, ReduceOp::max};
constexpr std::array bitwise{ReduceOp::bit_and, ReduceOp::bit_or, ReduceOp::bit_xor};

template <class T>
void expect_reductions(Collectives& team, ElementType type, std::span<ReduceOp const> ops) {
  auto const size = static_cast<int>(team.members().size());
  for (ReduceOp const op : ops) {
    SCOPED_TRACE("type " + std::to_string(static_cast<int>(type)) + ", op " +
                 std::to_string(static_cast<int>(op)));
    std::vector<T> const in(5, value_of<T>(op, team.rank()));
    std::vector<T> all(5);
    std::vector<T> scan(5);
    wait(team.all_reduce(type, op, in_bytes(in), out_bytes(all)));
    wait(team.inclusive_scan(type, op, in_bytes(in), out_bytes(scan)));
    EXPECT_EQ(all, std::vector<T>(5, folded<T>(op, size)));
    EXPECT_EQ(scan, std::vector<T>(5, folded<T>(op, team.rank() + 1)));
  }
}

TEST_F(CollectivesTest, Reductions_know_every_type_and_operation) {
  for (auto const& ops :
       {std::span<ReduceOp const>(arithmetic), std::span<ReduceOp const>(bitwise)}) {
    expect_reductions<std::int32_t>(*team, ElementType::int32, ops);
    expect_reductions<std::uint32_t>(*team, ElementType::uint32, ops);
    expect_reductions<std::int64_t>(*team, ElementType::int64, ops);
    expect_reductions<std::uint64_t>(*team, ElementType::uint64, ops);
    expect_reductions<std::uint8_t>(*team, ElementType::byte, ops);
  }
  expect_reductions<float>(*team, ElementType::float32, arithmetic);
  expect_reductions<double>(*team, ElementType::float64, arithmetic);
}

TEST_F(CollectivesTest, Reductions_may_end_where_they_began) {
  std::vector<std::int64_t> all{rank()};
  std::vector<std::int64_t> scan{rank()};
  std::vector<std::int64_t> root{rank()};
  std::int64_t const sum = size() * (size() - 1) / 2;

  wait(team->all_reduce(ElementType::int64, ReduceOp::sum, in_bytes(all), out_bytes(all)));
  wait(team->inclusive_scan(ElementType::int64, ReduceOp::sum, in_bytes(scan), out_bytes(scan)));
  wait(team->reduce(ElementType::int64, ReduceOp::sum, in_bytes(root), out_bytes(root), 0));

  EXPECT_EQ(all.front(), sum);
  EXPECT_EQ(scan.front(), rank() * (rank() + 1) / 2);
  EXPECT_EQ(root.front(), rank() == 0 ? sum : rank());
}

TEST_F(CollectivesTest, Gather_puts_all_in_order_of_rank) {
  std::vector<std::int32_t> expected(2 * static_cast<std::size_t>(size()));
  for (std::size_t at = 0; at < expected.size(); ++at) expected[at] = static_cast<int>(at / 2);
  std::vector<std::int32_t> const in(2, rank());

  std::vector<std::int32_t> all(expected.size());
  wait(team->all_gather(in_bytes(in), out_bytes(all)));
  EXPECT_EQ(all, expected);
  for (int root = 0; root < size(); ++root) {
    std::vector<std::int32_t> out(rank() == root ? expected.size() : 0);
    wait(team->gather(in_bytes(in), out_bytes(out), root));
    EXPECT_EQ(out, rank() == root ? expected : std::vector<std::int32_t>{});
  }
}

TEST_F(CollectivesTest, Collectives_may_be_under_way_together) {
  std::vector<std::int64_t> const in{1};
  std::vector<std::int64_t> first(1);
  std::vector<std::int64_t> second(1);

  auto const one =
      team->all_reduce(ElementType::int64, ReduceOp::sum, in_bytes(in), out_bytes(first));
  auto const two =
      team->inclusive_scan(ElementType::int64, ReduceOp::sum, in_bytes(in), out_bytes(second));
  auto const three = team->barrier();
  wait(three);
  wait(two);
  wait(one);

  EXPECT_EQ(first.front(), size());
  EXPECT_EQ(second.front(), rank() + 1);
  EXPECT_TRUE(one->test());  // once done, always done
}

TEST_F(CollectivesTest, Split_makes_teams_by_color_and_key) {
  // Even and odd ranks, each in reverse.
  auto const part = team->split_all(rank() % 2, -rank());

  ASSERT_NE(part, nullptr);
  std::vector<ImageId> expected;
  for (int rank = size() - 1; rank >= 0; --rank) {
    if (rank % 2 == this->rank() % 2) expected.emplace_back(rank);
  }
  EXPECT_EQ(std::vector(part->members().begin(), part->members().end()), expected);
  EXPECT_EQ(part->members()[static_cast<std::size_t>(part->rank())], job->image());
  std::vector<std::int64_t> const in{rank()};
  std::vector<std::int64_t> out(1);
  wait(part->all_reduce(ElementType::int64, ReduceOp::max, in_bytes(in), out_bytes(out)));
  EXPECT_EQ(ImageId{out.front()}, expected.front());
}

TEST_F(CollectivesTest, Split_leaves_out_negative_colors) {
  auto const part = team->split_all(rank() == 0 ? 0 : -1, 0);

  EXPECT_EQ(part != nullptr, rank() == 0);
  if (part) {
    EXPECT_EQ(part->members().size(), 1U);
  }
}

TEST_F(CollectivesTest, Split_of_a_part_knows_images_of_the_job) {
  auto const most = team->split_all(rank() == 0 ? -1 : 0, 0);
  if (!most) return;

  auto const alone = most->split_all(most->rank(), 0);

  ASSERT_EQ(alone->members().size(), 1U);
  EXPECT_EQ(alone->members().front(), job->image());
}

TEST_F(CollectivesTest, Split_by_node_has_the_node_mates) {
  auto const node = team->split_by_node_all();

  EXPECT_TRUE(std::ranges::equal(node->members(), job->node_images()));
}

TEST_F(CollectivesTest, Shrink_without_losses_keeps_all_or_says_that_it_cannot) {
  try {
    auto const rest = team->shrink_all();
    EXPECT_TRUE(std::ranges::equal(rest->members(), team->members()));
    wait(rest->barrier());
  } catch (NotConfigured const& error) {
    EXPECT_NE(std::string(error.what()).find("MPI"), std::string::npos);
    EXPECT_NE(job->launcher(), "none");
  }
}

TEST_F(CollectivesTest, Sizes_that_do_not_fit_break_the_contract) {
  std::vector<std::int64_t> const in(2);
  std::vector<std::int64_t> out(3);

  EXPECT_THROW(static_cast<void>(team->all_reduce(ElementType::int64, ReduceOp::sum, in_bytes(in),
                                                  out_bytes(out))),
               ContractViolated);
  EXPECT_THROW(static_cast<void>(team->all_gather(in_bytes(in).first(7), out_bytes(out))),
               ContractViolated);
}

// Refused before anything is touched, so the span need not exist.
TEST_F(CollectivesTest, More_than_MPI_counts_is_refused) {
  if (job->launcher() == "none") GTEST_SKIP() << "no MPI";
  std::byte nothing{};
  std::span<std::byte> const huge(&nothing,
                                  static_cast<std::size_t>(std::numeric_limits<int>::max()) + 1);

  EXPECT_THROW(static_cast<void>(team->broadcast(huge, 0)), InputError);
}

}  // namespace
}  // namespace makespan::pgas

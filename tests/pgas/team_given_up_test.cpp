// SPDX-License-Identifier: Apache-2.0
// Goal: what MPI may still write to, when a wait of a team has ended in an exception, is not given
// to anything else. Method: collectives that never end, and a waiter that gives up; later the
// spans are written, as by MPI when the others come.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::pgas {
namespace {

class Unfinished final : public CollectiveOperation {
 public:
  [[nodiscard]] bool test() override { return false; }
};

class UnfinishedCollectives final : public Collectives {
 public:
  // What the operations were told to read and to write.
  static inline std::span<std::byte const> in;
  static inline std::span<std::byte> out;

  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] std::span<ImageId const> members() const override { return members_; }
  [[nodiscard]] Operation barrier() override { return begin({}, {}); }
  [[nodiscard]] Operation broadcast(std::span<std::byte> data, int) override {
    return begin(data, data);
  }
  [[nodiscard]] Operation reduce(ElementType, ReduceOp, std::span<std::byte const> from,
                                 std::span<std::byte> to, int) override {
    return begin(from, to);
  }
  [[nodiscard]] Operation all_reduce(ElementType, ReduceOp, std::span<std::byte const> from,
                                     std::span<std::byte> to) override {
    return begin(from, to);
  }
  [[nodiscard]] Operation inclusive_scan(ElementType, ReduceOp, std::span<std::byte const> from,
                                         std::span<std::byte> to) override {
    return begin(from, to);
  }
  [[nodiscard]] Operation gather(std::span<std::byte const> from, std::span<std::byte> to,
                                 int) override {
    return begin(from, to);
  }
  [[nodiscard]] Operation all_gather(std::span<std::byte const> from,
                                     std::span<std::byte> to) override {
    return begin(from, to);
  }
  [[nodiscard]] std::unique_ptr<Collectives> split_all(int, int) override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Collectives> split_by_node_all() override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Collectives> shrink_all() override { return nullptr; }

 private:
  static Operation begin(std::span<std::byte const> from, std::span<std::byte> to) {
    in = from;
    out = to;
    return std::make_unique<Unfinished>();
  }

  std::array<ImageId, 2> members_{ImageId{0}, ImageId{1}};
};

class GivingUp final : public Waiter {
 public:
  void wait_round(WaitState&, Awaited const&) override { throw WaitTimeout("given up"); }
};

// Whether a part of `memory` is among new allocations of its size, or on the stack.
bool is_used_again(std::span<std::byte const> memory) {
  std::vector<std::unique_ptr<std::byte[]>> fresh;
  for (int round = 0; round < 200; ++round) {
    fresh.push_back(std::make_unique<std::byte[]>(memory.size()));
    std::byte const* const begin = fresh.back().get();
    if (std::less<>{}(begin, memory.data() + memory.size()) &&
        std::less<>{}(memory.data(), begin + memory.size())) {
      return true;
    }
  }
  std::byte const local{};
  auto const here = reinterpret_cast<std::intptr_t>(&local);
  auto const there = reinterpret_cast<std::intptr_t>(memory.data());
  return std::max(here, there) - std::min(here, there) < (1 << 16);
}

TEST(GivenUpTeam, leaves_what_may_still_be_written) {
  GivingUp waiter;
  Team team(std::make_unique<UnfinishedCollectives>(), waiter);
  std::vector<std::int64_t> values(500, 7);
  std::vector<std::int64_t> results(500);
  std::span<std::int64_t const> const in(values);
  std::span const out(results);
  std::vector<std::function<void()>> const calls{
      [&] { static_cast<void>(team.broadcast_all(std::int64_t{1}, 0)); },
      [&] { static_cast<void>(team.all_reduce_all(ReduceOp::sum, std::int64_t{1})); },
      [&] { static_cast<void>(team.inclusive_scan_all(ReduceOp::sum, std::int64_t{1})); },
      [&] { static_cast<void>(team.gather_all(in, 0)); },
      [&] { static_cast<void>(team.all_gather_all(in)); },
      [&] { team.broadcast_all(std::span(values), 0); },
      [&] { team.reduce_all(ReduceOp::sum, in, out, 0); },
      [&] { team.all_reduce_all(ReduceOp::sum, in, out); },
      [&] { team.inclusive_scan_all(ReduceOp::sum, in, out); },
  };

  for (std::size_t call = 0; call < calls.size(); ++call) {
    SCOPED_TRACE(call);
    EXPECT_THROW(calls[call](), WaitTimeout);

    ASSERT_FALSE(UnfinishedCollectives::out.empty());
    EXPECT_FALSE(is_used_again(UnfinishedCollectives::out));
    EXPECT_FALSE(is_used_again(UnfinishedCollectives::in));
    EXPECT_NE(UnfinishedCollectives::in.data(), std::as_bytes(in).data());
    EXPECT_NE(UnfinishedCollectives::out.data(), std::as_bytes(in).data());
    EXPECT_NE(UnfinishedCollectives::out.data(), std::as_bytes(out).data());
    std::ranges::fill(UnfinishedCollectives::out,
                      std::byte{1});  // the sanitizer says if it may not
  }
}

// MPI splits in a form that blocks.
TEST(GivenUpTeam, is_not_split_before_all_are_there) {
  GivingUp waiter;
  Team team(std::make_unique<UnfinishedCollectives>(), waiter);

  EXPECT_THROW(static_cast<void>(team.split_all(0)), WaitTimeout);
  EXPECT_THROW(static_cast<void>(team.split_by_node_all()), WaitTimeout);
}

// An exception that does not name who is lost waits for news, which has an end of its own.
class Nameless final : public Waiter {
 public:
  void wait_round(WaitState&, Awaited const& what) override {
    limits.push_back(what.limit);
    if (limits.size() == 1) throw ImageFailed(ImageId{-1}, "revoked", what.call);
    throw ImageFailed(ImageId{1}, "dead", what.call);
  }
  std::vector<WaitLimit> limits;
};

TEST(GivenUpTeam, waits_for_the_name_of_the_lost_without_the_limit_of_waits) {
  Nameless waiter;
  Team team(std::make_unique<UnfinishedCollectives>(), waiter);

  EXPECT_THROW(team.barrier_all(), ImageFailed);

  EXPECT_EQ(waiter.limits, (std::vector{WaitLimit::option, WaitLimit::none}));
}

}  // namespace
}  // namespace makespan::pgas

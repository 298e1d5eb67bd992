// SPDX-License-Identifier: Apache-2.0
// Goal: what no image of a bag sends is refused, and changes nothing. Method: deliveries and ends
// with one number made wrong, then the good ones.
#include "makespan/bag/image/detail/completion_server.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

using Bytes = std::vector<std::byte>;

// Counts bytes of results.
class Results final : public DistributedItemRunner {
 public:
  void run(int, TaskId, std::int64_t, std::int64_t) override {}
  void pack(int, Bytes&) override {}
  void unpack(std::span<std::byte const> bytes) override { taken += bytes.size(); }

  std::size_t taken{0};
};

class CompletionServerMessages : public testing::Test {
 protected:
  CompletionServerMessages() : policy_(make_policy("guided", {})), server_(roster_, clock_) {
    server_.open(bag_, *policy_, FirstClaims::by_tracker, roster_.modes, results_);
  }

  static pgas::Fragment whole(int image) { return {image, 0, 0, 0, 1}; }
  void deliver(int image, std::vector<ItemRange> const& ranges) {
    Bytes bytes = CompletionServer::delivery(ranges);
    bytes.resize(bytes.size() + 5);
    server_.deliver(whole(image), bytes);
  }
  void end(int image, ImageOutcome const& outcome) { server_.end(whole(image), bytes_of(outcome)); }

  // Two images, of one device and thread each.
  ImageRoster roster_{.first_worker = {0, 1, 2},
                      .first_device = {0, 1, 2},
                      .first_thread = {0, 1, 2},
                      .modes = std::vector<Mode>(2)};
  Bag bag_{{{.task = TaskId{0}, .items = 100, .cost_per_item = Work{1.0}}}};
  std::unique_ptr<ChunkPolicy> policy_;
  Results results_;
  SystemClock clock_;
  CompletionServer server_;
};

TEST_F(CompletionServerMessages, takes_what_an_image_delivers) {
  deliver(1, {{0, 60}, {60, 100}});

  EXPECT_TRUE(server_.complete());
  EXPECT_EQ(results_.taken, 5U);
}

TEST_F(CompletionServerMessages, refuses_items_that_the_bag_does_not_have) {
  for (ItemRange const range : {ItemRange{0, 101}, ItemRange{-1, 5}, ItemRange{50, 40}}) {
    EXPECT_THROW(deliver(1, {{0, 10}, range}), InputError) << range.begin << ' ' << range.end;
  }

  EXPECT_EQ(results_.taken, 0U);
  deliver(1, {{0, 100}});
  EXPECT_TRUE(server_.complete());
}

TEST_F(CompletionServerMessages, refuses_a_delivery_of_more_ranges_than_it_holds) {
  Bytes bytes = CompletionServer::delivery(std::vector<ItemRange>{{0, 10}});
  for (std::uint64_t const count :
       {std::uint64_t{2}, std::uint64_t{1} << 40U, std::uint64_t{1} << 60U}) {
    std::memcpy(bytes.data(), &count, sizeof count);
    EXPECT_THROW(server_.deliver(whole(1), bytes), std::out_of_range) << count;
  }
  EXPECT_THROW(server_.deliver(whole(1), std::span(bytes).first(7)), std::out_of_range);
}

TEST_F(CompletionServerMessages, refuses_images_that_there_are_not) {
  for (int const image : {-1, 2, 1 << 30}) {
    EXPECT_THROW(deliver(image, {{0, 10}}), InputError) << image;
    EXPECT_THROW(end(image, {}), InputError) << image;
  }
}

TEST_F(CompletionServerMessages, refuses_chunks_without_items_and_times_that_are_no_numbers) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinite = std::numeric_limits<double>::infinity();
  ChunkReport const good{.worker = 1,
                         .items = 1,
                         .work = Work{1.0},
                         .computing = Seconds{1.0},
                         .with_claim = Seconds{1.0}};
  auto const refuses = [&](auto const& change) {
    ChunkReport report = good;
    change(report);
    EXPECT_THROW(server_.end_chunk(0, report), InputError);
  };
  refuses([](ChunkReport& of) { of.items = 0; });
  refuses([](ChunkReport& of) { of.items = -5; });
  refuses([](ChunkReport& of) { of.worker = 2; });
  refuses([&](ChunkReport& of) { of.work = Work{nan}; });
  refuses([&](ChunkReport& of) { of.computing = Seconds{infinite}; });
  refuses([&](ChunkReport& of) { of.with_claim = Seconds{nan}; });
  EXPECT_NO_THROW(server_.end_chunk(0, good));

  EXPECT_THROW(server_.ask(0, {.index = 1, .speed = Speed{nan}}), InputError);
  EXPECT_THROW(server_.ask(0, {.index = 1, .speed_total = Speed{infinite}}), InputError);
  EXPECT_THROW(server_.ask(0, {.index = 1, .claim_cost = Seconds{nan}}), InputError);
  EXPECT_EQ(server_.ask(0, {.index = 1}).order, Order::run);
}

TEST_F(CompletionServerMessages, refuses_outcomes_of_other_teams) {
  auto const with = [](auto const& change) {
    ImageOutcome outcome;
    change(outcome);
    return outcome;
  };
  std::vector<ImageOutcome> const wrong{
      with([](ImageOutcome& of) { of.spans.resize(2); }),
      with([](ImageOutcome& of) { of.report.busy.resize(2); }),
      with([](ImageOutcome& of) { of.report.work.resize(2); }),
      with([](ImageOutcome& of) { of.report.failed_devices = {1}; }),
      with([](ImageOutcome& of) { of.report.failed_devices = {-1}; }),
      with([](ImageOutcome& of) {
        of.report.busy.resize(1);
        of.report.overdue = {{.thread = 1}};
      }),
      with([](ImageOutcome& of) {
        of.report.busy.resize(1);
        of.report.overdue = {{.thread = -1}};
      })};
  for (std::size_t at = 0; at < wrong.size(); ++at) {
    EXPECT_THROW(end(1, wrong[at]), InputError) << at;
  }

  EXPECT_FALSE(server_.others_have_ended());
  end(1, {});
  EXPECT_TRUE(server_.others_have_ended());
}

}  // namespace
}  // namespace makespan::bag

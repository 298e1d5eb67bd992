// SPDX-License-Identifier: Apache-2.0
// Goal: what no image of a bag sends is refused, and changes nothing. Method: deliveries and ends
// with one number made wrong, then the good ones.
#include "makespan/bag/image/detail/completion_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "makespan/bag/image/detail/told_checks.hpp"
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

ChunkReport good_chunk() {
  return {.worker = 1,
          .items = 1,
          .work = Work{1.0},
          .computing = Seconds{1.0},
          .with_claim = Seconds{1.0}};
}

TEST_F(CompletionServerMessages, refuses_chunks_without_items_and_times_that_are_no_numbers) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  double const infinite = std::numeric_limits<double>::infinity();
  ASSERT_EQ(server_.ask(0, {.index = 1}).order, Order::run);
  auto const refuses = [&](auto const& change) {
    ChunkReport report = good_chunk();
    change(report);
    EXPECT_THROW(server_.end_chunk(0, report), InputError);
  };
  for (std::int64_t const items : {std::int64_t{0}, std::int64_t{-5}, std::int64_t{101},
                                   std::numeric_limits<std::int64_t>::max()}) {
    refuses([=](ChunkReport& of) { of.items = items; });
  }
  refuses([](ChunkReport& of) { of.worker = 2; });
  for (double const work : {nan, infinite, -1.0, 101.0, 1e-300}) {
    refuses([=](ChunkReport& of) { of.work = Work{work}; });
  }
  for (double const time : {nan, infinite, -1.0, 1.7e308}) {
    refuses([=](ChunkReport& of) { of.computing = Seconds{time}; });
    refuses([=](ChunkReport& of) { of.with_claim = Seconds{time}; });
  }
  EXPECT_NO_THROW(server_.end_chunk(0, good_chunk()));
}

TEST_F(CompletionServerMessages, refuses_asks_with_what_is_no_number) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (double const wrong : {nan, std::numeric_limits<double>::infinity(), -1.0}) {
    EXPECT_THROW(server_.ask(0, {.index = 1, .speed = Speed{wrong}}), InputError);
    EXPECT_THROW(server_.ask(0, {.index = 1, .speed_total = Speed{wrong}}), InputError);
    EXPECT_THROW(server_.ask(0, {.index = 1, .claim_cost = Seconds{wrong}}), InputError);
  }
  EXPECT_THROW(server_.ask(0, {.index = 1, .measured = static_cast<Measured>(2)}), InputError);
  EXPECT_EQ(server_.ask(0, {.index = 1}).order, Order::run);
}

// An application chooses it.
TEST(ToldChecks, allow_work_in_any_unit) {
  for (double const unit : {1e-280, 1.0, 1e280}) {
    LoopFacts const loop{.items = 100, .work = Work{100 * unit}};
    ChunkReport report = good_chunk();
    report.work = Work{unit};
    EXPECT_NO_THROW(expect_sound(report, loop)) << unit;
    report.work = Work{101 * unit};
    EXPECT_THROW(expect_sound(report, loop), InputError) << unit;
  }
}

// Before the first claim a policy has no room for what it learns.
TEST_F(CompletionServerMessages, refuses_chunks_before_there_was_any) {
  for (char const* const name : {"bold", "awf", "awf_b", "af", "taper"}) {
    server_.close();
    auto const policy = make_policy(name, {});
    server_.open(bag_, *policy, FirstClaims::by_tracker, roster_.modes, results_);

    EXPECT_THROW(server_.end_chunk(0, good_chunk()), InputError) << name;
    EXPECT_EQ(server_.ask(0, {.index = 1}).order, Order::run) << name;
    EXPECT_NO_THROW(server_.end_chunk(0, good_chunk())) << name;
    server_.close();
  }
}

// Within the limits of a report: the policies' sums and ratios may leave those of a double.
TEST_F(CompletionServerMessages, goes_on_after_times_that_are_far_apart) {
  for (auto const& entry : policies()) {
    server_.close();
    auto const policy = make_policy(entry.name, {});
    server_.open(bag_, *policy, FirstClaims::by_tracker, roster_.modes, results_);
    ASSERT_EQ(server_.ask(0, {.index = 0}).order, Order::run) << entry.name;
    ChunkReport report = good_chunk();
    for (double const time : {1e-300, 1e9, 5e-324, 0.0, 1e9}) {
      for (double const work : {1e-19, 100.0, 0.0}) {
        report.items = 100;
        report.work = Work{work};
        report.computing = Seconds{time};
        report.with_claim = Seconds{time};
        ASSERT_NO_THROW(server_.end_chunk(0, report)) << entry.name;
        report.worker = 1 - report.worker;
        ASSERT_NO_THROW(server_.ask(0, {.index = 1})) << entry.name;
      }
    }
    server_.close();
  }
}

class CompletionServerOutcomes : public CompletionServerMessages {
 protected:
  static ImageOutcome with(auto const& change) {
    ImageOutcome outcome;
    outcome.report.busy.resize(1);
    outcome.report.work.resize(1);
    outcome.spans.resize(1);
    change(outcome);
    return outcome;
  }
  static ImageOutcome with_span(trace::Span const& span) {
    return with([&](ImageOutcome& of) { of.spans[0] = {{}, span}; });
  }
  void expect_refused(std::vector<ImageOutcome> const& wrong) {
    for (std::size_t at = 0; at < wrong.size(); ++at) {
      EXPECT_THROW(end(1, wrong[at]), InputError) << at;
    }
    EXPECT_FALSE(server_.others_have_ended());
    end(1, with([](ImageOutcome&) {}));
    EXPECT_TRUE(server_.others_have_ended());
  }
};

TEST_F(CompletionServerOutcomes, of_other_teams_are_refused) {
  expect_refused({with([](ImageOutcome& of) { of.spans.resize(2); }),
                  with([](ImageOutcome& of) { of.report.busy.resize(2); }),
                  with([](ImageOutcome& of) { of.report.work.resize(2); }),
                  with([](ImageOutcome& of) { of.report.work.clear(); }),
                  with([](ImageOutcome& of) { of.report.busy.clear(); }),
                  with([](ImageOutcome& of) { of.report.failed_devices = {1}; }),
                  with([](ImageOutcome& of) { of.report.failed_devices = {-1}; }),
                  with([](ImageOutcome& of) { of.report.overdue = {{.thread = 1}}; }),
                  with([](ImageOutcome& of) { of.report.overdue = {{.thread = -1}}; })});
}

TEST_F(CompletionServerOutcomes, with_numbers_that_no_bag_has_are_refused) {
  std::vector<ImageOutcome> wrong;
  for (double const number :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
    wrong.push_back(with([=](ImageOutcome& of) { of.report.busy[0] = Seconds{number}; }));
    wrong.push_back(with([=](ImageOutcome& of) { of.report.work[0] = Work{number}; }));
    wrong.push_back(with([=](ImageOutcome& of) { of.report.makespan = Seconds{number}; }));
    wrong.push_back(with([=](ImageOutcome& of) { of.report.ideal = Seconds{number}; }));
    wrong.push_back(with([=](ImageOutcome& of) { of.report.speed = Speed{number}; }));
    wrong.push_back(with([=](ImageOutcome& of) { of.report.work_done = Work{number}; }));
    wrong.push_back(
        with([=](ImageOutcome& of) { of.report.overdue = {{.at_it = Seconds{number}}}; }));
  }
  for (std::int64_t const count : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    wrong.push_back(with([=](ImageOutcome& of) { of.report.claims = count; }));
    wrong.push_back(with([=](ImageOutcome& of) { of.report.steals = count; }));
  }
  expect_refused(wrong);
}

TEST_F(CompletionServerOutcomes, with_spans_that_cannot_be_are_refused) {
  using Point = trace::Clock::time_point;
  Point const later{std::chrono::seconds(1)};
  expect_refused(
      {with_span({.kind = static_cast<trace::SpanKind>(77)}), with_span({.begin = later}),
       with_span({.begin = Point::min()}), with_span({.end = Point::max()}),
       with_span({.items = -1}), with_span({.items = std::numeric_limits<std::int64_t>::max()}),
       with([](ImageOutcome& of) { of.spans[0].assign(2, {.items = std::int64_t{1} << 53}); })});
}

}  // namespace
}  // namespace makespan::bag

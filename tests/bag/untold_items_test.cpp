// SPDX-License-Identifier: Apache-2.0
// Goal: a run ends as it should where a worker that fails cannot tell what it has finished, and
// leaves nothing on the board. Method: a source that throws when it is told, from a moment on.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "forwarding_source.hpp"
#include "makespan/bag/detail/local_dispatcher.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_job.hpp"
#include "makespan/bag/worker_board.hpp"
#include "team_fixture.hpp"

namespace makespan::bag {
namespace {

// Once it is deaf, it throws at all that it is told. What others ask goes on to a dispatcher.
class DeafSource final : public ForwardingSource {
 public:
  DeafSource(ClaimSource& source, WorkerBoard const& board)
      : ForwardingSource{source}, board_{board} {}

  std::optional<Grant> claim(int worker, Seconds claim_cost) override {
    WorkerView const view = board_.view(worker, Speed{}, {});
    if (view.begun > Work{} || !view.not_begun.empty()) found_something = true;
    return ForwardingSource::claim(worker, claim_cost);
  }
  void finish(int worker, std::span<ItemRange const> done, Seconds taken, Seconds claim) override {
    if (is_deaf) throw std::runtime_error("no image listens");
    ForwardingSource::finish(worker, done, taken, claim);
  }
  void give_back(int worker) override {
    ++given_back;
    ForwardingSource::give_back(worker);
  }

  std::atomic<bool> is_deaf{false};
  std::atomic<bool> found_something{false};  // on the board, at a claim
  std::atomic<int> given_back{0};

 private:
  WorkerBoard const& board_;
};

// One worker, which takes the whole bag as one chunk of many pieces: alone, or as a gang of one.
class UntoldItems : public testing::TestWithParam<Mode> {
 protected:
  // What a run throws in whose middle an item throws `failure`.
  template <class Failure>
  std::string thrown_after(Failure const& failure) {
    Bag const bag = mixed_bag();
    DeafSource* told = nullptr;
    int pieces = 0;
    Runner runner([&](int, TaskId, ItemRange) {
      if (++pieces < 5) return;
      told->is_deaf = true;
      throw failure;
    });
    LocalDispatcher dispatcher(bag, runner, team.layout(), Dispatcher::steal,
                               {.state = team.state(), .board = board, .clock = clock});
    DeafSource source(dispatcher, board);
    told = &source;
    std::string thrown;
    try {
      team.run({.bag = bag, .runner = runner, .stop = {}}, source, board);
    } catch (std::exception const& error) {
      thrown = error.what();
    }
    EXPECT_TRUE(source.is_deaf);
    EXPECT_EQ(source.given_back, 1);
    EXPECT_FALSE(source.found_something);
    return thrown;
  }

  DeviceTeam team{one_device(1, GetParam(), "static")};
  SystemClock const clock{};
  WorkerBoard board{team.layout().workers()};
};

INSTANTIATE_TEST_SUITE_P(Modes, UntoldItems, testing::Values(Mode::mo, Mode::mt));

TEST_P(UntoldItems, hide_no_exception_of_an_item) {
  EXPECT_EQ(thrown_after(std::runtime_error("the item")), "the item");

  EXPECT_EQ(board.view(0, Speed{}, {}).begun, Work{});
  EXPECT_TRUE(team.last_report().failed_devices.empty());
}

TEST_P(UntoldItems, end_a_run_that_could_go_on_without_the_device) {
  EXPECT_EQ(thrown_after(DeviceFailed("the device")), "no image listens");

  EXPECT_EQ(board.view(0, Speed{}, {}).begun, Work{});
  EXPECT_EQ(team.last_report().failed_devices, std::vector{0});
}

// As a thread leaves it that was left behind in an earlier bag.
TEST_P(UntoldItems, of_an_earlier_bag_are_not_on_the_board) {
  board.publish(0, {3, 7});
  board.begin_piece(0, Work{5.0}, {});

  EXPECT_EQ(thrown_after(std::runtime_error("the item")), "the item");
}

}  // namespace
}  // namespace makespan::bag

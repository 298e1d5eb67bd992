// SPDX-License-Identifier: Apache-2.0
// Goal: while a chunk runs its worker tells now and then what it has finished. Method: a source
// that counts, and items that take a while.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <thread>

#include "forwarding_source.hpp"
#include "makespan/bag/detail/local_dispatcher.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_job.hpp"
#include "makespan/bag/worker_board.hpp"
#include "team_fixture.hpp"

namespace makespan::bag {
namespace {

class CountingSource final : public ForwardingSource {
 public:
  using ForwardingSource::ForwardingSource;

  void finish(int worker, std::span<ItemRange const> done, Seconds taken, Seconds claim) override {
    ++told;
    for (ItemRange const& part : done) items += part.items();
    ForwardingSource::finish(worker, done, taken, claim);
  }

  int told{0};
  std::int64_t items{0};
};

TEST(ToldItems, are_told_every_10_ms_of_a_chunk_that_is_all_of_the_bag) {
  Bag const bag{{{TaskId{0}, 100, Work{1.0}}}};
  Runner runner(
      [](int, TaskId, ItemRange) { std::this_thread::sleep_for(std::chrono::milliseconds{1}); });
  DeviceTeam team{one_device(1, Mode::automatic, "static")};
  SystemClock const clock{};
  WorkerBoard board{team.layout().workers()};
  LocalDispatcher dispatcher(bag, runner, team.layout(), Dispatcher::steal,
                             {.state = team.state(), .board = board, .clock = clock});
  CountingSource source(dispatcher);

  team.run({.bag = bag, .runner = runner, .stop = {}}, source, board);

  EXPECT_EQ(source.claims(), 1);
  EXPECT_EQ(source.items, 100);
  // Pieces are single items, and ten of them take 10 ms at least, however busy the machine is.
  EXPECT_GE(source.told, 10);
}

}  // namespace
}  // namespace makespan::bag

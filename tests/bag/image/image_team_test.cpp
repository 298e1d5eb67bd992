// SPDX-License-Identifier: Apache-2.0
// Goal: whatever the policy, the dispatcher and the number of images, every item runs once and its
// result is on image 0; devices that fail, images that throw and a stop end as they should. Method:
// items whose results are known, counted where they arrive; each test makes its own team.
#include "makespan/bag/image/image_team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <latch>
#include <stdexcept>
#include <thread>
#include <utility>

#include "counting_runner.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/image/node_place.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::bag {
namespace {

using testing::HasSubstr;

void expect_each_once(CountingRunner& runner, Bag const& bag) {
  EXPECT_EQ(runner.trouble(bag), "");
  runner.forget();
}

// One thread for each of two devices.
TeamOptions two_devices() {
  return {.devices = {{.threads = 1}, {.threads = 1}}};
}

class ImageTeamTest : public testing::Test {
 protected:
  // On image 0 calls `boss(team, runner)`, and elsewhere serves.
  template <class Boss>
  void play(TeamOptions const& options, Boss&& boss, CountingRunner::Work const& work = {}) {
    ImageTeam team(options);
    CountingRunner runner(team.image(), team.devices().threads(), work);
    if (team.image() == 0) {
      boss(team, runner);
    } else {
      Service service(runner);
      team.serve(service);
    }
    team.finish_all();
  }

  static JobReport run(ImageTeam& team, CountingRunner& runner, int tasks) {
    Bag const bag(some_tasks(tasks));
    return team.run(bag, runner, std::as_bytes(std::span(&tasks, 1)), {});
  }
};

TEST_F(ImageTeamTest, Every_item_runs_once_under_every_dispatcher) {
  for (DispatcherEntry const& entry : dispatchers()) {
    SCOPED_TRACE(entry.name);
    TeamOptions options = two_devices();
    options.dispatcher = entry.dispatcher;
    play(options, [&](ImageTeam& team, CountingRunner& runner) {
      for (int const tasks : {60, 1, 0, 13}) {
        JobReport const report = run(team, runner, tasks);
        EXPECT_TRUE(report.together.complete);
        EXPECT_EQ(report.by_image.size(), static_cast<std::size_t>(team.images()));
        EXPECT_EQ(std::ssize(report.together.busy), 2 * team.images());
        if (entry.dispatcher == Dispatcher::boss) {
          EXPECT_EQ(report.together.claims, tasks) << "one request for each task";
        }
        expect_each_once(runner, Bag(some_tasks(tasks)));
      }
    });
  }
}

TEST_F(ImageTeamTest, Every_item_runs_once_under_every_policy) {
  for (PolicyEntry const& entry : policies()) {
    SCOPED_TRACE(entry.name);
    TeamOptions options = two_devices();
    options.policy = entry.name;
    play(options, [&](ImageTeam& team, CountingRunner& runner) {
      EXPECT_TRUE(run(team, runner, 40).together.complete);
      expect_each_once(runner, Bag(some_tasks(40)));
    });
  }
}

TEST_F(ImageTeamTest, Every_item_runs_once_in_every_mode) {
  for (ModeEntry const& entry : modes()) {
    SCOPED_TRACE(entry.name);
    for (std::string const policy : {"equal_time", "fac2", "bold"}) {
      TeamOptions const options{.devices = {{.threads = 2, .mode = entry.mode}, {.threads = 1}},
                                .policy = policy};
      play(options, [&](ImageTeam& team, CountingRunner& runner) {
        EXPECT_TRUE(run(team, runner, 40).together.complete);
        expect_each_once(runner, Bag(some_tasks(40)));
      });
    }
  }
}

// The last image's second device, or image 0's own where that is alone.
TEST_F(ImageTeamTest, A_device_that_hangs_is_left_behind) {
  for (DispatcherEntry const& entry : dispatchers()) {
    SCOPED_TRACE(entry.name);
    TeamOptions options = two_devices();
    options.dispatcher = entry.dispatcher;
    options.overdue.limit = Seconds{0.4};
    options.injections = {{.kind = Injection::Kind::hang,
                           .device = 2 * images_launched() - 1,
                           .item = 0,
                           .time = Seconds{2.0}}};
    int lost = 0;
    play(
        options,
        [&](ImageTeam& team, CountingRunner& runner) {
          int const device = 2 * team.images() - 1;
          for (int const tasks : {60, 13}) {
            JobReport const report = run(team, runner, tasks);
            EXPECT_TRUE(report.together.complete);
            for (OverduePiece const& piece : report.together.overdue) {
              EXPECT_EQ(piece.thread, device);
              if (piece.is_lost) ++lost;
            }
            if (lost > 0) {
              EXPECT_EQ(report.together.failed_devices, std::vector{device});
            }
            expect_each_once(runner, Bag(some_tasks(tasks)));
          }
          EXPECT_EQ(lost, 1);
        },
        [](int, TaskId, std::int64_t) {
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        });
  }
}

// One share for each image. Image 0 takes so long for its first item that the others have theirs by
// then, and a two-hundredth of their time for all that follow.
TEST_F(ImageTeamTest, Slow_images_lose_their_tails) {
  TeamOptions const options{.devices = {{.threads = 1}}, .policy = "static"};
  play(
      options,
      [&](ImageTeam& team, CountingRunner& runner) {
        JobReport const report = run(team, runner, 40);
        if (team.images() > 1) {
          EXPECT_GT(report.together.steals, 0);
        }
        expect_each_once(runner, Bag(some_tasks(40)));
      },
      [is_first = true](int image, TaskId, std::int64_t) mutable {
        bool const waits = std::exchange(is_first, false);
        std::this_thread::sleep_for(std::chrono::microseconds(image > 0 ? 20'000
                                                              : waits   ? 100'000
                                                                        : 100));
      });
}

TEST_F(ImageTeamTest, Messages_of_any_length_arrive_before_the_order) {
  std::vector<std::byte> const message(300'000, std::byte{7});
  std::vector<std::byte> order(200'000);
  int const tasks = 20;
  std::ranges::copy(std::as_bytes(std::span(&tasks, 1)), order.begin());

  ImageTeam team(two_devices());
  CountingRunner runner(team.image(), team.devices().threads());
  Service service(runner);
  if (team.image() == 0) {
    team.send(message);
    Bag const bag(some_tasks(tasks));
    EXPECT_TRUE(team.run(bag, runner, order, {}).together.complete);
    expect_each_once(runner, bag);
  } else {
    team.serve(service);
    EXPECT_EQ(service.received(), message.size());
  }
  team.finish_all();
}

// Of every image but the last one both, and of that the first, for which the second waits.
TEST_F(ImageTeamTest, Failed_devices_cost_what_they_had_not_finished) {
  constexpr int rounds = 2;
  TeamOptions options = two_devices();
  options.policy = "self";  // in chunks of several pieces
  options.policy_options = {{"chunk_items", 20.0}};
  ImageTeam team(options);
  CountingRunner runner(team.image(), team.devices().threads(), [](int, TaskId, std::int64_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  });
  bool const is_last = team.image() == team.images() - 1;
  std::latch has_failed{1};
  std::array<int, 2> pieces{};  // by thread
  runner.before = [&](int thread) {
    if (is_last && thread == 1) return has_failed.wait();
    if (++pieces[static_cast<std::size_t>(thread)] < 5) return;
    if (is_last) has_failed.count_down();
    throw DeviceFailed("as it was told to");
  };
  if (team.image() == 0) {
    for (int round = 0; round < rounds; ++round) {
      JobReport const report = run(team, runner, 60);
      EXPECT_TRUE(report.together.complete);
      EXPECT_THAT(report.together.failed_devices, testing::Contains(2 * team.images() - 2));
      expect_each_once(runner, Bag(some_tasks(60)));
    }
  } else {
    Service service(runner);
    team.serve(service);
  }
  EXPECT_LE(runner.runs_max(), rounds) << "what was finished has run again";
  team.finish_all();
}

TEST_F(ImageTeamTest, All_devices_failed_is_an_error) {
  TeamOptions options = two_devices();
  ImageTeam probe(options);
  int const images = probe.images();
  probe.finish_all();
  for (int device = 0; device < 2 * images; ++device) {
    options.injections.push_back({.kind = Injection::Kind::fail, .device = device, .item = 0});
  }
  play(options, [&](ImageTeam& team, CountingRunner& runner) {
    EXPECT_THAT([&] { run(team, runner, 60); },
                testing::ThrowsMessage<DeviceFailed>(HasSubstr(" fails at item ")));
    EXPECT_EQ(team.last_report().together.failed_devices.size(), 2U * std::size_t(images));
  });
}

TEST_F(ImageTeamTest, Injections_for_devices_that_there_are_not_are_refused) {
  TeamOptions options = two_devices();
  options.injections.push_back({.kind = Injection::Kind::fail, .device = 4000, .item = 0});

  EXPECT_THROW(ImageTeam const team(options), InputError);
}

TEST_F(ImageTeamTest, A_transport_that_owns_its_words_is_refused) {
  ImageTeam probe(two_devices());
  int const images = probe.images();
  probe.finish_all();
  if (images == 1) GTEST_SKIP() << "one image needs no transport";
  ::setenv("MAKESPAN_TRANSPORT", "rma", 1);
  EXPECT_THROW(ImageTeam const team(two_devices()), InputError);
  ::unsetenv("MAKESPAN_TRANSPORT");
}

// Takes the first bag for a longer one, whose items image 0 refuses.
class MisledService final : public ImageService {
 public:
  explicit MisledService(DistributedItemRunner& runner) : service_(runner) {}

  void receive(std::span<std::byte const> message) override { service_.receive(message); }
  Bag begin(std::span<std::byte const> order) override {
    Bag its = service_.begin(order);
    return std::exchange(is_misled_, false) ? Bag(some_tasks(200)) : its;
  }
  DistributedItemRunner& runner() override { return service_.runner(); }

 private:
  Service service_;
  bool is_misled_{true};
};

TEST_F(ImageTeamTest, What_was_refused_in_one_bag_is_not_thrown_in_the_next) {
  TeamOptions options = two_devices();
  options.dispatcher = Dispatcher::counter;  // no image looks for tails, which would not be there
  ImageTeam team(options);
  CountingRunner runner(team.image(), team.devices().threads());
  if (team.image() == 0) {
    if (team.images() > 1) {
      EXPECT_THROW(run(team, runner, 10), RemoteError);
    } else {
      run(team, runner, 10);
    }
    runner.forget();
    for (int bag = 0; bag < 3; ++bag) {
      EXPECT_TRUE(run(team, runner, 10).together.complete);
      expect_each_once(runner, Bag(some_tasks(10)));
    }
  } else {
    MisledService service(runner);
    team.serve(service);
  }
  team.finish_all();
}

TEST_F(ImageTeamTest, What_an_item_throws_comes_home) {
  play(
      two_devices(),
      [&](ImageTeam& team, CountingRunner& runner) {
        try {
          run(team, runner, 40);
          ADD_FAILURE();
        } catch (std::exception const& error) {
          EXPECT_THAT(error.what(), HasSubstr("item 3 of task 11"));
        }
        runner.forget();
      },
      [](int, TaskId task, std::int64_t item) {
        if (task == TaskId{11} && item == 3) throw std::runtime_error("item 3 of task 11");
      });
}

TEST_F(ImageTeamTest, An_invalid_message_fails_the_next_run) {
  play(two_devices(), [&](ImageTeam& team, CountingRunner& runner) {
    team.send(std::vector<std::byte>(1));
    if (team.images() == 1) return;
    try {
      run(team, runner, 40);
      ADD_FAILURE();
    } catch (RemoteError const& error) {
      EXPECT_THAT(error.what(), HasSubstr("a message of one byte"));
    }
    runner.forget();
  });
}

TEST_F(ImageTeamTest, Stop_ends_a_run_on_all_images) {
  std::stop_source stop;
  play(
      two_devices(),
      [&](ImageTeam& team, CountingRunner& runner) {
        int const tasks = 400;
        Bag const bag(some_tasks(tasks));
        std::jthread const stopper([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(30));
          stop.request_stop();
        });
        JobReport const report =
            team.run(bag, runner, std::as_bytes(std::span(&tasks, 1)), stop.get_token());
        EXPECT_FALSE(report.together.complete);
        for (auto const& one : report.by_image) {
          ASSERT_TRUE(one);
          EXPECT_FALSE(one->complete);
        }
        runner.forget();
      },
      [](int, TaskId, std::int64_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
}

}  // namespace
}  // namespace makespan::bag

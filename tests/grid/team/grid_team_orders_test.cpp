// SPDX-License-Identifier: Apache-2.0
// Goal: an order that image 0 would not give, as of another build, is refused where it arrives, and
// the image goes on; and what image 0 is asked too early or for no number of steps it refuses with
// all. Method: image 0 has no team, and speaks as one; or has one, and asks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "count_model.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/agreement.hpp"
#include "makespan/grid/team/detail/team_command.hpp"
#include "makespan/grid/team/grid_team.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/job/process_hold.hpp"
#include "makespan/pgas/runtime.hpp"
#include "makespan/pgas/team_order.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int most = std::numeric_limits<int>::max();

pgas::RuntimeOptions small_heap() {
  pgas::RuntimeOptions options;
  options.heap_bytes = std::int64_t{1} << 20;
  return options;
}

int image_here() {
  pgas::Runtime runtime(small_heap());
  auto const image = static_cast<int>(runtime.image().value());
  runtime.finish_all();
  return image;
}

// On the images that serve true, once image 0 has ended the team.
class FalseOrdersTest : public testing::Test {
 protected:
  [[nodiscard]] bool serves() {
    if (image_ == 0) return false;
    GridTeam team({machine::allowed_cores().front()}, {count_kind()});
    EXPECT_NO_THROW(team.serve());
    team.finish_all();
    return true;
  }

  pgas::ProcessHold hold_{};
  int image_{image_here()};
};

// Image 0's place in the team that the others have.
class FalseTeam {
 public:
  void order(TeamCommand const& command) {
    pgas::send_order_all(runtime_.team(), bytes_of(command));
  }
  // What the others say to an order to open.
  [[nodiscard]] std::string answer() {
    auto const other = other_failure_all(runtime_.team(), nullptr);
    return other ? other->text : "";
  }
  [[nodiscard]] bool is_alone() const { return runtime_.images() == 1; }
  void finish_all() {
    order({.verb = Verb::finish});
    runtime_.finish_all();
  }

 private:
  pgas::Runtime runtime_{small_heap()};
};

TEST_F(FalseOrdersTest, for_devices_that_no_image_has_are_refused_by_all) {
  if (serves()) return;
  FalseTeam team;
  for (TeamOptions const& options :
       {TeamOptions{.devices = most, .gpus = 1}, TeamOptions{.devices = -most - 1},
        TeamOptions{.devices = 2, .speeds = {1, 2, 3, 4, 5, 6, 7}}}) {
    team.order({.verb = Verb::open, .order = order_of({}), .options = options});
    std::string const answer = team.answer();
    EXPECT_TRUE(team.is_alone() || answer.find("devices") != std::string::npos) << answer;
  }
  team.finish_all();
  hold_.finish_all();
}

TEST_F(FalseOrdersTest, before_there_is_a_grid_are_passed_over) {
  if (serves()) return;
  FalseTeam team;
  for (Verb const verb :
       {Verb::start, Verb::run, Verb::heed, Verb::gather, Verb::scatter, Verb::find_bad_value,
        Verb::summary, Verb::digests, Verb::report, Verb::set_step}) {
    team.order({.verb = verb, .box = box});
  }
  team.finish_all();
  hold_.finish_all();
}

class EarlyOrdersTest : public testing::Test {
 protected:
  GridTeam team_{{machine::allowed_cores().front()}, {count_kind()}};
};

TEST_F(EarlyOrdersTest, are_refused_by_image_0_too) {
  if (team_.image() != 0) {
    EXPECT_NO_THROW(team_.serve());
  } else {
    auto const is_refused = [](auto const& ask) {
      EXPECT_THAT(ask, ThrowsMessage<InputError>(HasSubstr("there is no grid yet")));
    };
    is_refused([&] { team_.start(); });
    is_refused([&] { team_.run(1); });
    is_refused([&] { team_.heed({}); });
    is_refused([&] { team_.set_step(1); });
    is_refused([&] { static_cast<void>(team_.gather(0, box)); });
    is_refused([&] { static_cast<void>(team_.digests()); });
    is_refused([&] { static_cast<void>(team_.report()); });
    is_refused([&] { static_cast<void>(team_.step()); });
    team_.open(order_of({}), {});
    team_.start();
    for (std::int64_t const steps : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
      EXPECT_THROW(team_.run(steps), InputError);
      EXPECT_THROW(team_.run(1, steps), InputError);
      EXPECT_THROW(team_.set_step(steps), InputError);
    }
    team_.run(2);
    EXPECT_EQ(team_.step(), 2);
    EXPECT_THAT(team_.gather(0, box), testing::Each(2.0));
  }
  team_.finish_all();
}

}  // namespace
}  // namespace makespan::grid

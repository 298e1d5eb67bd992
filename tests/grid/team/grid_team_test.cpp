// SPDX-License-Identifier: Apache-2.0
// Goal: image 0 runs grids with the cores of all images, one after the other; what is refused is
// refused by all, and what fails anywhere ends the run everywhere. Method: a stencil that counts
// steps, weighted by what it was told; its values are known.
#include "makespan/grid/team/grid_team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "count_model.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/field/box_rows.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/message/archive.hpp"
#include "scoped_variable.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<int> two_cores() {
  std::vector<int> const cores = machine::allowed_cores();
  return {cores.front(), cores.back()};
}

// Image 0 does what the test says; the others serve.
class GridTeamTest : public testing::Test {
 protected:
  [[nodiscard]] bool serves() {
    if (is_first()) return false;
    team_.serve();
    team_.finish_all();
    return true;
  }
  [[nodiscard]] bool is_first() const { return team_.image() == 0; }

  // Another grid can be had after one that was refused; the team's last one.
  void expect_usable() {
    team_.open(order_of({}), {});
    team_.start();
    team_.run(1);
    expect_all(1);
    team_.finish_all();
  }
  void expect_all(double value) {
    EXPECT_THAT(team_.gather(0, box), testing::Each(value));
    EXPECT_EQ(team_.gather(1, {{2, 3, 0}, {3, 4, 14}}),
              (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  }

  GridTeam team_{two_cores(), {count_kind(), compiled_kind()}};
};

TEST_F(GridTeamTest, runs_one_grid_after_the_other) {
  if (serves()) return;
  for (int const devices : {1, 2}) {
    team_.open(order_of({.weight = 2}), {.devices = devices, .rebalance_steps = 2});
    team_.start();
    team_.run(5);
    expect_all(10);
    EXPECT_EQ(team_.step(), 5);
    team_.run(2);
    expect_all(14);

    TeamReport const report = team_.report();
    ASSERT_EQ(std::ssize(report.devices), devices * team_.images());
    std::int64_t planes = 0;
    for (int at = 0; at < std::ssize(report.devices); ++at) {
      DeviceReport const& device = report.devices[static_cast<std::size_t>(at)];
      EXPECT_EQ(device.image, at / devices);
      EXPECT_EQ(device.device, at % devices);
      if (device.planes > 0) {
        EXPECT_GT(device.times.interior + device.times.boundary, Seconds{0.0});
      }
      planes += device.planes;
    }
    EXPECT_EQ(planes, 14);
  }
  team_.finish_all();
}

// What one has taken of the heap another gets, also after one that was refused.
TEST_F(GridTeamTest, runs_many_grids_on_one_heap) {
  if (serves()) return;
  for (int round = 0; round < 20; ++round) {
    TeamOptions options{.devices = 1 + round / 10, .cut = static_cast<ImageCut>(round % 3)};
    if (round % 7 == 6) {
      options.plane_weights = {1, 2};
      EXPECT_THROW(team_.open(order_of({}), options), InputError);
      continue;
    }
    team_.open(order_of({.weight = 3}), options);
    team_.start();
    team_.run(2);
    expect_all(6);
  }
  team_.finish_all();
}

TEST_F(GridTeamTest, cuts_by_speeds_that_are_given) {
  if (serves()) return;
  auto const planes = [&] {
    std::vector<std::int64_t> found;
    for (DeviceReport const& device : team_.report().devices) found.push_back(device.planes);
    return found;
  };
  auto const images = static_cast<std::size_t>(team_.images());
  // Of the devices of each image, or of those of all.
  team_.open(order_of({}), {.devices = 2, .cut = ImageCut::stack, .speeds = {1, 6}});
  std::vector<std::int64_t> const of_each = planes();
  for (std::size_t image = 0; image < images; ++image) {
    EXPECT_LT(of_each[2 * image], of_each[2 * image + 1]);
  }
  std::vector<double> rising(2 * images);
  for (std::size_t at = 0; at < rising.size(); ++at) rising[at] = at + 1 < rising.size() ? 1 : 1e9;
  team_.open(order_of({}), {.devices = 2, .cut = ImageCut::stack, .speeds = rising});
  EXPECT_EQ(planes().back(), 14);
  EXPECT_THAT([&] { team_.open(order_of({}), {.devices = 2, .speeds = {1, 2, 3}}); },
              ThrowsMessage<InputError>(HasSubstr("3 speeds")));
  team_.finish_all();
}

TEST_F(GridTeamTest, gives_points_the_times_that_are_given) {
  if (serves()) return;
  constexpr double point_s = 20e-6;
  constexpr int steps = 2;
  std::vector<double> const of_each{point_s, 0.0};
  std::vector<double> of_all(2 * static_cast<std::size_t>(team_.images()), 0.0);
  of_all.back() = point_s;
  std::vector<double> const of_two_threads{point_s};
  for (std::vector<double> const& times : {of_each, of_all, of_two_threads}) {
    int const devices = std::ssize(times) == 1 ? 1 : 2;
    team_.open(order_of({}), {.devices = devices, .cut = ImageCut::stack, .point_times = times});
    team_.start();
    team_.run(steps);
    expect_all(steps);
    std::vector<DeviceReport> const found = team_.report().devices;
    for (std::size_t at = 0; at < found.size(); ++at) {
      auto const updates = static_cast<double>(found[at].points * steps);
      EXPECT_GE(found[at].times.busy.value(), updates * times[at % times.size()]) << at;
    }
  }
  EXPECT_THAT([&] { team_.open(order_of({}), {.devices = 2, .point_times = {1, 2, 3}}); },
              ThrowsMessage<InputError>(HasSubstr("3 point_times")));
  team_.finish_all();
}

TEST_F(GridTeamTest, tells_what_devices_have_and_sent) {
  if (serves()) return;
  team_.open(order_of({.weight = 2}),
             {.devices = 2,
              .schedule = Schedule::pipeline,
              .layers = {.share = HostShare::front_back, .thickness = 2, .thickness_y = 1},
              .plane_weights = std::vector<double>(14, 3.0),
              .first_look = 2});
  team_.start();
  team_.run(3, 1);
  expect_all(6);
  std::int64_t points = 0;
  for (DeviceReport const& device : team_.report().devices) {
    points += device.points;
    // After the look a device that the others left no time may have none.
    if (device.planes > 0) {
      EXPECT_GT(device.points, device.planes * box.extent().x);
    }
    // A host whose other device has one plane has no plane itself, but the ends along y.
    if (device.points == 0) {
      EXPECT_EQ(device.planes, 0);
    } else if (device.device != 0) {
      EXPECT_GT(device.planes, 0);
    }
    EXPECT_GT(device.halos.messages, 0);
    EXPECT_GT(device.halos.bytes, 0);
  }
  EXPECT_EQ(points, box.points());
  team_.finish_all();
}

// Image 0 writes a file, say, for longer than a wait may last.
class PatientGridTeam : public testing::Test {
 protected:
  ScopedVariable limit_{"MAKESPAN_WAIT_LIMIT_S", "2"};
  GridTeam team_{two_cores(), {count_kind()}};
};

TEST_F(PatientGridTeam, waits_for_orders_as_long_as_image_0_lives) {
  if (team_.image() != 0) {
    EXPECT_NO_THROW(team_.serve());
  } else {
    team_.open(order_of({.weight = 2}), {});
    team_.start();
    for (int times = 0; times < 2; ++times) {
      std::this_thread::sleep_for(std::chrono::seconds(3));
      team_.run(5);
    }
    EXPECT_EQ(team_.step(), 10);
  }
  team_.finish_all();
}

TEST_F(GridTeamTest, keeps_the_last_phases_of_all_devices) {
  if (serves()) return;
  team_.open(order_of({}), {.devices = 2, .phases_kept = 12});
  team_.start();
  team_.run(40);

  for (DeviceReport const& device : team_.report().devices) {
    if (device.planes == 0) continue;
    ASSERT_FALSE(device.phases.empty());
    EXPECT_LE(device.phases.size(), 12U);
    EXPECT_EQ(device.phases.back().step, 39);
    EXPECT_EQ(device.phases.back().points, device.planes * box.extent().x * box.extent().y);
    Seconds before{0.0};
    for (PhaseSpan const& span : device.phases) {
      EXPECT_GE(span.begin, before);
      EXPECT_GE(span.end, span.begin);
      before = span.end;
    }
  }
  team_.finish_all();
}

TEST_F(GridTeamTest, has_gpus_beside_its_cores_or_alone) {
  if (serves()) return;
  for (TeamOptions const& options :
       {TeamOptions{.devices = 1, .gpus = 1}, TeamOptions{.devices = 0, .gpus = 2},
        TeamOptions{.devices = 0, .gpus = 1, .schedule = Schedule::none}}) {
    team_.open(order_of({.weight = 2}), options);
    team_.start();
    team_.run(5);
    expect_all(10);
    std::vector<DeviceReport> const devices = team_.report().devices;
    ASSERT_EQ(std::ssize(devices), (options.devices + options.gpus) * team_.images());
    // A GPU is taken for three cores.
    EXPECT_GT(devices.back().planes, options.devices > 0 ? 14 / 2 / team_.images() : 0);
  }
  for (TeamOptions const& options :
       {TeamOptions{.devices = 0}, TeamOptions{.devices = 2, .gpus = 1},
        TeamOptions{.devices = 1, .gpus = -1}}) {
    EXPECT_THAT([&] { team_.open(order_of({}), options); },
                ThrowsMessage<InputError>(HasSubstr("give 1 to 2")));
  }
  team_.finish_all();
}

TEST_F(GridTeamTest, says_which_image_lacks_a_gpu) {
  has_gpus = team_.image() != team_.images() - 1;
  if (!serves()) {
    EXPECT_THAT([&] { team_.open(order_of({}), {.devices = 1, .gpus = 1}); },
                ThrowsMessage<InputError>(HasSubstr("GPU 0 (not here)")));
    expect_usable();
  }
  has_gpus = true;
}

TEST_F(GridTeamTest, says_which_image_lacks_a_compiler_for_gpus) {
  has_gpu_compiler = team_.image() != team_.images() - 1;
  if (!serves()) {
    TeamOptions const asked{.devices = 1, .gpus = 1};
    if (team_.images() == 1) {
      EXPECT_THROW(team_.open(order_of({}), asked), NotConfigured);
    } else {
      EXPECT_THAT([&] { team_.open(order_of({}), asked); },
                  ThrowsMessage<InputError>(HasSubstr("no compiler for GPUs")));
    }
    expect_usable();
  }
  has_gpu_compiler = true;
}

TEST_F(GridTeamTest, says_which_image_cannot_make_its_model) {
  has_compiler = team_.image() != team_.images() - 1;
  if (!serves()) {
    ModelOrder const order{.kind = "compiled", .bytes = order_of({}).bytes};
    if (team_.images() == 1) {
      EXPECT_THROW(team_.open(order, {}), NotConfigured);
    } else {
      EXPECT_THAT([&] { team_.open(order, {}); },
                  ThrowsMessage<InputError>(HasSubstr("cannot make its model")));
    }
    expect_usable();
  }
  has_compiler = true;
}

TEST_F(GridTeamTest, heeds_what_it_is_told_between_runs) {
  if (serves()) return;
  team_.open(order_of({}), {});
  team_.start();
  team_.run(3);
  team_.heed(pgas::packed(10.0));
  team_.set_step(100);
  team_.run(2);
  expect_all(23);
  EXPECT_EQ(team_.step(), 102);
  team_.finish_all();
}

TEST_F(GridTeamTest, takes_values_finds_bad_ones_and_tells_them_apart) {
  if (serves()) return;
  team_.open(order_of({}), {.devices = 2});
  std::vector<Digest> const digests_of_zeros = team_.digests();
  EXPECT_EQ(std::ssize(digests_of_zeros), 2 * box.extent().z);
  Box const part{{1, 2, 3}, {4, 4, 12}};
  std::vector<double> values(static_cast<std::size_t>(part.points()));
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = 0.5 * static_cast<double>(at);
  team_.scatter(1, part, values);
  EXPECT_EQ(team_.gather(1, part), values);
  EXPECT_FALSE(team_.find_bad_value());
  FieldSummary const summary = team_.summary(1, box);
  EXPECT_EQ(summary.least, 0);
  EXPECT_EQ(summary.most, values.back());
  EXPECT_EQ(summary.scale, -5) << "the largest is " << values.back();
  FixedSum sum;
  for (double const value : values) sum.add(value / 32);
  EXPECT_EQ(summary.sum, sum);
  // The last rows of the part's last planes have its largest value, and their own least one.
  Box const rows{{1, 3, 9}, {4, 4, 12}};
  std::vector<double> const of_rows = team_.gather(1, rows);
  FieldSummary const own = team_.summary(1, rows);
  EXPECT_EQ(own.least, of_rows.front());
  EXPECT_EQ(own.most, of_rows.back());
  FixedSum sum_of_rows;
  for (double const value : of_rows) sum_of_rows.add(value / 32);
  EXPECT_EQ(own.sum, sum_of_rows);
  EXPECT_THROW(static_cast<void>(team_.summary(1, {{0, 0, 0}, {1, 1, 99}})), InputError);
  std::vector<Digest> const digests = team_.digests();
  EXPECT_EQ(digests[0], digests_of_zeros[0]);
  EXPECT_NE(digests, digests_of_zeros);

  team_.open(order_of({}), {.devices = 1});
  team_.scatter(1, part, values);
  EXPECT_EQ(team_.digests(), digests);
  team_.scatter(0, part, values);
  EXPECT_NE(team_.digests(), digests);
  team_.scatter(1, {{8, 4, 13}, box.end}, std::vector{std::nan("")});
  FieldSummary const none = team_.summary(1, box);
  EXPECT_TRUE(std::isnan(none.least) && std::isnan(none.most));
  auto const bad = team_.find_bad_value();
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->field, 1);
  EXPECT_EQ(bad->at, (Point{8, 4, 13}));
  team_.finish_all();
}

TEST_F(GridTeamTest, refuses_and_goes_on) {
  if (serves()) return;
  EXPECT_THAT([&] { team_.open({.kind = "cuont"}, {}); },
              ThrowsMessage<InputError>(HasSubstr("count")));
  EXPECT_THAT([&] { team_.open(order_of({.weight = -1}), {}); },
              ThrowsMessage<InputError>(HasSubstr("weight")));
  EXPECT_THAT([&] { team_.open(order_of({}), {.devices = 3}); },
              ThrowsMessage<InputError>(HasSubstr("devices = 3")));
  // What only a grid finds out, on all images.
  EXPECT_THROW(team_.open(order_of({}), {.steps_at_once = 2}), InputError);
  team_.open(order_of({}), {});
  team_.start();
  EXPECT_THROW(static_cast<void>(team_.gather(2, box)), InputError);
  EXPECT_THROW(static_cast<void>(team_.gather(0, {{}, {10, 1, 1}})), InputError);
  team_.run(1);
  expect_all(1);
  team_.finish_all();
}

// The runtime is made anew for each grid; for one that no memory holds it is not.
TEST_F(GridTeamTest, goes_on_after_a_grid_that_no_memory_holds) {
  if (serves()) return;
  EXPECT_ANY_THROW(team_.open(order_of({.points = {64, 64, std::int64_t{1} << 27}}), {}));
  team_.open(order_of({}), {});
  team_.start();
  team_.run(1);
  expect_all(1);
  team_.finish_all();
}

TEST_F(GridTeamTest, what_fails_on_one_image_ends_the_run_on_all) {
  if (serves()) return;
  team_.open(order_of({.fails_at = 4}), {});
  team_.start();
  EXPECT_THAT([&] { team_.run(10); }, ThrowsMessage<std::runtime_error>(HasSubstr("enough")));
  expect_usable();
}

TEST_F(GridTeamTest, image_that_cannot_start_ends_the_run_on_all) {
  can_start = team_.image() != team_.images() - 1;
  if (serves()) return;
  team_.open(order_of({}), {});
  EXPECT_THAT([&] { team_.start(); }, ThrowsMessage<std::runtime_error>(HasSubstr("no memory")));
  expect_usable();
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: an invalid grid or a failure on one device of one image ends on all images in an error, and
// no image waits for ever; the job can go on with another grid. Method: stencils that throw, heaps
// and memories that are too small; on 1, 2 and 3 images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "grid/peer_accelerator.hpp"
#include "late_accelerator.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws at a step, at none below 0: in what is computed first, or in what halos do not wait for.
class Breaking final : public Stencil {
 public:
  enum class Part : std::uint8_t { any, interior };

  explicit Breaking(std::int64_t at, Part part = Part::any) : at_{at}, part_{part} {}
  [[nodiscard]] StencilShape shape() const override { return sums_.shape(); }
  void sweep(Sweep const& sweep) const override {
    bool const is_layer = sweep.box.extent().z <= sums_width;
    if (sweep.step == at_ && (part_ == Part::any || !is_layer)) {
      throw Broken("step " + std::to_string(at_));
    }
    sums_.sweep(sweep);
  }

 private:
  std::int64_t at_;
  Part part_;
  WeightedSums sums_{};
};

GridProblem const problem{.box = {{}, {9, 5, 60}}, .values = {FaceValues{}, FaceValues{}}};

class GridFailureTest : public testing::Test {
 protected:
  void TearDown() override { runtime_.finish_all(); }

  [[nodiscard]] int me() const { return static_cast<int>(runtime_.image().value()); }

  struct Failure {
    int image{};
    int device{};
    std::int64_t step{};
    Breaking::Part part{};
  };

  // A grid of which one device breaks, run for six steps.
  void run_broken_all(Failure const& of, GridOptions const& options) {
    std::vector<GridDevice> devices(2, {.stencil = &whole_});
    Breaking const breaking(of.step, of.part);
    if (me() == of.image) devices[static_cast<std::size_t>(of.device)].stencil = &breaking;
    Grid grid(runtime_, problem, devices, options);
    grid.fill([](int, Point at) { return whole_number_at(at); });
    grid.run_all(6);
  }

  void expect_stopped(Failure const& of, GridOptions const& options) {
    std::string const what = "image " + std::to_string(of.image) + ", device " +
                             std::to_string(of.device) + ", step " + std::to_string(of.step);
    if (me() == of.image) {
      EXPECT_THROW(run_broken_all(of, options), Broken) << what;
    } else {
      EXPECT_THROW(run_broken_all(of, options), GridStopped) << what;
    }
  }

  pgas::Runtime runtime_{{.threads = 3}};
  Breaking whole_{-1};
};

TEST_F(GridFailureTest, Stops_on_all_images_when_a_device_breaks) {
  for (int image = 0; image < runtime_.images(); ++image) {
    for (int const device : {0, 1}) {
      for (std::int64_t const step : {0, 3, 5}) expect_stopped({image, device, step}, {});
    }
  }
}

// In the last step all halos are sent by then.
TEST_F(GridFailureTest, Stops_on_all_images_when_a_device_breaks_after_it_sent) {
  for (Route const route : {Route::direct, Route::relayed}) {
    for (int image = 0; image < runtime_.images(); ++image) {
      for (int const device : {0, 1}) {
        expect_stopped({image, device, 5, Breaking::Part::interior}, {.route = route});
      }
    }
  }
}

TEST_F(GridFailureTest, Stops_with_any_schedule_and_cut) {
  int const last = runtime_.images() - 1;
  expect_stopped({last, 0, 2}, {.schedule = Schedule::none});
  expect_stopped({last, 1, 2}, {.route = Route::relayed});
  expect_stopped({0, 1, 2}, {.cut = ImageCut::boxes});
  expect_stopped({0, 0, 2}, {.rebalance = {.steps = 1}});
}

// An image without a part of the grid has no neighbour that could tell it.
TEST_F(GridFailureTest, Stops_on_images_without_planes) {
  GridProblem const thin{.box = {{}, {9, 5, 1}}, .values = problem.values};
  Breaking const breaking(1);
  {
    Grid grid(runtime_, thin, {{.stencil = &breaking}});
    if (grid.stacks()[0].planes[static_cast<std::size_t>(me())] > 0) {
      EXPECT_THROW(grid.run_all(4), Broken);
    } else {
      EXPECT_THROW(grid.run_all(4), GridStopped);
    }
  }
}

TEST_F(GridFailureTest, Goes_on_with_another_grid) {
  expect_stopped({0, 1, 3}, {});
  {
    Grid grid(runtime_, problem, {{.stencil = &whole_}, {.stencil = &whole_}});
    grid.run_all(6);
    EXPECT_EQ(grid.step(), 6);
  }
}

TEST_F(GridFailureTest, Refuses_a_heap_without_room_for_boxes_that_move) {
  std::int64_t const rest = std::int64_t{1} << 19;
  auto const ballast =
      runtime_.allocate_all<double>((runtime_.describe().heap_bytes - rest) / 8, "ballast");
  EXPECT_THAT([&] { Grid(runtime_, problem, {{.stencil = &whole_}}); },
              ThrowsMessage<InputError>(HasSubstr("boxes that move")));
  runtime_.free_all(ballast);
}

TEST_F(GridFailureTest, Refuses_a_heap_without_room_for_halos) {
  std::int64_t const rest = (std::int64_t{1} << 20) + (std::int64_t{1} << 16);
  auto const ballast =
      runtime_.allocate_all<double>((runtime_.describe().heap_bytes - rest) / 8, "ballast");
  GridProblem const wide{.box = {{}, {60, 50, 16}}, .values = problem.values};
  EXPECT_THAT([&] { Grid(runtime_, wide, {{.stencil = &whole_}, {.stencil = &whole_}}); },
              ThrowsMessage<InputError>(HasSubstr("halos")));
  runtime_.free_all(ballast);
}

// The last image's devices are the only ones that get planes.
TEST_F(GridFailureTest, Refuses_a_grid_on_all_images_when_one_has_no_memory_for_it) {
  GridProblem const huge{.box = {{}, {std::int64_t{1} << 20, std::int64_t{1} << 20, 64}},
                         .values = problem.values};
  double const speed = me() == runtime_.images() - 1 ? 1 : 1e-9;
  EXPECT_THROW(Grid(runtime_, huge, {{.stencil = &whole_, .speed = Speed{speed}}}), InputError);
}

// An accelerator with no memory besides what it has given.
class FullAccelerator final : public LateAccelerator {
 public:
  using LateAccelerator::LateAccelerator;
  [[nodiscard]] FieldMemory memory(std::int64_t doubles) override {
    if (is_full) throw InputError("a field", "the accelerator is full", "take fewer points");
    return LateAccelerator::memory(doubles);
  }
  bool is_full{false};
};

TEST_F(GridFailureTest, Keeps_cut_and_values_where_one_image_has_no_memory_for_another_cut) {
  GridOptions options{.cut = ImageCut::stack};
  auto const fill = [](int, Point at) { return whole_number_at(at); };
  SumsAlongZ const sums;
  GridProblem const one{.box = problem.box, .values = {FaceValues{}}};
  std::vector<GridDevice> devices(2, {.stencil = &sums});
  Grid plain(runtime_, one, devices, options);
  plain.fill(fill);
  plain.run_all(6);
  auto const expected = plain.digests_all();
  plain.close_all();

  auto const accelerator =
      std::make_shared<FullAccelerator>([&](Sweep const& sweep) { sums.sweep(sweep); });
  if (me() == runtime_.images() - 1) devices[1].accelerator = accelerator;
  // Any cut is worth it.
  options.rebalance = {.steps = 4, .options = {.gain_min = -1e9}};
  Grid grid(runtime_, one, devices, options);
  grid.fill(fill);
  grid.run_all(2);
  accelerator->is_full = true;
  std::vector<DeviceStack> const stacks = grid.stacks();
  std::vector<std::int64_t> planes = stacks[0].planes;
  ++planes.front();
  --planes.back();

  EXPECT_THAT([&] { grid.restack_all({planes}); },
              ThrowsMessage<InputError>(HasSubstr("the accelerator is full")));
  EXPECT_EQ(grid.stacks(), stacks);
  EXPECT_EQ(grid.report().rebalances, 0);
  grid.run_all(4, 1'000'000'000);
  // What was measured may ask for a cut that needs no memory of the full one, because it keeps
  // its planes or has none: no other is made.
  EXPECT_THAT(grid.stacks()[0].planes.back(), AnyOf(0, stacks[0].planes.back()));
  EXPECT_EQ(grid.digests_all(), expected);
  grid.close_all();
}

// An accelerator that breaks where others of its node are to reach its halos, or it theirs.
class BrokenPeer final : public PeerAccelerator {
 public:
  enum class At : std::uint8_t { nowhere, buffer, key, open };

  using PeerAccelerator::PeerAccelerator;
  [[nodiscard]] FieldMemory halo_buffer(std::int64_t doubles) override {
    break_at(At::buffer);
    return PeerAccelerator::halo_buffer(doubles);
  }
  [[nodiscard]] BufferKey key_of(FieldMemory const& buffer) override {
    break_at(At::key);
    return PeerAccelerator::key_of(buffer);
  }
  [[nodiscard]] FieldMemory open_buffer(BufferKey const& key) override {
    break_at(At::open);
    return PeerAccelerator::open_buffer(key);
  }
  At at{At::nowhere};

 private:
  void break_at(At place) const {
    if (at == place) throw Broken("the accelerator has gone");
  }
};

class BrokenPeerTest : public GridFailureTest {
 protected:
  // Two devices, of which the last image's have accelerators that reach each other.
  std::vector<GridDevice> devices() {
    std::vector<GridDevice> two(2, {.stencil = &sums_});
    if (me() != runtime_.images() - 1) return two;
    two[0].accelerator =
        std::make_shared<PeerAccelerator>([&](Sweep const& sweep) { sums_.sweep(sweep); });
    two[1].accelerator = broken_;
    return two;
  }

  template <class Work>
  void expect_refused(Work&& work) {
    if (me() == runtime_.images() - 1) {
      EXPECT_THROW(work(), Broken);
    } else {
      EXPECT_THAT(work, ThrowsMessage<InputError>(HasSubstr("the accelerator has gone")));
    }
  }

  SumsAlongZ sums_{};
  GridProblem one_{.box = problem.box, .values = {FaceValues{}}};
  GridOptions options_{.cut = ImageCut::stack};
  std::shared_ptr<BrokenPeer> broken_{
      std::make_shared<BrokenPeer>([this](Sweep const& sweep) { sums_.sweep(sweep); })};
};

TEST_F(BrokenPeerTest, Is_refused_on_all_images) {
  for (BrokenPeer::At const at :
       {BrokenPeer::At::buffer, BrokenPeer::At::key, BrokenPeer::At::open}) {
    broken_->at = at;
    expect_refused([&] { Grid(runtime_, one_, devices(), options_); });
  }
}

TEST_F(BrokenPeerTest, Leaves_a_grid_that_can_be_closed_when_it_breaks_between_two_cuts) {
  Grid grid(runtime_, one_, devices(), options_);
  grid.run_all(2);
  broken_->at = BrokenPeer::At::open;
  std::vector<std::int64_t> planes = grid.stacks()[0].planes;
  ++planes.front();
  --planes.back();

  expect_refused([&] { grid.restack_all({planes}); });
  grid.close_all();

  broken_->at = BrokenPeer::At::nowhere;
  Grid next(runtime_, one_, devices(), options_);
  next.run_all(2);
  next.close_all();
}

// Threads of this process that are made meanwhile ask for more stack than there are addresses.
class NoThreads {
 public:
  NoThreads() {
    pthread_attr_t large;
    pthread_getattr_default_np(&before_);
    pthread_getattr_default_np(&large);
    pthread_attr_setstacksize(&large, std::size_t{1} << 47);
    is_set_ = pthread_setattr_default_np(&large) == 0;
    pthread_attr_destroy(&large);
  }
  NoThreads(NoThreads const&) = delete;
  NoThreads& operator=(NoThreads const&) = delete;
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  [[nodiscard]] bool is_set() const { return is_set_; }

 private:
  pthread_attr_t before_{};
  bool is_set_{};
};

TEST_F(GridFailureTest, Refuses_a_grid_on_all_images_when_one_gets_no_threads) {
  bool const is_last = me() == runtime_.images() - 1;
  // A thread for each device, and threads within one.
  for (auto const& cores : std::vector<std::vector<std::vector<int>>>{{{}, {}}, {{-1, -1}}}) {
    std::vector<GridDevice> devices;
    for (auto const& of_device : cores) {
      devices.push_back({.stencil = &whole_, .cores = of_device});
    }
    std::optional<NoThreads> none;
    if (is_last) none.emplace();
    ASSERT_TRUE(!none || none->is_set());
    if (is_last) {
      EXPECT_THROW(Grid(runtime_, problem, devices), std::system_error);
    } else {
      EXPECT_THAT([&] { Grid(runtime_, problem, devices); },
                  ThrowsMessage<InputError>(HasSubstr("refused its part of the grid")));
    }
  }
}

// Longer at one step than a wait lasts, when its boundary has been sent.
class Lingering final : public Stencil {
 public:
  explicit Lingering(std::chrono::seconds time) : time_{time} {}
  [[nodiscard]] StencilShape shape() const override { return sums_.shape(); }
  void sweep(Sweep const& sweep) const override {
    if (sweep.step == 1 && sweep.box.extent().z > sums_width) std::this_thread::sleep_for(time_);
    sums_.sweep(sweep);
  }

 private:
  std::chrono::seconds time_;
  WeightedSums sums_{};
};

// All devices linger, and so nothing comes for the hosts that carry halos: these fail.
TEST(RelayFailureTest, Stops_the_devices_that_wait_for_what_a_host_carries) {
  pgas::Runtime runtime({.threads = 3, .wait_limit = Seconds{2}});
  if (runtime.images() > 1) {
    Lingering const lingering(std::chrono::seconds{4});
    std::vector<GridDevice> const devices(2, {.stencil = &lingering});
    Grid grid(runtime, problem, devices, {.route = Route::relayed});
    grid.fill([](int, Point at) { return whole_number_at(at); });
    std::string said;
    try {
      grid.run_all(6);
    } catch (std::exception const& error) {
      said = error.what();  // GridStopped where the host was stopped before it failed
    }
    EXPECT_THAT(said, HasSubstr("relaying halos"));
  }
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: what packing halos takes is told apart from what giving them to the network takes, and what
// comes while a device sweeps is dealt with before the sweep is over. Method: an MPI whose sends
// take longer than they could without it; a sweep that ends when another image, which needs this
// one's progress, is a step further. On 1, 2 and 3 images; by messages the halos need both.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#ifdef MAKESPAN_TEST_HAS_MPI
#include <mpi.h>
#endif

#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace {

constexpr std::chrono::milliseconds send_time{2};
std::atomic<bool> are_sends_slow{false};

}  // namespace

#ifdef MAKESPAN_TEST_HAS_MPI
// In place of MPI's own, which it calls: MPI's standard has PMPI_ for that (15.2).
extern "C" int MPI_Isend(void const* buffer, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm communicator, MPI_Request* request) {
  if (are_sends_slow) std::this_thread::sleep_for(send_time);
  return PMPI_Isend(buffer, count, type, to, tag, communicator, request);
}
#endif

namespace makespan::grid {
namespace {

using Clock = std::chrono::steady_clock;

// A step of image 0 in which its sweep goes on until image 1 has begun the next one, and the pause
// in it drives progress. Image 1 cannot end its step before image 0 has dealt with the halo that it
// put there, nor begin the next one before it has image 0's.
constexpr std::int64_t long_step = 1;

class LongSums final : public Stencil {
 public:
  LongSums(int image, std::filesystem::path sign) : image_{image}, sign_{std::move(sign)} {}

  [[nodiscard]] StencilShape shape() const override { return sums_.shape(); }
  void sweep(Sweep const& sweep) const override {
    sums_.sweep(sweep);
    if (image_ == 1 && sweep.step == long_step + 1) std::ofstream(sign_).put('1');
    bool const is_interior = sweep.box.extent().z > 1;
    if (image_ != 0 || sweep.step != long_step || !is_interior) return;
    auto const limit = Clock::now() + std::chrono::seconds{10};
    while (!std::filesystem::exists(sign_) && Clock::now() < limit) sweep.pause();
    has_seen_ = std::filesystem::exists(sign_);
  }
  [[nodiscard]] bool has_seen() const { return has_seen_; }

 private:
  SumsAlongZ sums_{};
  int image_;
  std::filesystem::path sign_;
  mutable std::atomic<bool> has_seen_{false};
};

class HaloTimingTest : public testing::Test {
 protected:
  void TearDown() override { runtime_.finish_all(); }

  // One for all images of the job, which are on one host.
  [[nodiscard]] std::filesystem::path sign_of_all() {
    auto const mine = Clock::now().time_since_epoch().count();
    auto const all = runtime_.team().all_gather_all(std::span<std::int64_t const>(&mine, 1));
    return std::filesystem::path(testing::TempDir()) / ("step-" + std::to_string(all.front()));
  }

  pgas::Runtime runtime_{{.threads = 2}};
};

TEST_F(HaloTimingTest, Packing_is_timed_apart_from_sending) {
  constexpr Point size{24, 16, 60};
  constexpr int steps = 4;
  WeightedSums const sums;
  GridProblem const problem{.box = {{}, size}, .values = {FaceValues{}, FaceValues{}}};
  Grid grid(runtime_, problem, {{.stencil = &sums}, {.stencil = &sums}},
            {.cut = ImageCut::stack, .phases_kept = 1000});
  are_sends_slow = true;
  grid.run_all(steps);
  are_sends_slow = false;

  Seconds const slow{std::chrono::duration<double>(send_time).count()};
  std::int64_t packs = 0;
  std::int64_t sends = 0;
  std::int64_t slow_sends = 0;
  for (std::vector<PhaseSpan> const& spans : grid.phases()) {
    for (PhaseSpan const& span : spans) {
      packs += span.phase == Phase::pack ? 1 : 0;
      sends += span.phase == Phase::send ? 1 : 0;
      bool const is_slow = span.end - span.begin >= slow;
      slow_sends += span.phase == Phase::send && is_slow ? 1 : 0;
    }
  }
  std::int64_t messages = 0;
  std::int64_t puts = 0;
  for (HaloCounts const& counts : grid.report().halos) {
    messages += counts.messages;
    puts += counts.messages - counts.direct;
  }
  EXPECT_EQ(packs, messages);
  EXPECT_EQ(sends, messages);
#ifdef MAKESPAN_TEST_HAS_MPI
  if (runtime_.images() > 1 && runtime_.describe().transport == "am") {
    EXPECT_GT(puts, 0);
    EXPECT_GE(slow_sends, puts) << "each put has a send of MPI's in it";
  }
#endif
  for (DeviceTimes const& times : grid.report().devices) EXPECT_GT(times.pack, Seconds{0.0});
  grid.close_all();
}

TEST_F(HaloTimingTest, What_comes_is_dealt_with_while_a_device_sweeps) {
  if (runtime_.images() == 1) GTEST_SKIP() << "no image puts to another";
  auto const image = static_cast<int>(runtime_.image().value());
  std::filesystem::path const sign = sign_of_all();
  LongSums const sums(image, sign);
  GridProblem const problem{.box = {{}, {9, 5, 60}}, .values = {FaceValues{}}};
  Grid grid(runtime_, problem, {{.stencil = &sums}}, {.cut = ImageCut::stack});
  grid.run_all(long_step + 2);
  if (image == 0) {
    EXPECT_TRUE(sums.has_seen()) << "image 1 was not a step further when the sweep ended";
  }
  grid.close_all();
  std::filesystem::remove(sign);
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: a meeting that a timeout has interrupted is still the same meeting when it is tried again.
// Method: image 0 waits for an image that sleeps for longer than its limit; the meeting after that
// must not be over before image 0 comes to it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "c_job.hpp"
#include "makespan/capi/pgas.h"

namespace makespan::capi {
namespace {

// Of image 0 alone: the others wait for as long as it takes. Time for images that share cores to
// begin and end in.
constexpr double limit_s = 1.0;
constexpr std::chrono::milliseconds late{2500};

class Meetings : public CJob {
 protected:
  void SetUp() override {
    CJob::SetUp();
    end_open_job();
    makespan_options options;
    makespan_options_init(&options);
    options.heap_bytes = 1 << 20;
    if (image_ == 0) options.wait_limit_s = limit_s;
    ASSERT_OK(makespan_begin_all(&options, &runtime_));
    ASSERT_OK(makespan_endpoint_of(runtime_, 0, &here_));
    ASSERT_OK(makespan_allocate_all(runtime_, 8, "data", &data_));
  }
  void TearDown() override { EXPECT_OK(makespan_end_all(runtime_)); }

  // Image 0: with all others, the last of which is late.
  void meet_all_others() {
    std::vector<std::int32_t> others(static_cast<std::size_t>(images_ - 1));
    std::iota(others.begin(), others.end(), 1);
    auto const meet = [&] { return makespan_sync_images(here_, others.data(), images_ - 1); };
    EXPECT_EQ(MAKESPAN_TIMEOUT, meet());
    int status = MAKESPAN_TIMEOUT;
    while (status == MAKESPAN_TIMEOUT) status = meet();
    ASSERT_OK(status);

    // The others are at the next meeting by now.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::int64_t const value = 7;
    for (std::int32_t const other : others) {
      ASSERT_OK(makespan_put(here_, {data_, other}, &value, sizeof value));
    }
    ASSERT_OK(meet());
  }

  void meet_the_first() {
    std::int32_t const first = 0;
    if (image_ == images_ - 1) std::this_thread::sleep_for(late);
    ASSERT_OK(makespan_sync_images(here_, &first, 1));

    ASSERT_OK(makespan_sync_images(here_, &first, 1));

    std::int64_t value = 0;
    ASSERT_OK(makespan_get(here_, {data_, image_}, &value, sizeof value));
    EXPECT_EQ(value, 7);
  }

  std::int64_t data_{};
};

TEST_F(Meetings, that_time_out_go_on_when_they_are_tried_again) {
  if (images_ == 1) return;
  if (image_ == 0) {
    meet_all_others();
  } else {
    meet_the_first();
  }
}

}  // namespace
}  // namespace makespan::capi

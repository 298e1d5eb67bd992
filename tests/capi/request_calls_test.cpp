// SPDX-License-Identifier: Apache-2.0
// Goal: a request is freed when it is over, and stays while it may be under way, whatever its wait
// ended in. Method: requests that fail as they are told.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "c_job.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/capi/detail/handles.hpp"

namespace makespan::capi {
namespace {

struct Fate {
  bool is_ready{false};
  void (*fail)(){};
  bool is_freed{false};
};

class FatedRequest final : public makespan_request {
 public:
  FatedRequest(makespan_endpoint& here, Fate& fate) : makespan_request(here), fate_{fate} {}
  ~FatedRequest() override { fate_.is_freed = true; }

  [[nodiscard]] bool is_ready() const override { return fate_.is_ready; }
  void finish() override { fate_.fail(); }

 private:
  Fate& fate_;
};

void fail_inside() {
  throw std::runtime_error("progress failed");
}

void lose() {
  throw ImageFailed(ImageId{0}, "it was silent", "get_async");
}

void time_out() {
  throw WaitTimeout("no image has answered");
}

using Requests = CJob;

TEST_F(Requests, that_may_be_under_way_stay) {
  Fate fate{.is_ready = false, .fail = fail_inside};
  makespan_request* request = new FatedRequest(*here_, fate);

  EXPECT_EQ(MAKESPAN_INTERNAL, makespan_request_wait(&request));
  EXPECT_NE(request, nullptr);
  fate.fail = lose;
  EXPECT_EQ(MAKESPAN_IMAGE_FAILED, makespan_request_wait(&request));
  EXPECT_NE(request, nullptr);
  EXPECT_FALSE(fate.is_freed);

  fate = {.is_ready = true, .fail = [] {}};
  EXPECT_OK(makespan_request_wait(&request));
  EXPECT_EQ(request, nullptr);
  EXPECT_TRUE(fate.is_freed);
}

// Done by a helper thread, after the wait had ended.
TEST_F(Requests, that_time_out_stay_though_they_are_ready) {
  Fate fate{.is_ready = true, .fail = time_out};
  makespan_request* request = new FatedRequest(*here_, fate);

  EXPECT_EQ(MAKESPAN_TIMEOUT, makespan_request_wait(&request));
  EXPECT_NE(request, nullptr);

  fate.fail = [] {};
  EXPECT_OK(makespan_request_wait(&request));
  EXPECT_TRUE(fate.is_freed);
}

TEST_F(Requests, that_are_over_are_freed_whatever_they_ended_in) {
  Fate fate{.is_ready = true, .fail = lose};
  makespan_request* request = new FatedRequest(*here_, fate);
  std::int32_t is_done = -1;

  EXPECT_EQ(MAKESPAN_IMAGE_FAILED, makespan_request_test(&request, &is_done));
  EXPECT_EQ(request, nullptr);
  EXPECT_TRUE(fate.is_freed);
}

}  // namespace
}  // namespace makespan::capi

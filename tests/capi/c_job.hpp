// SPDX-License-Identifier: Apache-2.0
#pragma once

// A job begun and ended through the C boundary, for one test.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "makespan/capi/pgas.h"

namespace makespan::capi {

#define EXPECT_OK(call) EXPECT_EQ(MAKESPAN_OK, call) << makespan_last_error()
#define ASSERT_OK(call) ASSERT_EQ(MAKESPAN_OK, call) << makespan_last_error()

// The call is refused as bad input, with a text that holds `part`.
#define EXPECT_REFUSED(call, part)                                              \
  do {                                                                          \
    EXPECT_EQ(MAKESPAN_BAD_INPUT, call);                                        \
    EXPECT_NE(std::string(makespan_last_error()).find(part), std::string::npos) \
        << "the text is: " << makespan_last_error();                            \
  } while (false)

// The job stays open from one test to the next, since beginning one takes a while when there are
// more images than cores.
class CJob : public testing::Test {
 public:
  // Collective.
  static void end_open_job() {
    if (open_ == nullptr || makespan_image(open_) < 0) return;
    EXPECT_OK(makespan_end_all(open_));
  }

 protected:
  explicit CJob(int threads = 1) : threads_{threads} {}

  void SetUp() override {
    if (threads_ != open_threads_) end_open_job();
    if (open_ == nullptr || makespan_image(open_) < 0) begin();
    runtime_ = open_;
    ASSERT_NE(runtime_, nullptr);
    image_ = makespan_image(runtime_);
    images_ = makespan_images(runtime_);
    ASSERT_OK(makespan_endpoint_of(runtime_, 0, &here_));
    ASSERT_OK(makespan_team_of_all(runtime_, &team_));
  }

  void TearDown() override {
    if (makespan_image(runtime_) < 0) return;
    // Others may still need this image, which drives no progress between tests.
    meet();
    for (std::int64_t const offset : allocated_) EXPECT_OK(makespan_free_all(runtime_, offset));
  }

  // Given back after the test.
  [[nodiscard]] std::int64_t allocate(std::int64_t bytes) {
    std::int64_t offset = -1;
    EXPECT_OK(makespan_allocate_all(runtime_, bytes, "test", &offset));
    allocated_.push_back(offset);
    return offset;
  }
  template <class T>
  [[nodiscard]] T* local(std::int64_t offset, std::int64_t count) {
    void* begin = nullptr;
    EXPECT_OK(
        makespan_local(runtime_, offset, count * static_cast<std::int64_t>(sizeof(T)), &begin));
    return static_cast<T*>(begin);
  }
  // This thread's puts can be seen, and all images are here.
  void meet() {
    EXPECT_OK(makespan_flush_all(here_));
    EXPECT_OK(makespan_barrier_all(team_));
  }
  [[nodiscard]] std::int32_t next() const { return (image_ + 1) % images_; }
  [[nodiscard]] std::int32_t previous() const { return (image_ + images_ - 1) % images_; }

  makespan_runtime* runtime_{};
  makespan_endpoint* here_{};
  makespan_team* team_{};
  std::int32_t image_{};
  std::int32_t images_{};

 private:
  void begin() {
    makespan_options options;
    makespan_options_init(&options);
    options.heap_bytes = 1 << 20;
    options.threads = threads_;
    ASSERT_OK(makespan_begin_all(&options, &open_));
    open_threads_ = threads_;
  }

  static inline makespan_runtime* open_{};
  static inline int open_threads_{};
  int threads_;
  std::vector<std::int64_t> allocated_{};
};

class EndAtLast : public testing::Environment {
 public:
  void TearDown() override { CJob::end_open_job(); }
};

}  // namespace makespan::capi

// SPDX-License-Identifier: Apache-2.0
// Goal: one runtime at a time, handles that find out when it has ended, endpoints for threads, and
// facts about images; all by status, nothing by crash.
#include "makespan/capi/detail/handles.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "c_job.hpp"
#include "makespan/capi/detail/status_of.hpp"

namespace makespan::capi {
namespace {

using Job = CJob;

[[maybe_unused]] auto* const end_at_last = testing::AddGlobalTestEnvironment(new EndAtLast);

TEST(Options, have_the_defaults_of_the_runtime) {
  makespan_options options;
  makespan_options_init(&options);
  EXPECT_EQ(1, options.threads);
  EXPECT_EQ(MAKESPAN_PROGRESS_MANUAL, options.progress);
  EXPECT_EQ(MAKESPAN_PER_THREAD, options.endpoints);
  EXPECT_EQ(std::int64_t{32} << 20, options.heap_bytes);
  EXPECT_EQ(std::int64_t{64} << 10, options.message_bytes_max);
  EXPECT_EQ(1.25, options.silence_s);
  EXPECT_EQ(300.0, options.wait_limit_s);
  EXPECT_EQ(nullptr, options.transport);
  makespan_options_init(nullptr);  // harmless
}

TEST(Options, that_are_invalid_are_refused_on_all_images) {
  CJob::end_open_job();
  makespan_options options;
  makespan_runtime* runtime = nullptr;
  makespan_options_init(&options);
  options.progress = 4;
  EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "options.progress = 4");
  makespan_options_init(&options);
  options.endpoints = -1;
  EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "options.endpoints = -1");
  makespan_options_init(&options);
  options.stealing = 2;
  EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "options.stealing = 2");
  makespan_options_init(&options);
  options.threads = 0;
  EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "threads = 0");
  makespan_options_init(&options);
  options.transport = "pigeon";
  // The environment of the test may say otherwise, and then counts.
  if (std::getenv("MAKESPAN_TRANSPORT") == nullptr) {
    EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "pigeon");
  }
  EXPECT_EQ(nullptr, runtime);
  EXPECT_REFUSED(makespan_begin_all(nullptr, nullptr), "runtime is a null pointer");
}

// No image waits for one that was refused before it came to them.
TEST_F(Job, is_refused_on_all_images_when_one_asks_for_a_choice_that_is_none) {
  CJob::end_open_job();
  makespan_options options;
  makespan_runtime* runtime = nullptr;
  makespan_options_init(&options);
  if (image_ == images_ - 1) options.progress = 9;
  EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "options.progress = 9");
  makespan_options_init(&options);
  if (image_ == 0) options.endpoints = 3;
  EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "options.endpoints = 3");
  makespan_options_init(&options);
  if (image_ == images_ - 1) options.stealing = -1;
  EXPECT_REFUSED(makespan_begin_all(&options, &runtime), "options.stealing = -1");
  EXPECT_EQ(nullptr, runtime);
}

TEST_F(Job, knows_its_images) {
  ASSERT_OK(makespan_barrier_all(team_));
  EXPECT_LE(0, image_);
  EXPECT_LT(image_, images_);
  makespan_description facts;
  ASSERT_OK(makespan_describe(runtime_, &facts));
  EXPECT_EQ(images_, facts.images);
  EXPECT_EQ(1, facts.nodes);
  EXPECT_EQ(1, facts.threads);
  EXPECT_EQ(1 << 20, facts.heap_bytes);
  EXPECT_STRNE("", facts.launcher);
  EXPECT_STRNE("", facts.transport);
  EXPECT_STRNE("", facts.endpoints);
  EXPECT_STRNE("", facts.progress);
}

TEST_F(Job, is_the_only_one_of_its_process) {
  makespan_runtime* second = nullptr;
  EXPECT_REFUSED(makespan_begin_all(nullptr, &second), "while a runtime is open");
}

TEST_F(Job, handles_find_out_that_it_has_ended) {
  std::int64_t const offset = allocate(8);
  makespan_team* part = nullptr;
  ASSERT_OK(makespan_team_split_all(team_, 0, 0, &part));
  CJob::end_open_job();
  std::int64_t old = 0;
  EXPECT_REFUSED(makespan_fetch_add(here_, {offset, image_}, 1, &old), "after makespan_end_all");
  EXPECT_REFUSED(makespan_put(here_, {offset, image_}, &old, 8), "after makespan_end_all");
  EXPECT_REFUSED(makespan_flush_all(here_), "after makespan_end_all");
  EXPECT_REFUSED(makespan_barrier_all(team_), "after makespan_end_all");
  EXPECT_REFUSED(makespan_barrier_all(part), "after makespan_end_all");
  EXPECT_REFUSED(makespan_end_all(runtime_), "after makespan_end_all");
  EXPECT_REFUSED(makespan_use_endpoint(runtime_, 0), "after makespan_end_all");
  EXPECT_REFUSED(makespan_team_of_node(runtime_, &part), "after makespan_end_all");
  EXPECT_EQ(-1, makespan_image(runtime_));
  EXPECT_EQ(-1, makespan_images(runtime_));
  EXPECT_EQ(-1, makespan_team_rank(team_));
  EXPECT_EQ(-1, makespan_team_size(team_));
}

TEST_F(Job, can_follow_another_in_the_same_process) {
  makespan_runtime* const first = runtime_;
  CJob::end_open_job();
  SetUp();
  EXPECT_NE(first, runtime_);
  EXPECT_EQ(-1, makespan_image(first));
}

TEST_F(Job, null_handles_are_refused) {
  EXPECT_REFUSED(makespan_end_all(nullptr), "runtime is a null pointer");
  EXPECT_REFUSED(makespan_flush_all(nullptr), "no endpoint");
  EXPECT_REFUSED(makespan_barrier_all(nullptr), "team is a null pointer");
  EXPECT_EQ(-1, makespan_image(nullptr));
  EXPECT_EQ(-1, makespan_team_size(nullptr));
}

TEST_F(Job, tells_who_is_alive) {
  for (std::int32_t image = 0; image < images_; ++image) {
    std::int32_t is_alive = -1;
    char const* why = nullptr;
    EXPECT_OK(makespan_is_alive(runtime_, image, &is_alive));
    EXPECT_EQ(1, is_alive);
    EXPECT_OK(makespan_loss_of(runtime_, image, &why));
    EXPECT_STREQ("", why);
    EXPECT_OK(makespan_accept_loss(runtime_, image));
  }
  std::int32_t is_alive = -1;
  EXPECT_REFUSED(makespan_is_alive(runtime_, images_, &is_alive),
                 "image " + std::to_string(images_));
  EXPECT_EQ(-1, is_alive);
  EXPECT_REFUSED(makespan_accept_loss(runtime_, -1), "image -1");
}

TEST_F(Job, progress_does_not_block) {
  std::int32_t happened = -1;
  EXPECT_OK(makespan_progress(here_, &happened));
  EXPECT_LE(0, happened);
  EXPECT_OK(makespan_progress(here_, nullptr));
}

TEST_F(Job, threads_without_an_endpoint_have_none) {
  EXPECT_OK(makespan_use_endpoint(runtime_, 0));
  EXPECT_EQ(here_, makespan_here());
  std::thread([] { EXPECT_EQ(nullptr, makespan_here()); }).join();
  EXPECT_REFUSED(makespan_use_endpoint(runtime_, 1), "endpoint of thread 1");
  EXPECT_REFUSED(makespan_use_endpoint(runtime_, -1), "endpoint of thread -1");
}

class ThreadedJob : public CJob {
 protected:
  ThreadedJob() : CJob(2) {}
};

TEST_F(ThreadedJob, counts_exactly_from_all_threads_of_all_images) {
  constexpr std::int64_t each = 1'000;
  std::int64_t const counter = allocate(8);
  auto const count_from = [&](std::int32_t thread) {
    EXPECT_OK(makespan_use_endpoint(runtime_, thread));
    makespan_endpoint* same = nullptr;
    EXPECT_OK(makespan_endpoint_of(runtime_, thread, &same));
    EXPECT_EQ(same, makespan_here());
    std::int64_t before = -1;
    for (std::int64_t i = 0; i < each; ++i) {
      std::int64_t old = -1;
      ASSERT_OK(makespan_fetch_add(makespan_here(), {counter, 0}, 1, &old));
      ASSERT_GT(old, before);
      before = old;
    }
  };
  std::thread second(count_from, 1);
  count_from(0);
  second.join();
  meet();
  std::int64_t total = 0;
  ASSERT_OK(makespan_get(here_, {counter, 0}, &total, 8));
  EXPECT_EQ(2 * each * images_, total);
}

TEST_F(Job, alignment_is_that_of_the_word) {
  EXPECT_EQ(MAKESPAN_OK, status_of([] { expect_aligned(16, 8, "f"); }));
  EXPECT_REFUSED(status_of([] { expect_aligned(12, 8, "f"); }), "f at offset 12");
  EXPECT_EQ(MAKESPAN_OK, status_of([] { expect_data(nullptr, 0, "f"); }));
  EXPECT_REFUSED(status_of([] { expect_data(nullptr, 1, "f"); }), "f: data is a null pointer");
  EXPECT_REFUSED(status_of([] { expect_data(nullptr, -1, "f"); }), "f of -1 bytes");
}

}  // namespace
}  // namespace makespan::capi

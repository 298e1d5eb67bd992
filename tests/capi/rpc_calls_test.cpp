// SPDX-License-Identifier: Apache-2.0
// Goal: a registered function runs once on the image that is named, with what the caller gave, and
// its result or its failure comes back. Method: each image calls the next one and itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "c_job.hpp"
#include "makespan/capi/detail/handles.hpp"

namespace makespan::capi {
namespace {

std::atomic<int> runs{0};
std::atomic<std::int64_t> seen_bytes{-1};

// The image that runs it, and the sum of what came.
int sum_up(void const* arguments, std::int64_t bytes, void* result, std::int64_t result_bytes) {
  ++runs;
  seen_bytes = bytes;
  std::vector<std::int64_t> values(static_cast<std::size_t>(bytes) / 8);
  if (!values.empty()) std::memcpy(values.data(), arguments, static_cast<std::size_t>(bytes));
  std::int64_t sum = 0;
  for (std::int64_t const value : values) sum += value;
  if (result_bytes == 8) std::memcpy(result, &sum, 8);
  return MAKESPAN_OK;
}

int fail(void const* /*arguments*/, std::int64_t /*bytes*/, void* /*result*/,
         std::int64_t /*result_bytes*/) {
  return 42;
}

// Asks the image that it runs on for something, by its thread's own endpoint.
int ask_on(void const* /*arguments*/, std::int64_t /*bytes*/, void* result,
           std::int64_t /*result_bytes*/) {
  std::int32_t happened = 0;
  int const status = makespan_progress(makespan_here(), &happened);
  std::int32_t const answer = 7;
  std::memcpy(result, &answer, sizeof answer);
  return status;
}

class RemoteCalls : public CJob {
 protected:
  void SetUp() override {
    CJob::SetUp();
    EXPECT_OK(makespan_register_function("sum_up", &sum_up));
    EXPECT_OK(makespan_register_function("fail", &fail));
    EXPECT_OK(makespan_register_function("ask_on", &ask_on));
    runs = 0;
    meet();
  }

  [[nodiscard]] static makespan_remote_call call_of(std::int32_t image, char const* name) {
    return {.image = image,
            .thread = 0,
            .name = name,
            .arguments = nullptr,
            .bytes = 0,
            .result = nullptr,
            .result_bytes = 0};
  }
  int wait_for(makespan_remote_call const& call) {
    makespan_request* request = nullptr;
    int const status = makespan_rpc(here_, &call, &request);
    return status == MAKESPAN_OK ? makespan_request_wait(&request) : status;
  }
};

TEST_F(RemoteCalls, run_once_with_what_the_caller_gave) {
  for (std::int32_t const image : {next(), image_}) {
    std::array<std::int64_t, 3> values{1, 20, 300 + image_};
    std::int64_t sum = 0;
    makespan_remote_call call = call_of(image, "sum_up");
    call.arguments = values.data();
    call.bytes = sizeof values;
    call.result = &sum;
    call.result_bytes = sizeof sum;
    makespan_request* request = nullptr;
    ASSERT_OK(makespan_rpc(here_, &call, &request));
    values.fill(0);  // they were copied
    ASSERT_OK(makespan_request_wait(&request));
    EXPECT_EQ(request, nullptr);
    EXPECT_EQ(sum, 321 + image_);
  }
  meet();
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(seen_bytes, 24);
}

TEST_F(RemoteCalls, need_neither_arguments_nor_result) {
  ASSERT_OK(wait_for(call_of(next(), "sum_up")));
  meet();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(seen_bytes, 0);
}

// All images ask whether it is done and never wait: each runs what another has called on it.
TEST_F(RemoteCalls, run_on_images_that_only_test) {
  makespan_address const here_count{.offset = allocate(8), .image = 0};
  // No image is in a barrier any more, which runs calls: they meet by a counter.
  std::int64_t here = 0;
  ASSERT_OK(makespan_fetch_add(here_, here_count, 1, &here));
  while (here < images_) ASSERT_OK(makespan_get(here_, here_count, &here, sizeof here));
  std::int64_t sum = -1;
  makespan_remote_call call = call_of(next(), "sum_up");
  call.result = &sum;
  call.result_bytes = sizeof sum;
  makespan_request* request = nullptr;
  ASSERT_OK(makespan_rpc(here_, &call, &request));

  std::int32_t is_done = 0;
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (is_done == 0 && std::chrono::steady_clock::now() < end) {
    ASSERT_OK(makespan_request_test(&request, &is_done));
  }
  EXPECT_EQ(is_done, 1);
  EXPECT_OK(makespan_request_wait(&request));
  EXPECT_EQ(sum, 0);
}

TEST_F(RemoteCalls, may_use_the_runtime) {
  std::int32_t answer = 0;
  makespan_remote_call call = call_of(next(), "ask_on");
  call.result = &answer;
  call.result_bytes = sizeof answer;
  ASSERT_OK(wait_for(call));
  EXPECT_EQ(answer, 7);
}

// The longest there is comes back whole.
TEST_F(RemoteCalls, give_results_of_a_message) {
  std::vector<char> room((64 << 10) - 8, 'x');
  makespan_remote_call call = call_of(next(), "sum_up");
  call.result = room.data();
  call.result_bytes = static_cast<std::int64_t>(room.size());
  ASSERT_OK(wait_for(call));
  EXPECT_EQ(std::ranges::count(room, '\0'), std::ssize(room));
  ++call.result_bytes;
  EXPECT_REFUSED(wait_for(call), "bytes of result");
}

// A thread that waits with an endpoint that it has not taken as its own.
TEST_F(RemoteCalls, run_with_the_endpoint_of_their_thread) {
  EXPECT_OK(makespan_register_function(
      "say_here", [](void const*, std::int64_t, void* result, std::int64_t) -> int {
        makespan_endpoint* const here = makespan_here();
        std::memcpy(result, &here, sizeof here);
        return MAKESPAN_OK;
      }));
  meet();
  std::thread other([&] {
    EXPECT_EQ(makespan_here(), nullptr);
    makespan_endpoint* seen = nullptr;
    makespan_remote_call call = call_of(image_, "say_here");
    call.result = &seen;
    call.result_bytes = sizeof seen;
    EXPECT_OK(wait_for(call));
    EXPECT_EQ(seen, here_);
    EXPECT_EQ(makespan_here(), nullptr);
  });
  other.join();
  meet();
}

TEST_F(RemoteCalls, that_outlive_the_runtime_are_not_done) {
  makespan_request* request = nullptr;
  makespan_remote_call const call = call_of(image_, "sum_up");
  ASSERT_OK(makespan_rpc(here_, &call, &request));
  ASSERT_NE(request, nullptr);
  CJob::end_open_job();
  std::int32_t is_done = 7;

  EXPECT_REFUSED(makespan_request_test(&request, &is_done), "after makespan_end_all");

  EXPECT_EQ(is_done, 0);
  ASSERT_NE(request, nullptr);
  delete request;  // C cannot: it should have waited
}

TEST_F(RemoteCalls, that_fail_there_fail_here) {
  EXPECT_EQ(wait_for(call_of(next(), "fail")), MAKESPAN_REMOTE_ERROR);
  EXPECT_NE(std::string(makespan_last_error()).find("status 42"), std::string::npos)
      << makespan_last_error();
  EXPECT_EQ(wait_for(call_of(next(), "nowhere")), MAKESPAN_REMOTE_ERROR);
  EXPECT_NE(std::string(makespan_last_error()).find("'nowhere'"), std::string::npos)
      << makespan_last_error();
  EXPECT_STREQ(makespan_status_name(MAKESPAN_REMOTE_ERROR), "remote error");
}

// A caller may wait for what it has declared without a value.
TEST_F(RemoteCalls, that_are_refused_leave_no_request) {
  int other = 0;
  auto* request = reinterpret_cast<makespan_request*>(&other);
  makespan_remote_call const call = call_of(images_, "sum_up");
  EXPECT_REFUSED(makespan_rpc(here_, &call, &request), "image");
  EXPECT_EQ(request, nullptr);
  EXPECT_OK(makespan_request_wait(&request));
}

TEST_F(RemoteCalls, that_cannot_be_are_refused) {
  EXPECT_REFUSED(wait_for(call_of(images_, "sum_up")), "image");
  makespan_remote_call call = call_of(next(), "sum_up");
  call.thread = 5;
  EXPECT_REFUSED(wait_for(call), "thread 5");
  call = call_of(next(), nullptr);
  EXPECT_REFUSED(wait_for(call), "name is a null pointer");
  call = call_of(next(), "sum_up");
  call.bytes = -1;
  EXPECT_REFUSED(wait_for(call), "-1 bytes");
  call.bytes = 8;
  EXPECT_REFUSED(wait_for(call), "makespan_rpc");
  std::vector<char> const much(1 << 20);
  call.arguments = much.data();
  call.bytes = static_cast<std::int64_t>(much.size());
  EXPECT_REFUSED(wait_for(call), "a message holds");
  call.bytes = INT64_MAX;  // of which no copy can be made
  EXPECT_REFUSED(wait_for(call), "9223372036854775807 bytes of arguments");
  call.bytes = 64 << 10;  // alone they fit
  EXPECT_REFUSED(wait_for(call), "a message holds");
  call = call_of(next(), "sum_up");
  std::vector<char> room(1 << 20);
  call.result = room.data();
  call.result_bytes = static_cast<std::int64_t>(room.size());
  EXPECT_REFUSED(wait_for(call), "bytes of result");
  EXPECT_EQ(runs, 0);
  std::string const long_name(300, 'n');
  call = call_of(next(), long_name.c_str());
  EXPECT_REFUSED(wait_for(call), "more than 256 bytes");
  EXPECT_REFUSED(makespan_register_function(long_name.c_str(), &fail), "more than 256 bytes");
  EXPECT_REFUSED(makespan_register_function("sum_up", &fail), "'sum_up'");
  EXPECT_REFUSED(makespan_register_function("", &fail), "without a name");
  EXPECT_REFUSED(makespan_register_function("x", nullptr), "function is a null pointer");
}

}  // namespace
}  // namespace makespan::capi

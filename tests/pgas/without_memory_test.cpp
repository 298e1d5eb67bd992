// SPDX-License-Identifier: Apache-2.0
// Goal: an image that has no memory for the arguments of a call refuses it, and one that has none
// for an answer, or to send a call, goes on as before afterwards. Method: the arrays that tasks
// keep long arguments in, or nothing at all, can be allocated for a while.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cereal/types/vector.hpp>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "../refused_memory.hpp"
#include "makespan/base/image_errors.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

constexpr auto length_of = [](std::vector<std::int64_t> const& values) {
  return std::ssize(values);
};

TEST(WithoutMemoryTest, Call_is_refused_and_its_credit_comes_back) {
  RuntimeOptions options = small_options();
  options.threads = 1;
  options.calls_kept_max = 1;  // the least: one call from each image
  Runtime runtime(options);
  Endpoint& here = runtime.endpoint(0);
  ImageId const next{(runtime.image().value() + 1) % runtime.images()};
  std::vector<std::int64_t> const values(200);
  runtime.team().barrier_all();
  arrays_refused_from_bytes = 1024;  // tasks alone take arrays as long
  runtime.team().barrier_all();

  for (ImageId const to : {next, runtime.image()}) {
    for (int time = 0; time < 3; ++time) {
      try {
        here.rpc(to, length_of, values).get();
        ADD_FAILURE() << "there is no memory for it";
      } catch (RemoteError const& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("no memory for its arguments"));
      }
    }
  }

  runtime.team().barrier_all();
  arrays_refused_from_bytes = nothing_is_refused;
  runtime.team().barrier_all();
  for (ImageId const to : {next, runtime.image()}) {
    EXPECT_EQ(here.rpc(to, length_of, values).get(), 200);
  }
  runtime.team().barrier_all();
  runtime.finish_all();
}

// Of this image, and of a transport that copies long messages: MPI's.
TEST(WithoutMemoryTest, Call_that_could_not_be_sent_leaves_its_credit) {
  RuntimeOptions options = small_options();
  options.threads = 1;
  options.message_bytes_max = 65536;
  options.calls_kept_max = 1;  // the least: one call from each image
  Runtime runtime(options);
  if (runtime.describe().transport != "am") {
    runtime.finish_all();
    GTEST_SKIP() << "another transport";
  }
  Endpoint& here = runtime.endpoint(0);
  ImageId const next{(runtime.image().value() + 1) % runtime.images()};
  std::vector<std::int64_t> const values(4000);

  arrays_refused_from_bytes = 1024;
  EXPECT_THROW(static_cast<void>(here.rpc(next, length_of, values)), std::bad_alloc);
  arrays_refused_from_bytes = nothing_is_refused;

  runtime.team().barrier_all();
  EXPECT_EQ(here.rpc(next, length_of, values).get(), 4000);
  runtime.finish_all();
}

// Throws what is too long to be copied now.
constexpr auto throw_without_memory = [] {
  std::runtime_error const error(std::string(100, 'x'));
  refused_from_bytes = 0;
  throw error;
};

TEST(WithoutMemoryTest, Thread_runs_calls_after_one_that_could_not_be_answered) {
  RuntimeOptions options = small_options();
  options.threads = 1;
  options.operations_max = 100;
  options.calls_kept_max = 100;
  options.wait_limit = Seconds{2.0};
  Runtime runtime(options);
  if (runtime.images() > 1) {
    runtime.finish_all();
    GTEST_SKIP() << "for an image alone: what is not answered cannot end in order";
  }
  Endpoint& here = runtime.endpoint(0);

  // More than calls may wait inside each other.
  for (int time = 0; time < 20; ++time) {
    try {
      here.rpc(runtime.image(), throw_without_memory).get();
      ADD_FAILURE() << "there is no memory for its answer";
    } catch (std::bad_alloc const&) {
      refused_from_bytes = nothing_is_refused;
    }
  }

  EXPECT_EQ(here.rpc(runtime.image(), length_of, std::vector<std::int64_t>(7)).get(), 7);
}

}  // namespace
}  // namespace makespan::pgas

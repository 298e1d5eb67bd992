// SPDX-License-Identifier: Apache-2.0
// Goal: an image that has no memory for the arguments of a call refuses it, and takes calls as
// before afterwards. Method: the arrays that tasks keep long arguments in cannot be allocated for a
// while.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <new>
#include <vector>

#include "makespan/base/image_errors.hpp"
#include "runtime_fixture.hpp"

namespace {

std::atomic<bool> has_no_arrays{false};

}  // namespace

// Tasks alone take long arrays in this program's calls.
void* operator new[](std::size_t bytes) {
  if (has_no_arrays && bytes >= 1024) throw std::bad_alloc();
  return ::operator new(bytes);
}
void operator delete[](void* memory) noexcept {
  ::operator delete(memory);
}
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept {
  ::operator delete(memory);
}

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
  has_no_arrays = true;
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
  has_no_arrays = false;
  for (ImageId const to : {next, runtime.image()}) {
    EXPECT_EQ(here.rpc(to, length_of, values).get(), 200);
  }
  runtime.team().barrier_all();
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::pgas

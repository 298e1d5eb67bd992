// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of the runtime as several images share.

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/runtime.hpp"
#include "scoped_variable.hpp"

namespace makespan::pgas {

// A thread of a test: what it throws is a failure of the test, not the end of the program. Work
// that takes a std::stop_token goes on until stop(), or until a failure ends the test.
class TestThread {
 public:
  template <class Work>
  explicit TestThread(Work work)
      : thread_{[work = std::move(work)](std::stop_token const& stop) mutable {
          try {
            if constexpr (std::invocable<Work, std::stop_token>) {
              work(stop);
            } else {
              work();
            }
          } catch (std::exception const& error) {
            ADD_FAILURE() << "in a thread: " << error.what();
          }
        }} {}

  void join() { thread_.join(); }
  void stop() {
    thread_.request_stop();
    thread_.join();
  }

 private:
  std::jthread thread_;
};

// Small, so that many runtimes can be made one after the other, and long data takes many messages.
// No test loses an image with these. Where images have few cores and threads that spin, one may be
// silent for longer than the usual second (Open MPI, four images on two cores).
inline RuntimeOptions small_options() {
  return {.threads = 2,
          .heap_bytes = std::int64_t{1} << 20,
          .message_bytes_max = 4096,
          .operations_max = 32,
          .silence = Seconds{10.0},
          .wait_limit = Seconds{15.0}};
}

// The images of each host, in order.
inline std::map<std::string, std::vector<ImageId>> images_of_hosts(Job const& job) {
  std::map<std::string, std::vector<ImageId>> hosts;
  for (int image = 0; image < job.images(); ++image) {
    hosts[job.host(ImageId{image})].emplace_back(image);
  }
  return hosts;
}

// One runtime for all tests of a suite, with two threads.
class SharedRuntimeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { runtime_ = std::make_unique<Runtime>(small_options()); }
  static void TearDownTestSuite() {
    if (runtime_ == nullptr) return;  // it could not be made, and the suite has failed
    runtime_->finish_all();
    runtime_.reset();
  }

  static Runtime& runtime() { return *runtime_; }
  static Endpoint& here() { return runtime_->endpoint(0); }
  static Team& team() { return runtime_->team(); }
  static int images() { return runtime_->images(); }
  static ImageId me() { return runtime_->image(); }
  static ImageId next() { return ImageId{(me().value() + 1) % images()}; }
  static ImageId previous() { return ImageId{(me().value() + images() - 1) % images()}; }

  // Calls work(endpoint) in each thread of this image, and waits for all.
  template <class Work>
  static void in_all_threads(Work&& work) {
    TestThread const other([&] { work(runtime_->endpoint(1)); });
    work(runtime_->endpoint(0));
  }

 private:
  static inline std::unique_ptr<Runtime> runtime_{};
};

// Bytes that tell their image and place.
inline std::vector<std::byte> pattern(ImageId image, std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t at = 0; at < bytes; ++at) {
    data[at] = static_cast<std::byte>(17 * (image.value() + 1) + static_cast<std::int64_t>(at) * 7);
  }
  return data;
}

}  // namespace makespan::pgas

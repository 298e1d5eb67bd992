// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counters on all images of the job, and what they have counted in the end.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "counter.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {

class WorldFixture : public testing::Test {
 protected:
  static constexpr int count = 23;

  explicit WorldFixture(WorldOptions const& options)
      : runtime_({.threads = options.threads, .heap_bytes = 1 << 20}) {
    use(options);
  }
  ~WorldFixture() override {
    world_.reset();
    runtime_.finish_all();
  }

  // A world with other options, and its counters.
  void use(WorldOptions const& options) {
    world_.reset();
    world_.emplace(runtime_, options);
    counters_ = world_->add<Counter>("counters", count);
  }

  // Counters are made in blocks, and counted at the end, beside what the program does then.
  void run(ObjectProgram program) {
    objects_ = messages_ = sum_ = 0;
    program.create = [this](ObjectPlace& here) {
      for (int index = 0; index < count; ++index) {
        if (here.is_in_block(counters_, index)) here.create(counters_, index, new_counter(index));
      }
    };
    program.end = [this, end = std::move(program.end)](ObjectPlace& here) {
      here.for_each(counters_, [&](int index, Counter const& each) {
        sum_ += each.sum;
        messages_ += each.messages;
        ++objects_;
        EXPECT_EQ(each.memory, std::vector<int>(100, index));
      });
      if (end) end(here);
    };
    world_->run_all(program);
  }

  // Collective: of the last run, over all images.
  [[nodiscard]] std::int64_t over_images(std::atomic<std::int64_t> const& mine) {
    return runtime_.team().all_reduce_all(pgas::ReduceOp::sum, mine.load());
  }
  [[nodiscard]] std::int64_t objects() { return over_images(objects_); }
  [[nodiscard]] std::int64_t messages() { return over_images(messages_); }
  [[nodiscard]] std::int64_t sum() { return over_images(sum_); }

  [[nodiscard]] ObjectWorld& world() { return *world_; }
  [[nodiscard]] int places() const { return world_->places(); }
  [[nodiscard]] int image() const { return static_cast<int>(runtime_.image().value()); }

  pgas::Runtime runtime_;
  std::optional<ObjectWorld> world_{};
  Collection<Counter> counters_{};

 private:
  std::atomic<std::int64_t> objects_{0};
  std::atomic<std::int64_t> messages_{0};
  std::atomic<std::int64_t> sum_{0};
};

}  // namespace makespan::graph

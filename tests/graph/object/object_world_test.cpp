// SPDX-License-Identifier: Apache-2.0
// Goal: whatever the number of images and places, every message reaches its object once, phases end
// when all is done, and objects arrive whole. Method: small programs whose results are known.
#include "makespan/graph/object/object_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cereal/types/vector.hpp>
#include <numeric>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

using testing::HasSubstr;

// Counts what it gets, and passes on what it is told to.
struct Counter {
  std::int64_t sum{0};
  std::int64_t messages{0};
  std::vector<int> memory{};

  void add(ObjectPlace&, std::int64_t what) {
    sum += what;
    ++messages;
  }
  // Passes `what` on to the next object, `hops` times.
  void pass(ObjectPlace& here, Collection<Counter> all, int self, int hops) {
    ++messages;
    if (hops > 0) here.send<&Counter::pass>(all, (self + 1) % all.count, all, (self + 1) % all.count, hops - 1);
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(sum, messages, memory);
  }
};

class ObjectWorldTest : public testing::TestWithParam<int> {
 protected:
  static constexpr int count = 23;

  void make_all(ObjectPlace& here) {
    for (int index = 0; index < count; ++index) {
      if (here.is_in_block(counters_, index)) {
        here.create(counters_, index, Counter{.memory = std::vector<int>(100, index)});
      }
    }
  }
  // Sums over all objects, on all images.
  void collect(ObjectPlace& here) {
    here.for_each(counters_, [&](int index, Counter const& each) {
      sum_ += each.sum;
      messages_ += each.messages;
      ++objects_;
      EXPECT_EQ(each.memory, std::vector<int>(100, index));
    });
  }

  pgas::Runtime runtime_{{.threads = GetParam()}};
  ObjectWorld world_{runtime_, {.threads = GetParam()}};
  Collection<Counter> counters_ = world_.add<Counter>("counters", count);
  std::atomic<std::int64_t> sum_{0};
  std::atomic<std::int64_t> messages_{0};
  std::atomic<std::int64_t> objects_{0};

  std::int64_t over_images(std::atomic<std::int64_t> const& mine) {
    return runtime_.team().all_reduce_all(pgas::ReduceOp::sum, mine.load());
  }
  void TearDown() override { runtime_.finish_all(); }
};

TEST_P(ObjectWorldTest, Every_message_arrives_once) {
  world_.run_all({.create = [&](ObjectPlace& here) { make_all(here); },
                  .begin =
                      [&](ObjectPlace& here, std::int64_t phase) {
                        for (int index = 0; index < count; ++index) {
                          here.send<&Counter::add>(counters_, index, phase + 1);
                        }
                      },
                  .end = [&](ObjectPlace& here) { collect(here); },
                  .phases = 4});

  EXPECT_EQ(over_images(objects_), count);
  EXPECT_EQ(over_images(messages_), 4 * count * world_.places());
  EXPECT_EQ(over_images(sum_), 10 * count * world_.places());
}

TEST_P(ObjectWorldTest, A_phase_lasts_until_messages_of_messages_are_done) {
  std::vector<std::int64_t> messages;
  world_.run_all({.create = [&](ObjectPlace& here) { make_all(here); },
                  .begin =
                      [&](ObjectPlace& here, std::int64_t) {
                        if (here.place() != 0) return;
                        here.send<&Counter::pass>(counters_, 0, counters_, 0, 500);
                      },
                  .after =
                      [&](PhaseReport const& report) {
                        messages.push_back(report.messages);
                        return Next::go_on;
                      },
                  .end = [&](ObjectPlace& here) { collect(here); },
                  .phases = 3});

  EXPECT_EQ(over_images(messages_), 3 * 501);
  EXPECT_EQ(messages.size(), runtime_.image() == ImageId{0} ? 3U : 0U);
}

// A place that begins early must not move an object to one that is about to begin and would find it.
TEST_P(ObjectWorldTest, An_object_is_at_one_place_when_a_phase_begins) {
  world_.run_all({.create = [&](ObjectPlace& here) { make_all(here); },
                  .begin =
                      [&](ObjectPlace& here, std::int64_t phase) {
                        std::vector<int> mine;
                        here.for_each(counters_, [&](int index, Counter const&) {
                          mine.push_back(index);
                        });
                        for (int const index : mine) {
                          here.send<&Counter::add>(counters_, index, 1);
                          int const to = index + static_cast<int>(phase);
                          here.migrate(counters_, index, to % here.places());
                        }
                      },
                  .end = [&](ObjectPlace& here) { collect(here); },
                  .phases = 20});

  EXPECT_EQ(over_images(sum_), 20 * count);
}

INSTANTIATE_TEST_SUITE_P(Threads, ObjectWorldTest, testing::Values(1, 2));

}  // namespace
}  // namespace makespan::graph

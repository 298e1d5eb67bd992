// SPDX-License-Identifier: Apache-2.0
// Goal: the trace of a run on threads and images has every place's methods, phases and arrivals,
// and a run that cannot write it does not begin, on any image. Method: small programs, alone and on
// several images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "counter.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "scoped_variable.hpp"
#include "world_fixture.hpp"

namespace makespan::graph {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ObjectTraceTest : public WorldFixture {
 protected:
  ObjectTraceTest() : WorldFixture({.threads = 2}) {
    file_ = fs::path(testing::TempDir()) / "object_trace_test" / "run.json";
    if (image() == 0) fs::create_directories(file_.parent_path());
    runtime_.team().barrier_all();
  }
  ~ObjectTraceTest() override {
    runtime_.team().barrier_all();
    if (image() == 0) fs::remove_all(file_.parent_path());
  }

  void run_two_phases() {
    run({.begin =
             [&](ObjectPlace& here, std::int64_t phase) {
               here.for_each(counters_, [&](int index, Counter const&) {
                 here.send<&Counter::add>(counters_, index, phase);
               });
               // To the next place.
               if (phase == 0 && here.find(counters_, 0) != nullptr) {
                 here.migrate(counters_, 0, (here.place() + 1) % here.places());
               }
             },
         .phases = 2});
  }

  [[nodiscard]] std::string text() const {
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path file_{};
};

TEST_F(ObjectTraceTest, has_every_place) {
  use({.threads = 2, .trace = {.file = file_}});
  run_two_phases();
  if (image() != 0) return;

  std::string const found = text();
  EXPECT_TRUE(found.ends_with("}\n]}\n"));
  for (int place = 0; place < places(); ++place) {
    std::string const ids =
        "\"pid\": " + std::to_string(place / 2) + ", \"tid\": " + std::to_string(place);
    EXPECT_THAT(found, HasSubstr("\"name\": \"phase 0\", " + ids));
    EXPECT_THAT(found, HasSubstr("\"name\": \"phase 1\", " + ids));
  }
  for (int index = 0; index < count; ++index) {
    EXPECT_THAT(found, HasSubstr("\"name\": \"counters[" + std::to_string(index) + "]\""));
  }
  EXPECT_THAT(found, HasSubstr("counters[0] comes"));
  EXPECT_THAT(found, HasSubstr("\"name\": \"coordinator\", \"pid\": 0, \"tid\": 0"));
  EXPECT_EQ(found.find("\"ts\": -"), std::string::npos) << "times count from the beginning";
}

TEST_F(ObjectTraceTest, is_of_the_last_run) {
  use({.threads = 2, .trace = {.file = file_}});
  run_two_phases();
  run({.phases = 1});
  if (image() != 0) return;

  std::string const found = text();
  EXPECT_TRUE(found.ends_with("}\n]}\n"));
  for (int place = 0; place < places(); ++place) {
    EXPECT_THAT(found, HasSubstr("\"name\": \"phase 0\", \"pid\": " + std::to_string(place / 2) +
                                 ", \"tid\": " + std::to_string(place)));
  }
  EXPECT_EQ(found.find("phase 1"), std::string::npos);
}

TEST_F(ObjectTraceTest, is_whole_although_the_end_of_a_program_throws_somewhere) {
  use({.threads = 2, .trace = {.file = file_}});
  bool const is_last = image() == places() / 2 - 1;
  auto const run_it = [&] {
    run({.end =
             [&](ObjectPlace& here) {
               if (is_last && here.place() % 2 == 1) throw std::runtime_error("at the end");
             },
         .phases = 1});
  };
  if (is_last) {
    EXPECT_THROW(run_it(), std::runtime_error);
  } else {
    EXPECT_NO_THROW(run_it());
  }
  // All images are where collectives fit.
  runtime_.team().barrier_all();

  if (image() == 0) {
    EXPECT_THAT(text(), HasSubstr("\"tid\": " + std::to_string(places() - 1)));
  }
}

TEST_F(ObjectTraceTest, that_is_none_stays_none) {
  ScopedVariable const asked("MAKESPAN_TRACE", file_.c_str());
  use({.threads = 2, .trace = {.file = "none"}});
  run({.phases = 1});
  run({.phases = 1});
  EXPECT_FALSE(fs::exists(file_));

  use({.threads = 2});
  run({.phases = 1});
  runtime_.team().barrier_all();
  if (image() == 0) {
    EXPECT_TRUE(fs::exists(file_));
  }
}

TEST_F(ObjectTraceTest, that_cannot_be_written_is_said_everywhere_before_the_run) {
  use({.threads = 2, .trace = {.file = file_.parent_path() / "nowhere" / "run.json"}});
  EXPECT_THROW(run({.phases = 1}), InputError);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: a trace is the document that viewers read, whole or not there. Method: texts by hand, and a
// run in virtual time whose times are known.
#include "makespan/graph/object/detail/trace_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "files_up_to.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/object/object_place.hpp"
#include "makespan/graph/object/virtual_object_world.hpp"

namespace makespan::graph {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string text_of(fs::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TraceFileTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  fs::path folder{fs::path(testing::TempDir()) / "trace_file_test"};
};

WorldPlan plan_with(std::string const& name) {
  WorldPlan plan;
  plan.collections.push_back({.name = name, .count = 10});
  plan.objects = 10;
  return plan;
}

TEST_F(TraceFileTest, has_an_event_for_each_span) {
  PlaceTrace trace(3);
  trace.add_phase(2, 1'000'000);
  trace.add_method(7, 1'000'500, 1'003'000);
  trace.add_arrival(3, 1'006'000);
  trace.add_method(8, 1'007'000, 1'008'000);

  std::string const events =
      trace_events(trace, {.image = 1, .place = 5, .origin_ns = 1'000'000}, plan_with("cells"));

  EXPECT_EQ(events,
            R"({"ph": "M", "name": "process_name", "pid": 1, "tid": 5, "args": {"name": "image 1"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 5, "args": {"name": "place 5"}},
{"ph": "i", "s": "t", "cat": "phase", "name": "phase 2", "pid": 1, "tid": 5, "ts": 0.000},
{"ph": "X", "cat": "method", "name": "cells[7]", "pid": 1, "tid": 5, "ts": 0.500, "dur": 2.500, "args": {"messages": 1}},
{"ph": "i", "s": "t", "cat": "arrival", "name": "cells[3] comes", "pid": 1, "tid": 5, "ts": 6.000},
{"ph": "i", "s": "t", "cat": "trace", "name": "1 more spans are not in the trace", "pid": 1, "tid": 5, "ts": 6.000},
)");
}

TEST_F(TraceFileTest, has_names_as_json_has_them) {
  PlaceTrace trace(1);
  trace.add_method(0, 0, 1);

  EXPECT_THAT(trace_events(trace, {}, plan_with("a \"b\" \\ c\n")),
              HasSubstr(R"("name": "a \"b\" \\ c\u000a[0]")"));
}

TEST_F(TraceFileTest, is_whole_or_not_there) {
  fs::path const file = folder / "run.json";
  write_trace_file(file, "{\"ph\": \"M\"},\n");
  EXPECT_EQ(text_of(file),
            "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n{\"ph\": \"M\"}\n]}\n");

  write_trace_file(file, "");
  EXPECT_EQ(text_of(file), "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n\n]}\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);

  EXPECT_NO_THROW(expect_trace_file(file));
  EXPECT_THROW(expect_trace_file(folder), InputError) << "a folder";
  EXPECT_THROW(expect_trace_file(folder / "nowhere" / "run.json"), InputError);
  EXPECT_THROW(write_trace_file(folder / "nowhere" / "run.json", ""), InputError);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

// Goal: a link that another user planted is not followed. Method: one under the name that a draft
// of this process once had, and one of the file itself.
TEST_F(TraceFileTest, follows_no_link_of_others) {
  fs::path const precious = folder / "precious";
  std::ofstream(precious) << "old";
  fs::path const file = folder / "run.json";
  fs::create_symlink(precious, file.string() + "." + std::to_string(::getpid()) + ".tmp");

  expect_trace_file(file);
  write_trace_file(file, "");

  EXPECT_EQ(text_of(precious), "old");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file)));

  fs::path const theirs = folder / "theirs.json";
  fs::create_symlink(precious, theirs);
  if (::lchown(theirs.c_str(), 4711, 4711) != 0) GTEST_SKIP() << "only root makes their links";
  for (auto const& refuse : {+[](fs::path const& path) { expect_trace_file(path); },
                             +[](fs::path const& path) { write_trace_file(path, ""); }}) {
    EXPECT_THAT([&] { refuse(theirs); },
                testing::ThrowsMessage<InputError>(HasSubstr("a link that another user made")));
  }
  EXPECT_EQ(text_of(precious), "old");
}

TEST_F(TraceFileTest, keeps_permissions_and_on_a_full_disk_the_older_one) {
  fs::path const file = folder / "run.json";
  write_trace_file(file, "");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  std::string const older = text_of(file);

  {
    FilesUpTo const limit(50'000);
    EXPECT_THAT([&] { write_trace_file(file, std::string(100'000, ' ')); },
                testing::ThrowsMessage<InputError>(
                    HasSubstr("the trace cannot be written there (File too large)")));
  }
  EXPECT_EQ(text_of(file), older);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);

  write_trace_file(file, "{},\n");
  EXPECT_NE(text_of(file), older);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// --- of a run

std::int64_t& spent_ns() {
  static std::int64_t spent = 0;
  return spent;
}

struct Spender {
  void spend(ObjectPlace& /*here*/, std::int64_t ns) { spent_ns() += ns; }

  template <class Archive>
  void serialize(Archive& /*archive*/) {}
};

TEST_F(TraceFileTest, tells_of_a_run_in_virtual_time) {
  fs::path const file = folder / "virtual.json";
  DomainCosts costs{.latency_s = {0.0}, .bandwidth_bytes_s = {1e30}};
  Places const places({{.speed = Speed{1.0}}, {.speed = Speed{0.5}}}, {{}}, std::move(costs));
  VirtualObjectWorld world(places, {.trace = {.file = file}},
                           {.cpu_ns = [] { return spent_ns(); }});
  auto const all = world.add<Spender>("spenders", 2);

  world.run_all({.create = [&](ObjectPlace& here) { here.create(all, here.place(), Spender{}); },
                 .begin =
                     [&](ObjectPlace& here, std::int64_t) {
                       here.send<&Spender::spend>(all, here.place(), std::int64_t{3000});
                     },
                 .phases = 2});

  std::string const text = text_of(file);
  EXPECT_THAT(text,
              HasSubstr(R"("name": "spenders[0]", "pid": 0, "tid": 0, "ts": 0.000, "dur": 3.000)"));
  EXPECT_THAT(text,
              HasSubstr(R"("name": "spenders[1]", "pid": 0, "tid": 1, "ts": 0.000, "dur": 6.000)"));
  // The slow place ends the first phase.
  EXPECT_THAT(text, HasSubstr(R"("name": "phase 1", "pid": 0, "tid": 0, "ts": 6.000)"));
  EXPECT_THAT(text,
              HasSubstr(R"("name": "spenders[1]", "pid": 0, "tid": 1, "ts": 6.000, "dur": 6.000)"));
}

TEST_F(TraceFileTest, that_cannot_be_written_ends_a_run_before_it_begins) {
  Places const places({{}, {}}, {{}}, {.latency_s = {0.0}, .bandwidth_bytes_s = {1e30}});
  VirtualObjectWorld world(places, {.trace = {.file = folder / "nowhere" / "run.json"}});
  bool has_begun = false;

  EXPECT_THROW(world.run_all({.create = [&](ObjectPlace&) { has_begun = true; }, .phases = 1}),
               InputError);

  EXPECT_FALSE(has_begun);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: events count posts exactly; a wait takes away as many as it waited for.
#include "makespan/pgas/event.hpp"

#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/atomics.hpp"
#include "runtime_fixture.hpp"

namespace makespan::pgas {
namespace {

class EventTest : public SharedRuntimeTest {
 protected:
  void SetUp() override { events = runtime().allocate_all<EventWord>(2, "events"); }
  void TearDown() override {
    if (!HasFatalFailure()) runtime().free_all(events);
  }

  SymmetricArray<EventWord> events;
};

TEST_F(EventTest, Post_ends_a_wait) {
  post(here(), events.at(next()));
  wait(here(), events.at(me()));

  EXPECT_EQ(query(here(), events.at(me())), 0U);
  team().barrier_all();
}

TEST_F(EventTest, Query_counts_posts) {
  EXPECT_EQ(query(here(), events.at(me())), 0U);
  team().barrier_all();
  for (int round = 0; round < 5; ++round) post(here(), events.at(next()));
  here().flush(next());
  team().barrier_all();

  EXPECT_EQ(query(here(), events.at(me())), 5U);
  EXPECT_EQ(query(here(), events.at(me(), 1)), 0U);
  team().barrier_all();
}

TEST_F(EventTest, Wait_takes_away_what_it_waited_for) {
  for (int round = 0; round < 5; ++round) post(here(), events.at(next()));
  here().flush(next());
  team().barrier_all();

  wait(here(), events.at(me()), 3);
  EXPECT_EQ(query(here(), events.at(me())), 2U);
  wait(here(), events.at(me()), 2);
  EXPECT_EQ(query(here(), events.at(me())), 0U);
  team().barrier_all();
}

TEST_F(EventTest, Wait_for_a_count_needs_that_many_posts) {
  for (int image = 0; image < images(); ++image) post(here(), events.at(ImageId{image}));

  wait(here(), events.at(me()), static_cast<std::uint64_t>(images()));

  EXPECT_EQ(query(here(), events.at(me())), 0U);
  team().barrier_all();
}

TEST_F(EventTest, Posts_pass_through_a_ring) {
  constexpr int rounds = 20;
  auto const token = runtime().allocate_all<std::int64_t>(1, "token");
  bool const begins = me() == ImageId{0};

  for (int round = 0; round < rounds; ++round) {
    if (!begins) wait(here(), events.at(me()));
    std::int64_t const value = here().get(token.at(me()));
    here().put(token.at(next()), value + 1);
    here().flush(next());
    post(here(), events.at(next()));
    if (begins) wait(here(), events.at(me()));
  }
  here().flush_all();
  team().barrier_all();

  if (begins) {
    EXPECT_EQ(here().get(token.at(me())), rounds * images());
  }
  team().barrier_all();
  runtime().free_all(token);
}

TEST_F(EventTest, Threads_post_to_one_event) {
  constexpr int each = 50;

  in_all_threads([&](Endpoint& endpoint) {
    for (int round = 0; round < each; ++round) post(endpoint, events.at(ImageId{0}, 1));
    endpoint.flush(ImageId{0});
  });
  if (me() == ImageId{0})
    wait(here(), events.at(me(), 1), 2 * each * static_cast<std::uint64_t>(images()));
  team().barrier_all();

  EXPECT_EQ(query(here(), events.at(me(), 1)), 0U);
  team().barrier_all();
}

TEST_F(EventTest, Misuse_is_a_mistake) {
  EXPECT_THROW(wait(here(), events.at(me()), 0), ContractViolated);
  if (images() > 1) {
    EXPECT_THROW(wait(here(), events.at(next())), ContractViolated);
    EXPECT_THROW(static_cast<void>(query(here(), events.at(next()))), ContractViolated);
  }
  team().barrier_all();
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: whatever the number of images and places, every message reaches its object once, phases end
// when all is done, and objects arrive whole. Method: small programs whose results are known.
#include "makespan/graph/object/object_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "counter.hpp"
#include "makespan/base/error.hpp"
#include "recorder.hpp"
#include "scoped_variable.hpp"
#include "world_fixture.hpp"

namespace makespan::graph {
namespace {

using testing::HasSubstr;

class ObjectWorldTest : public WorldFixture, public testing::WithParamInterface<int> {
 protected:
  ObjectWorldTest() : WorldFixture({.threads = GetParam()}) {}
};

TEST_P(ObjectWorldTest, Every_message_arrives_once) {
  run({.begin =
           [&](ObjectPlace& here, std::int64_t phase) {
             for (int index = 0; index < count; ++index) {
               here.send<&Counter::add>(counters_, index, phase + 1);
             }
           },
       .phases = 4});

  EXPECT_EQ(objects(), count);
  EXPECT_EQ(messages(), 4 * count * places());
  EXPECT_EQ(sum(), 10 * count * places());
}

TEST_P(ObjectWorldTest, A_phase_lasts_until_messages_of_messages_are_done) {
  std::vector<std::int64_t> seen;
  run({.begin =
           [&](ObjectPlace& here, std::int64_t) {
             if (here.place() != 0) return;
             here.send<&Counter::pass>(counters_, 0, counters_, 0, 500);
           },
       .after =
           [&](PhaseReport const& report) {
             seen.push_back(report.messages);
             return Next::go_on;
           },
       .phases = 3});

  EXPECT_EQ(messages(), 3 * 501);
  if (image() == 0) {
    ASSERT_EQ(seen.size(), 3U);
    for (std::int64_t const each : seen) EXPECT_GE(each, 501);
  }
}

// A place that begins early must not move an object to one that is about to begin and would find
// it.
TEST_P(ObjectWorldTest, An_object_is_at_one_place_when_a_phase_begins) {
  run({.begin =
           [&](ObjectPlace& here, std::int64_t phase) {
             std::vector<int> mine;
             here.for_each(counters_, [&](int index, Counter const&) { mine.push_back(index); });
             for (int const index : mine) {
               here.send<&Counter::add>(counters_, index, 1);
               here.migrate(counters_, index, static_cast<int>((index + phase) % here.places()));
             }
           },
       .phases = 20});

  EXPECT_EQ(sum(), 20 * count);
}

TEST_P(ObjectWorldTest, Values_for_many_go_to_each_once) {
  std::vector<int> odd;
  for (int index = 1; index < count; index += 2) odd.push_back(index);
  std::vector<std::int64_t> const values(40'000, 1);  // more than a message holds
  run({.begin = [&](ObjectPlace& here,
                    std::int64_t) { here.send_each<&Counter::add_all>(counters_, odd, values); },
       .phases = 2});

  EXPECT_EQ(messages(), 2 * std::ssize(odd) * places());
  EXPECT_EQ(sum(), 2 * std::ssize(odd) * places() * 40'000);
}

TEST_P(ObjectWorldTest, Objects_are_found_when_they_have_moved) {
  run({.begin =
           [&](ObjectPlace& here, std::int64_t phase) {
             // All say where it should go; it goes somewhere, and hears the rest wherever it is.
             for (int index = 0; index < count; ++index) {
               here.send<&Counter::go>(counters_, index, counters_, index,
                                       static_cast<int>((index + phase) % here.places()));
               here.send<&Counter::add>(counters_, index, 1);
             }
           },
       .phases = 8});

  EXPECT_EQ(objects(), count);
  EXPECT_EQ(sum(), 8 * count * places());
  EXPECT_EQ(messages(), 16 * count * places());
}

TEST_P(ObjectWorldTest, Objects_that_wander_lose_no_message) {
  run({.begin =
           [&](ObjectPlace& here, std::int64_t phase) {
             int const first = static_cast<int>((here.place() * 5 + phase) % count);
             here.send<&Counter::wander>(counters_, first, counters_, first, 300);
           },
       .phases = 5});

  EXPECT_EQ(objects(), count);
  EXPECT_EQ(messages(), 5 * 301 * places());
}

TEST_P(ObjectWorldTest, Objects_are_made_anywhere_at_any_time) {
  Collection<Counter> const late = world().add<Counter>("late", 12);
  std::atomic<std::int64_t> found{0};
  run({.begin =
           [&](ObjectPlace& here, std::int64_t phase) {
             // The messages go off before their objects are made, elsewhere.
             for (int index = 0; index < 12; ++index) {
               if (index % 3 > phase) continue;
               here.send<&Counter::add>(late, index, 1);
             }
             if (here.place() != here.places() - 1) return;
             for (int index = 0; index < 12; ++index) {
               if (index % 3 != phase) continue;
               here.create_at(index % here.places(), late, index, new_counter(index));
             }
           },
       .end =
           [&](ObjectPlace& here) {
             here.for_each(late, [&](int index, Counter const& each) {
               ++found;
               EXPECT_EQ(each.sum, (3 - index % 3) * here.places());
               EXPECT_EQ(each.memory, std::vector<int>(100, index));
             });
           },
       .phases = 3});

  EXPECT_EQ(over_images(found), 12);
}

TEST_P(ObjectWorldTest, A_message_for_an_unmade_object_ends_the_run_and_names_it) {
  Collection<Counter> const ghosts = world().add<Counter>("ghosts", 9);
  try {
    run({.begin = [&](ObjectPlace& here, std::int64_t) {
      if (here.place() == 0) here.send<&Counter::add>(ghosts, 7, 1);
    }});
    FAIL() << "no error";
  } catch (ObjectRunFailed const& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("ghosts[7]"));
  }
}

TEST_P(ObjectWorldTest, What_a_method_throws_ends_the_run_everywhere) {
  int const thrower = places() - 1;
  try {
    run({.begin =
             [&](ObjectPlace& here, std::int64_t phase) {
               if (here.place() == thrower && phase == 1) throw std::runtime_error("no more");
             },
         .phases = 3});
    FAIL() << "no error";
  } catch (std::runtime_error const& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("no more"));
  }
}

TEST_P(ObjectWorldTest, Input_that_one_place_refuses_is_refused_everywhere) {
  int const thrower = places() - 1;
  try {
    run({.begin =
             [&](ObjectPlace& here, std::int64_t phase) {
               if (here.place() != thrower || phase != 1) return;
               throw InputError("part 3", "its end is missing", "name another");
             },
         .phases = 3});
    FAIL() << "no error";
  } catch (InputError const& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("part 3 (its end is missing): name another"));
  }
}

// Between images: within one it stays what it is.
TEST_P(ObjectWorldTest, An_argument_that_cannot_be_read_ends_the_run_everywhere) {
  Collection<Recorder> const recorders = world().add<Recorder>("recorders", places());
  auto const make_and_send = [&](ObjectPlace& here, std::int64_t phase) {
    if (phase == 0) here.create(recorders, here.place(), Recorder{});
    if (phase != 1 || here.place() != 0) return;
    for (int index = 0; index < here.places(); ++index) {
      here.send<&Recorder::picky>(recorders, index, Picky{.values = {-index}});
    }
  };
  bool const is_read = runtime_.images() > 1;
  std::string said;
  try {
    run({.begin = make_and_send, .phases = 3});
  } catch (std::runtime_error const& failure) {
    said = failure.what();
  }
  EXPECT_THAT(said, HasSubstr(is_read ? "a negative value" : ""));
  EXPECT_EQ(said.empty(), !is_read);

  run({.phases = 2});
  EXPECT_EQ(objects(), count);
}

// A place that throws late reports a run that is over for the others.
TEST_P(ObjectWorldTest, A_world_runs_again_after_all_places_have_failed) {
  auto const all_throw = [](ObjectPlace& here, std::int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * here.place()));
    throw std::runtime_error("no more");
  };
  EXPECT_ANY_THROW(run({.begin = all_throw, .phases = 2}));

  run({.phases = 2});
  EXPECT_EQ(objects(), count);
}

TEST_P(ObjectWorldTest, A_world_runs_again) {
  for (int time = 0; time < 3; ++time) {
    run({.begin = [&](ObjectPlace& here, std::int64_t) {
      here.send<&Counter::add>(counters_, time, 1);
    }});
    EXPECT_EQ(sum(), places());
  }
}

// A method computes, and a place writes a file, for longer than a wait may last.
class PatientWorld : public testing::Test {
 protected:
  ScopedVariable limit_{"MAKESPAN_WAIT_LIMIT_S", "2"};
  pgas::Runtime runtime_{{.threads = 1, .heap_bytes = 1 << 20}};
};

TEST_F(PatientWorld, waits_as_long_as_all_images_live) {
  ObjectWorld world(runtime_, {.threads = 1});
  std::atomic<int> ended{0};
  auto const sleep = [] { std::this_thread::sleep_for(std::chrono::seconds(3)); };
  EXPECT_NO_THROW(world.run_all({.begin =
                                     [&](ObjectPlace& here, std::int64_t) {
                                       if (here.place() == here.places() - 1) sleep();
                                     },
                                 .after =
                                     [&](PhaseReport const&) {
                                       sleep();
                                       return Next::go_on;
                                     },
                                 .end = [&](ObjectPlace&) { ++ended; },
                                 .phases = 2}));
  EXPECT_EQ(ended, 1);
  runtime_.finish_all();
}

TEST_P(ObjectWorldTest, The_program_can_stop_after_a_phase) {
  run({.begin =
           [&](ObjectPlace& here, std::int64_t) {
             if (here.place() == 0) here.send<&Counter::add>(counters_, 0, 1);
           },
       .after =
           [](PhaseReport const& report) { return report.phase == 4 ? Next::stop : Next::go_on; },
       .phases = 1000});

  EXPECT_EQ(sum(), 5);
}

TEST_P(ObjectWorldTest, An_object_is_made_once) {
  EXPECT_THROW(run({.begin =
                        [&](ObjectPlace& here, std::int64_t) {
                          here.for_each(counters_, [&](int index, Counter const&) {
                            here.create(counters_, index, new_counter(index));
                          });
                        }}),
               std::runtime_error);
}

// No place knows of the other's: the home is told of both.
TEST_P(ObjectWorldTest, An_object_that_two_places_make_ends_the_run_and_is_named) {
  auto const others = world_->add<Counter>("others", 5);
  auto const make = [&](ObjectPlace& here, std::int64_t) {
    if (here.place() < 2) here.create(others, 4, new_counter(4));
  };
  if (world_->places() < 2) GTEST_SKIP() << "it takes two places";
  try {
    run({.begin = make});
    FAIL() << "it was made twice, and no place said so";
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find("others[4]"), std::string::npos) << error.what();
  }
}

// Else an image would wait for what another one does not do, or decide by what it has not.
TEST_P(ObjectWorldTest, Options_and_programs_that_differ_between_images_are_refused) {
  if (runtime_.images() == 1) GTEST_SKIP() << "it takes two images";
  auto const refused = [&](auto const& make, std::string const& what) {
    try {
      make();
      ADD_FAILURE() << what << " that differs is taken";
    } catch (InputError const& error) {
      EXPECT_THAT(error.what(), HasSubstr(what));
    }
  };
  WorldOptions balancer{.threads = GetParam()};
  balancer.balance.balancer = image() == 0 ? "makespan" : "hierarchical";
  refused([&] { use(balancer); }, "a balancer");
  WorldOptions copies{.threads = GetParam(), .checkpoint = {.every = image()}};
  refused([&] { use(copies); }, "phases from checkpoint to checkpoint");

  use({.threads = GetParam()});
  refused([&] { run({.phases = 2 + image()}); }, "phases of a program");
  run({.phases = 2});
  EXPECT_EQ(objects(), count);
}

TEST_P(ObjectWorldTest, Options_of_a_trigger_that_cannot_be_are_refused) {
  WorldOptions options{.threads = GetParam()};
  options.balance.trigger.waste_max = -1.0;
  EXPECT_THROW(use(options), InputError);
  use({.threads = GetParam()});
}

TEST_P(ObjectWorldTest, Two_collections_have_two_names) {
  EXPECT_THROW(static_cast<void>(world().add<Counter>("counters", 3)), InputError);
  EXPECT_THROW(static_cast<void>(world().add<Counter>("negative", -3)), InputError);
}

// `make test-long` asks for 10 000 rounds.
std::int64_t rounds_asked() {
  char const* const asked = std::getenv("MAKESPAN_TEST_ROUNDS");
  return asked == nullptr ? 60 : std::stoll(asked);
}

TEST_P(ObjectWorldTest, Random_moves_messages_and_balancing_lose_nothing) {
  std::int64_t const rounds = rounds_asked();
  WorldOptions options{.threads = GetParam()};
  options.balance.trigger = {.when = BalanceWhen::periodic, .every = 3};
  options.balance.balancer = "random";
  use(options);
  std::atomic<std::int64_t> sent{0};

  run({.begin =
           [&](ObjectPlace& here, std::int64_t phase) {
             std::mt19937 random(static_cast<std::uint32_t>(phase * 1000 + here.place()));
             for (int message = 0; message < 12; ++message) {
               int const index = static_cast<int>(random() % count);
               int const place = static_cast<int>(random()) & 0xff;
               ++sent;
               switch (random() % 3) {
                 case 0:
                   here.send<&Counter::go>(counters_, index, counters_, index,
                                           place % here.places());
                   break;
                 case 1:
                   here.send<&Counter::pass>(counters_, index, counters_, index, 4);
                   sent += 4;
                   break;
                 default:
                   here.send<&Counter::add>(counters_, index, 1);
               }
             }
           },
       .phases = rounds});

  EXPECT_EQ(objects(), count);
  EXPECT_EQ(messages(), over_images(sent));
}

INSTANTIATE_TEST_SUITE_P(Threads, ObjectWorldTest, testing::Values(1, 2),
                         [](auto const& threads) { return std::to_string(threads.param); });

}  // namespace
}  // namespace makespan::graph

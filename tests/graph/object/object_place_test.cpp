// SPDX-License-Identifier: Apache-2.0
// Goal: a place goes on, or ends, as envelopes say, in whatever order they come. Method: one place
// whose messages are there already. With others: object_world_test.cpp; in worlds that are drawn:
// tests/swarm.
#include "makespan/graph/object/detail/place_core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cereal/types/string.hpp>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/object/still_messenger.hpp"
#include "graph/small_graphs.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"
#include "makespan/graph/object/object_run_failed.hpp"

namespace makespan::graph {
namespace {

Envelope abort_envelope(std::string_view why) {
  auto const bytes = std::as_bytes(std::span(why));
  return {.kind = EnvelopeKind::abort, .phase = -1, .bytes = {bytes.begin(), bytes.end()}};
}

// Place 1 of two images.
struct SecondPlace {
  explicit SecondPlace(WorldPlan of = {}) : plan{std::move(of)} {}

  WorldPlan plan;
  ObjectProgram program{};
  StillMessenger post{PlaceNumbers{.place = 1, .threads = 1, .images = 2}};
  PlaceCore place{plan, program, post};
};

TEST(ObjectPlace, ends_when_an_abort_overtakes_what_was_to_go_on) {
  SecondPlace second;
  second.post.mailbox().put(abort_envelope("place 0 has failed"));
  second.post.mailbox().put({.kind = EnvelopeKind::begin, .phase = 0});

  EXPECT_THROW(second.place.run(), ObjectRunFailed);
}

TEST(ObjectPlace, ends_when_it_is_told) {
  SecondPlace second;
  second.post.mailbox().put({.kind = EnvelopeKind::begin, .phase = 0});
  second.post.mailbox().put({.kind = EnvelopeKind::end, .phase = 0});

  EXPECT_NO_THROW(second.place.run());
}

Envelope unreadable_envelope(std::uint32_t generation) {
  auto const error = std::make_exception_ptr(std::runtime_error("no such argument"));
  return {.kind = EnvelopeKind::unreadable,
          .from = 1,
          .generation = generation,
          .object = std::make_shared<std::exception_ptr>(error)};
}

TEST(ObjectPlace, fails_when_messages_for_it_cannot_be_read) {
  SecondPlace second;
  second.post.mailbox().put(unreadable_envelope(second.plan.generation));
  second.post.mailbox().put(abort_envelope("place 1 has failed"));

  try {
    second.place.run();
    FAIL() << "no error";
  } catch (std::runtime_error const& error) {
    EXPECT_STREQ(error.what(), "no such argument");
  }
  EXPECT_EQ(second.post.sent.front().envelope.kind, EnvelopeKind::failed);
}

TEST(ObjectPlace, misses_no_message_of_a_run_before) {
  SecondPlace second({.generation = 3 * generations_of_a_run});
  second.post.mailbox().put(unreadable_envelope(2 * generations_of_a_run + 5));
  Envelope end{.kind = EnvelopeKind::end, .generation = second.plan.generation, .phase = 0};
  second.post.mailbox().put(std::move(end));

  EXPECT_NO_THROW(second.place.run());
}

std::string text_of(Envelope const& envelope) {
  return {reinterpret_cast<char const*>(envelope.bytes.data()), envelope.bytes.size()};
}

// The failure that the place has told of; "" if none.
std::string failure_in(std::span<StillMessenger::Sent const> sent) {
  for (StillMessenger::Sent const& each : sent) {
    if (each.envelope.kind == EnvelopeKind::failed) return text_of(each.envelope);
  }
  return {};
}

// A damaged message, a helper's error: the others would wait for this place for ever.
TEST(ObjectPlace, fails_by_an_error_of_the_network_and_waits_to_be_told) {
  SecondPlace second;
  int waits = 0;
  second.post.wait = [&] {
    if (++waits == 1) throw BadMessage(ImageId{0}, "of no kind");
    second.post.mailbox().put(abort_envelope("place 1 has failed"));
  };

  EXPECT_THROW(second.place.run(), BadMessage);

  EXPECT_EQ(waits, 2);
  std::string const said = failure_in(second.post.sent);
  EXPECT_NE(said.find("place 1: a message from image 0"), std::string::npos) << said;
}

TEST(ObjectPlace, ends_with_the_first_error_of_a_network_that_brings_nothing_more) {
  SecondPlace second;
  int waits = 0;
  second.post.wait = [&] { throw std::runtime_error("error " + std::to_string(++waits)); };

  try {
    second.place.run();
    FAIL() << "no error";
  } catch (std::runtime_error const& error) {
    EXPECT_STREQ(error.what(), "error 1");
  }
  EXPECT_EQ(failure_in(second.post.sent), "place 1: error 1");
}

TEST(ObjectPlace, ends_by_the_loss_of_image_0) {
  SecondPlace second;
  second.post.wait = [] { throw ImageFailed(ImageId{0}, "it died", "a phase"); };

  EXPECT_THROW(second.place.run(), ImageFailed);
}

// The others go on without it, and nothing that it sends reaches them.
TEST(ObjectPlace, ends_by_the_loss_of_its_own_image) {
  SecondPlace second;
  second.post.wait = [] { throw ImageFailed(ImageId{1}, "the others gave it up", "a phase"); };

  EXPECT_THROW(second.place.run(), ImageFailed);

  EXPECT_EQ(failure_in(second.post.sent), "");
}

// Place 0 has ended the run, and takes no failure of a place any more.
TEST(ObjectPlace, stays_over_whatever_comes_then) {
  StillMessenger post{PlaceNumbers{.place = 0, .threads = 1, .images = 1}};
  WorldPlan plan{.layout = assumed_layout(1, std::vector{0})};
  plan.places = std::make_shared<Places const>(places_of(plan.layout));
  ObjectProgram const program;
  PlaceCore place(plan, program, post);
  post.mailbox().put({.kind = EnvelopeKind::end, .phase = 0});
  post.mailbox().put({.kind = EnvelopeKind::report, .from = 17});  // there is no such place

  EXPECT_NO_THROW(place.run());
}

struct Sum {
  int value{0};
  void add(ObjectPlace& /*here*/, int what) { value += what; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value);
  }
};
struct Name {
  std::string value{};
  void append(ObjectPlace& /*here*/, std::string const& what) { value += what; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value);
  }
};

template <class T>
CollectionInfo collection_named(std::string name, int first) {
  return {.name = std::move(name), .first = first, .count = 2, .make_store = [] {
            return std::make_unique<TypedStore<T>>();
          }};
}

// Collections of two classes, two objects each, all at place 1.
struct TwoClasses {
  Collection<Sum> sums{.id = 0, .first = 0, .count = 2};
  Collection<Name> names{.id = 1, .first = 2, .count = 2};
  WorldPlan plan{
      .collections = {collection_named<Sum>("sums", 0), collection_named<Name>("names", 2)},
      .objects = 4};
  ObjectProgram program{.create = [this](ObjectPlace& here) {
    for (int index = 0; index < 2; ++index) {
      here.create(sums, index, Sum{});
      here.create(names, index, Name{});
    }
  }};
  StillMessenger post{PlaceNumbers{.place = 1, .threads = 1, .images = 2}};
  PlaceCore place{plan, program, post};

  // Of the phase in which objects are made.
  void put_message(int object, std::shared_ptr<Payload const> payload) {
    post.mailbox().put({.kind = EnvelopeKind::message,
                        .from = 0,
                        .phase = -1,
                        .targets = {{.object = object, .moves = 1, .place = 1}},
                        .payload = std::move(payload)});
  }
};

TEST(ObjectPlace, runs_methods_of_the_objects_class) {
  TwoClasses two;
  two.put_message(1, make_payload<&Sum::add>(5));
  two.put_message(2, make_payload<&Name::append>("five"));

  // What it waits for when the messages are done does not come.
  EXPECT_THROW(two.place.run(), std::logic_error);

  EXPECT_EQ(two.place.find(two.sums, 1)->value, 5);
  EXPECT_EQ(two.place.find(two.names, 0)->value, "five");
}

// An object that comes in a measured phase, and the look after it.
struct Arrival {
  WorldPlan plan{.collections = {collection_named<Sum>("sums", 0)}, .objects = 2};
  ObjectProgram program{};
  StillMessenger post{PlaceNumbers{.place = 1, .threads = 1, .images = 2}};
  PlaceCore place{plan, program, post};

  void put(ObjectLoads const& brought) {
    post.mailbox().put({.kind = EnvelopeKind::begin,
                        .number = PhaseOrder{.measured = Measured::messages}.number()});
    Envelope arrival{.kind = EnvelopeKind::arrival,
                     .targets = {{.object = 0, .moves = 2, .place = 1}},
                     .bytes = as_message_bytes(brought)};
    pgas::ByteWriter writer(arrival.bytes);
    writer(Sum{.value = 5});
    post.mailbox().put(std::move(arrival));
    post.mailbox().put({.kind = EnvelopeKind::look});
  }
};

TEST(ObjectPlace, tells_what_an_object_has_brought) {
  Arrival of;
  of.put({.objects = {{.object = 0, .moves = 2, .cpu_s = 3.0}},
          .traffic = {{.from = 0, .to = 1, .messages = 4.0, .bytes = 32.0}}});

  // What it waits for then does not come.
  EXPECT_THROW(of.place.run(), std::logic_error);

  EXPECT_EQ(of.place.find(Collection<Sum>{.id = 0, .first = 0, .count = 2}, 0)->value, 5);
  auto const told = std::ranges::find_if(
      of.post.sent, [](auto const& each) { return each.envelope.kind == EnvelopeKind::loads; });
  ASSERT_NE(told, of.post.sent.end());
  ObjectLoads const loads = read_loads(told->envelope.bytes);
  ASSERT_EQ(loads.objects.size(), 1U);
  EXPECT_EQ(loads.objects.front().cpu_s, 3.0);
  ASSERT_EQ(loads.traffic.size(), 1U);
  EXPECT_EQ(loads.traffic.front().messages, 4.0);
}

TEST(ObjectPlace, takes_no_loads_of_objects_that_there_are_not) {
  Arrival of;
  of.put({.objects = {{.object = 7, .moves = 2, .cpu_s = 3.0}}});

  EXPECT_THROW(of.place.run(), InputError);
}

// Its method takes 2 ms, and makes another object elsewhere when half of them have passed.
struct Maker {
  void make(ObjectPlace& here, int first) {
    auto& now_ns = here.common<std::int64_t>();
    now_ns += 1'000'000;
    here.create_at(0, Collection<Maker>{.id = 0, .first = first, .count = 2}, 1, Maker{});
    now_ns += 1'000'000;
  }
  template <class Archive>
  void serialize(Archive& /*archive*/) {}
};

TEST(ObjectPlace, charges_an_object_what_it_took_before_it_made_another) {
  auto const now_ns = std::make_shared<std::int64_t>(0);
  Collection<Maker> const makers{.id = 0, .first = 0, .count = 2};
  WorldPlan const plan{.collections = {collection_named<Maker>("makers", 0)}, .objects = 2};
  ObjectProgram const program{
      .prepare = [&](ObjectPlace& here) { here.set_common(now_ns); },
      .create = [&](ObjectPlace& here) { here.create(makers, 0, Maker{}); }};
  StillMessenger post{PlaceNumbers{.place = 1, .threads = 1, .images = 2}};
  post.now_ns = now_ns.get();
  PlaceCore place(plan, program, post);
  post.mailbox().put(
      {.kind = EnvelopeKind::begin, .number = PhaseOrder{.measured = Measured::messages}.number()});
  post.mailbox().put({.kind = EnvelopeKind::message,
                      .targets = {{.object = 0, .moves = 1, .place = 1}},
                      .payload = make_payload<&Maker::make>(makers.first)});

  // What it waits for when the method has ended does not come.
  EXPECT_THROW(place.run(), std::logic_error);

  EXPECT_TRUE(std::ranges::any_of(post.sent, [](auto const& each) {
    return each.place == 0 && each.envelope.kind == EnvelopeKind::arrival;
  }));
  EXPECT_DOUBLE_EQ(place.cpu_s(makers, 0), 2e-3);
}

// Place 1 of two that decide together, in phase 0.
struct Decider {
  WorldPlan plan{.places = std::make_shared<Places const>(equal_places(2))};
  ObjectProgram program{};
  StillMessenger post{PlaceNumbers{.place = 1, .threads = 1, .images = 2}};

  // What the place says of these orders.
  std::string failure_of(std::vector<Envelope> orders) {
    PlaceCore place{plan, program, post};
    post.sent.clear();
    post.mailbox().put({.kind = EnvelopeKind::begin, .phase = 0});
    for (Envelope& each : orders) post.mailbox().put(std::move(each));
    post.mailbox().put(abort_envelope("place 1 has failed"));
    EXPECT_ANY_THROW(place.run());
    return failure_in(post.sent);
  }
  static Envelope decide(std::int64_t step, DecisionOrder const& order) {
    return {.kind = EnvelopeKind::decide, .number = step, .bytes = as_message_bytes(order)};
  }
};

TEST(ObjectPlace, names_decisions_that_cannot_be) {
  DecisionOrder const good{.speeds = {1.0, 1.0}, .availability = {1.0, 1.0}};
  DecisionOrder few = good;
  few.availability.pop_back();
  DecisionOrder still = good;
  still.speeds.back() = 0.0;
  Envelope const early{.kind = EnvelopeKind::begin,
                       .phase = 1,
                       .number = PhaseOrder{.takes_decision = true}.number()};
  using testing::HasSubstr;
  for (std::string const balancer : {"gossip", "greedy"}) {
    Decider of;
    of.plan.options.balance.balancer = balancer;
    bool const decides = balancer == "gossip";
    EXPECT_EQ(of.failure_of({Decider::decide(1, good), Decider::decide(2, good)}).empty(), decides);
    EXPECT_THAT(of.failure_of({Decider::decide(1, few)}),
                HasSubstr(decides ? "1 shares of cores" : "step 1 of a decision"));
    EXPECT_THAT(of.failure_of({Decider::decide(1, still)}),
                HasSubstr(decides ? "place 1 has no speed" : "step 1 of a decision"));
    EXPECT_THAT(of.failure_of({Decider::decide(0, {})}), HasSubstr("step 0 of a decision"));
    EXPECT_THAT(of.failure_of({Decider::decide(2, {})}), HasSubstr("step 2 of a decision"));
    EXPECT_THAT(of.failure_of({{.kind = EnvelopeKind::decision, .number = 0}}),
                HasSubstr("none has begun"));
    EXPECT_THAT(of.failure_of({Envelope(early)}), HasSubstr(decides ? "" : "place 0 decides"));
  }
}

TEST(ObjectPlace, runs_no_method_of_another_class) {
  TwoClasses two;
  two.put_message(3, make_payload<&Sum::add>(5));

  EXPECT_THROW(two.place.run(), InputError);

  ASSERT_FALSE(two.post.sent.empty());
  Envelope const& last = two.post.sent.back().envelope;
  EXPECT_EQ(last.kind, EnvelopeKind::failed);
  std::string const said = text_of(last);
  EXPECT_NE(said.find("a message to names[1] from place 0"), std::string::npos) << said;
  EXPECT_NE(said.find("start the same executable"), std::string::npos) << said;
  EXPECT_EQ(two.place.find(two.names, 1)->value, "");
}

}  // namespace
}  // namespace makespan::graph

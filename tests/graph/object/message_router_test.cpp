// SPDX-License-Identifier: Apache-2.0
// Goal: envelopes of any length reach the mailbox of their place, whole and in their order, and
// wait until they are sent off. Method: every place writes to every other, and to itself.
#include "makespan/graph/object/detail/message_router.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "makespan/pgas/runtime.hpp"
#include "recorder.hpp"

namespace makespan::graph {
namespace {

constexpr int threads = 2;

std::vector<std::byte> pattern(std::size_t bytes, int seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t at = 0; at < bytes; ++at) {
    data[at] = static_cast<std::byte>(static_cast<int>(at % 251) + seed);
  }
  return data;
}

// Both places of an image work in the test's thread.
class MessageRouterTest : public testing::Test {
 protected:
  MessageRouterTest() : runtime_({.threads = threads, .heap_bytes = 1 << 20}) {
    router_.emplace(runtime_, threads);
    for (int thread = 0; thread < threads; ++thread) {
      carriers_.push_back(std::make_unique<RuntimeMessenger>(*router_, thread));
    }
  }
  ~MessageRouterTest() override {
    for (auto const& carrier : carriers_) carrier->drain();
    runtime_.team().barrier_all();
    router_.reset();
    runtime_.finish_all();
  }

  void help() {
    for (int thread = 0; thread < threads; ++thread) {
      carriers_[static_cast<std::size_t>(thread)]->push();
      while (runtime_.endpoint(thread).help() > 0) continue;
    }
  }
  // Collective: the path of a file that is not there yet. All images of a test have the same
  // parent.
  std::string new_flag_all(std::string const& name) {
    std::string const flag = testing::TempDir() + name + "_" + std::to_string(getppid());
    std::filesystem::remove(flag);
    runtime_.team().barrier_all();
    return flag;
  }
  static void take_nothing_until(std::string const& flag) {
    while (!std::filesystem::exists(flag)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // What comes to a near place, until there are so many: without them a test ends by its limit.
  std::vector<Envelope> receive(int place, int count) {
    std::vector<Envelope> all;
    while (std::ssize(all) < count) {
      help();
      Mailbox& mailbox = router_->mailbox(place);
      if (!mailbox.has_message()) std::this_thread::yield();
      for (; mailbox.has_message(); mailbox.pop()) all.push_back(std::move(*mailbox.front()));
    }
    return all;
  }

  pgas::Runtime runtime_;
  std::optional<MessageRouter> router_{};
  std::vector<std::unique_ptr<RuntimeMessenger>> carriers_{};
};

TEST_F(MessageRouterTest, Places_are_numbered_image_by_image) {
  int const image = static_cast<int>(runtime_.image().value());

  EXPECT_EQ(router_->places(), threads * runtime_.images());
  EXPECT_EQ(router_->first_place(), threads * image);
  for (int place = 0; place < router_->places(); ++place) {
    EXPECT_EQ(router_->image_of(place), place / threads);
    EXPECT_EQ(router_->is_near(place), place / threads == image);
  }
}

TEST_F(MessageRouterTest, Envelopes_of_any_length_arrive_whole_and_in_order) {
  std::vector<std::size_t> const lengths{0, 1, 60'000, 65'536, 200'000, 5};
  for (int thread = 0; thread < threads; ++thread) {
    int const from = router_->first_place() + thread;
    for (int to = 0; to < router_->places(); ++to) {
      for (std::size_t at = 0; at < lengths.size(); ++at) {
        carriers_[static_cast<std::size_t>(thread)]->send(
            to, {.kind = EnvelopeKind::copy,
                 .from = from,
                 .number = static_cast<std::int64_t>(at),
                 .targets = {{.object = 7, .moves = 8, .place = 9}},
                 .bytes = pattern(lengths[at], from + to)});
      }
    }
    carriers_[static_cast<std::size_t>(thread)]->flush();
  }

  int const expected = router_->places() * static_cast<int>(lengths.size());
  for (int thread = 0; thread < threads; ++thread) {
    int const place = router_->first_place() + thread;
    std::vector<std::int64_t> next(static_cast<std::size_t>(router_->places()), 0);
    for (Envelope const& envelope : receive(place, expected)) {
      EXPECT_EQ(envelope.number, next[static_cast<std::size_t>(envelope.from)]++);
      EXPECT_TRUE(envelope.bytes == pattern(lengths[static_cast<std::size_t>(envelope.number)],
                                            envelope.from + place));
      ASSERT_EQ(envelope.targets.size(), 1U);
      EXPECT_EQ(envelope.targets.front().place, 9);
    }
    EXPECT_FALSE(router_->mailbox(place).has_message()) << "a message that was not sent";
  }
}

TEST_F(MessageRouterTest, Payloads_call_the_same_method_elsewhere) {
  int const next = (router_->first_place() + threads) % router_->places();
  carriers_[0]->send(
      next, {.kind = EnvelopeKind::message,
             .payload = make_payload<&Recorder::text>("over there", std::vector<int>(40'000))});
  carriers_[0]->flush();

  auto const envelopes = receive(router_->first_place(), 1);

  Recorder recorder;
  ASSERT_NE(envelopes.front().payload, nullptr);
  envelopes.front().payload->invoke(&recorder, nowhere());
  EXPECT_EQ(recorder.calls, std::vector<std::string>{"text over there 40000"});
}

std::string why(Envelope const& unreadable) {
  try {
    std::rethrow_exception(*std::static_pointer_cast<std::exception_ptr>(unreadable.object));
  } catch (std::exception const& error) {
    return error.what();
  }
}

// Its reader is the program's own.
TEST_F(MessageRouterTest, What_cannot_be_read_is_told_to_its_place_and_not_its_sender) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near is not read";
  int const next = (router_->first_place() + threads) % router_->places();
  constexpr std::uint32_t generation = 5;
  carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 1});
  carriers_[0]->send(next, {.kind = EnvelopeKind::message,
                            .generation = generation,
                            .payload = make_payload<&Recorder::picky>(Picky{.values = {-1}})});
  carriers_[0]->flush();

  auto const envelopes = receive(router_->first_place(), 2);

  EXPECT_EQ(envelopes[0].number, 1) << "what came before it";
  ASSERT_EQ(envelopes[1].kind, EnvelopeKind::unreadable);
  EXPECT_EQ(why(envelopes[1]), "a negative value");
}

TEST_F(MessageRouterTest, What_no_other_image_sends_is_told_to_a_place) {
  int const here = router_->first_place();
  pgas::Fragment const whole{.image = 0, .thread = 0, .number = 99, .part = 0, .parts = 1};
  std::vector<std::byte> bytes;
  pgas::CodeMap code;
  write_envelope(bytes, {.kind = EnvelopeKind::copy, .generation = 5}, code);

  // Of a place elsewhere; cut short, in the head and behind it; and of a part that cannot be.
  router_->take_part(here + threads, whole, bytes);
  router_->take_part(here + 1, whole, std::span(bytes).first(7));
  bytes.pop_back();
  bytes.insert(bytes.end(), 3, std::byte{0});
  router_->take_part(here + 1, whole, bytes);
  router_->take_part(here + 1, {.image = 0, .thread = 0, .number = 98, .part = 2, .parts = 1},
                     bytes);

  auto const first = receive(here, 1);
  EXPECT_EQ(first.front().generation, 5U);
  EXPECT_NE(why(first.front()).find("messages for place " + std::to_string(here + threads)),
            std::string::npos);
  for (Envelope const& each : receive(here + 1, 4)) {
    if (each.kind == EnvelopeKind::copy) continue;  // before what is cut short
    EXPECT_EQ(each.kind, EnvelopeKind::unreadable);
    EXPECT_NE(why(each), "");
  }
}

TEST_F(MessageRouterTest, Receivers_are_counted_until_what_is_for_them_has_left) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near is not gathered";
  int const first = (router_->first_place() + threads) % router_->places();
  int const here = router_->first_place();
  auto const gather = [&](int place) { carriers_[0]->send(place, {.kind = EnvelopeKind::copy}); };
  EXPECT_EQ(carriers_[0]->receivers(), 0);
  gather(first);
  gather(first);
  EXPECT_EQ(carriers_[0]->receivers(), 1);
  gather(first + 1);
  EXPECT_EQ(carriers_[0]->receivers(), 2);
  carriers_[0]->drop_unsent();
  EXPECT_EQ(carriers_[0]->receivers(), 0);

  gather(first);
  gather(first + 1);
  carriers_[0]->flush();
  carriers_[0]->drain();
  EXPECT_EQ(carriers_[0]->receivers(), 0);
  EXPECT_EQ(receive(here, 1).size(), 1U);
  EXPECT_EQ(receive(here + 1, 1).size(), 1U);
  runtime_.team().barrier_all();
}

TEST_F(MessageRouterTest, What_is_gathered_can_be_dropped) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near is not gathered";
  int const next = (router_->first_place() + threads) % router_->places();
  carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 1});
  carriers_[0]->drop_unsent();
  carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 2});
  carriers_[0]->flush();

  EXPECT_EQ(receive(router_->first_place(), 1).front().number, 2);
}

TEST_F(MessageRouterTest, Loose_objects_stay_what_they_are_within_an_image) {
  auto const object = std::make_shared<Recorder>();
  carriers_[0]->send(router_->first_place() + 1, {.kind = EnvelopeKind::arrival, .object = object});

  EXPECT_EQ(receive(router_->first_place() + 1, 1).front().object.get(), object.get());
}

TEST_F(MessageRouterTest, What_is_little_waits_until_it_is_much_or_flushed) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near does not wait";
  int const next = (router_->first_place() + threads) % router_->places();
  int const here = router_->first_place();
  carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 1, .bytes = pattern(10, 0)});

  carriers_[0]->flush_full();
  runtime_.team().barrier_all();
  help();
  EXPECT_FALSE(router_->mailbox(here).has_message());
  runtime_.team().barrier_all();

  carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 2, .bytes = pattern(70'000, 0)});
  carriers_[0]->flush_full();
  auto const much = receive(here, 2);
  EXPECT_EQ(much[0].number, 1);
  EXPECT_EQ(much[1].number, 2);
  runtime_.team().barrier_all();

  carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 3});
  carriers_[0]->flush();
  EXPECT_EQ(receive(here, 1).front().number, 3);
  runtime_.team().barrier_all();
  help();
  EXPECT_FALSE(router_->mailbox(here).has_message()) << "sent twice";
}

// All but image 0 look for a file, and take nothing.
TEST_F(MessageRouterTest, What_there_is_no_room_for_waits_in_line_and_not_its_sender) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near needs no room";
  int const next = threads;  // a place of image 1
  constexpr int many = 256;
  constexpr std::size_t bytes = 65'536;
  std::string const flag = new_flag_all("line");
  if (runtime_.image() == ImageId{0}) {
    for (int at = 0; at < many; ++at) {
      carriers_[0]->send(
          next, {.kind = EnvelopeKind::copy, .number = at, .bytes = pattern(bytes, at % 5)});
      carriers_[0]->flush();
    }
    EXPECT_TRUE(carriers_[0]->has_line());
    std::ofstream(flag) << "go on";
    carriers_[0]->drain();
    EXPECT_FALSE(carriers_[0]->has_line());
  } else {
    take_nothing_until(flag);
  }
  if (runtime_.image() != ImageId{1}) return;

  std::vector<bool> has_come(many, false);
  for (Envelope const& envelope : receive(next, many)) {
    EXPECT_TRUE(envelope.bytes == pattern(bytes, static_cast<int>(envelope.number % 5)));
    EXPECT_FALSE(has_come[static_cast<std::size_t>(envelope.number)]) << "sent twice";
    has_come[static_cast<std::size_t>(envelope.number)] = true;
  }
}

// One that has gone in part arrives whole. Image 1 takes nothing before the others are dropped.
TEST_F(MessageRouterTest, Messages_of_which_no_part_has_gone_can_be_dropped) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near needs no room";
  int const next = threads;  // a place of image 1
  constexpr std::size_t bytes = 32 << 20;
  std::string const flag = new_flag_all("drop");
  if (runtime_.image() == ImageId{0}) {
    for (int number = 1; number <= 3; ++number) {
      carriers_[0]->send(
          next, {.kind = EnvelopeKind::copy, .number = number, .bytes = pattern(bytes, 7)});
      carriers_[0]->flush();
    }
    carriers_[0]->drop_unsent();
    std::ofstream(flag) << "go on";
    carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 4});
    carriers_[0]->flush();
    carriers_[0]->drain();
  } else {
    take_nothing_until(flag);
  }
  runtime_.team().barrier_all();
  if (runtime_.image() != ImageId{1}) return;

  // Numbers 2 and 3 have not begun where 1 is longer than any ring.
  std::vector<Envelope> const envelopes = receive(next, 2);
  EXPECT_EQ(envelopes[0].number, 1);
  EXPECT_TRUE(envelopes[0].bytes == pattern(bytes, 7));
  EXPECT_EQ(envelopes[1].number, 4);
  EXPECT_FALSE(router_->mailbox(next).has_message());
}

TEST_F(MessageRouterTest, Two_routers_do_not_mix_their_messages) {
  MessageRouter other(runtime_, threads);
  RuntimeMessenger second(other, 0);
  int const next = (router_->first_place() + threads) % router_->places();
  carriers_[0]->send(next, {.kind = EnvelopeKind::copy, .number = 1});
  second.send(next, {.kind = EnvelopeKind::copy, .number = 2});
  second.flush();
  carriers_[0]->flush();

  EXPECT_EQ(receive(router_->first_place(), 1).front().number, 1);
  Mailbox& mailbox = other.mailbox(router_->first_place());
  while (!mailbox.has_message()) help();
  EXPECT_EQ(mailbox.front()->number, 2);
  runtime_.team().barrier_all();
}

}  // namespace
}  // namespace makespan::graph

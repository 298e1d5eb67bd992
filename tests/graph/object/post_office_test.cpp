// SPDX-License-Identifier: Apache-2.0
// Goal: letters of any length reach the mailbox of their place, whole and in their order, and wait
// until they are sent off. Method: every place writes to every other, and to itself.
#include "makespan/graph/object/post_office.hpp"

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
class PostOfficeTest : public testing::Test {
 protected:
  PostOfficeTest() : runtime_({.threads = threads, .heap_bytes = 1 << 20}) {
    office_.emplace(runtime_, threads);
    for (int thread = 0; thread < threads; ++thread) {
      carriers_.push_back(std::make_unique<Carrier>(*office_, thread));
    }
  }
  ~PostOfficeTest() override {
    for (auto const& carrier : carriers_) carrier->drain();
    runtime_.team().barrier_all();
    office_.reset();
    runtime_.finish_all();
  }

  void help() {
    for (int thread = 0; thread < threads; ++thread) {
      carriers_[static_cast<std::size_t>(thread)]->push();
      while (runtime_.endpoint(thread).help() > 0) continue;
    }
  }
  // What comes to a near place, until there are so many: without them a test ends by its limit.
  std::vector<Letter> receive(int place, int count) {
    std::vector<Letter> all;
    while (std::ssize(all) < count) {
      help();
      std::vector<Letter> some;
      office_->mailbox(place).take_all(some);
      for (Letter& each : some) all.push_back(std::move(each));
      if (some.empty()) std::this_thread::yield();
    }
    return all;
  }

  pgas::Runtime runtime_;
  std::optional<PostOffice> office_{};
  std::vector<std::unique_ptr<Carrier>> carriers_{};
};

TEST_F(PostOfficeTest, Places_are_numbered_image_by_image) {
  int const image = static_cast<int>(runtime_.image().value());

  EXPECT_EQ(office_->places(), threads * runtime_.images());
  EXPECT_EQ(office_->first_place(), threads * image);
  for (int place = 0; place < office_->places(); ++place) {
    EXPECT_EQ(office_->image_of(place), place / threads);
    EXPECT_EQ(office_->is_near(place), place / threads == image);
  }
}

TEST_F(PostOfficeTest, Letters_of_any_length_arrive_whole_and_in_order) {
  std::vector<std::size_t> const lengths{0, 1, 60'000, 65'536, 200'000, 5};
  for (int thread = 0; thread < threads; ++thread) {
    int const from = office_->first_place() + thread;
    for (int to = 0; to < office_->places(); ++to) {
      for (std::size_t at = 0; at < lengths.size(); ++at) {
        carriers_[static_cast<std::size_t>(thread)]->send(
            to, {.kind = LetterKind::copy,
                 .from = from,
                 .number = static_cast<std::int64_t>(at),
                 .targets = {{.object = 7, .moves = 8, .place = 9}},
                 .bytes = pattern(lengths[at], from + to)});
      }
    }
    carriers_[static_cast<std::size_t>(thread)]->flush();
  }

  int const expected = office_->places() * static_cast<int>(lengths.size());
  for (int thread = 0; thread < threads; ++thread) {
    int const place = office_->first_place() + thread;
    std::vector<std::int64_t> next(static_cast<std::size_t>(office_->places()), 0);
    for (Letter const& letter : receive(place, expected)) {
      EXPECT_EQ(letter.number, next[static_cast<std::size_t>(letter.from)]++);
      EXPECT_TRUE(letter.bytes ==
                  pattern(lengths[static_cast<std::size_t>(letter.number)], letter.from + place));
      ASSERT_EQ(letter.targets.size(), 1U);
      EXPECT_EQ(letter.targets.front().place, 9);
    }
    EXPECT_FALSE(office_->mailbox(place).has_mail()) << "one that nobody sent";
  }
}

TEST_F(PostOfficeTest, Payloads_call_the_same_method_elsewhere) {
  int const next = (office_->first_place() + threads) % office_->places();
  carriers_[0]->send(
      next, {.kind = LetterKind::message,
             .payload = make_payload<&Recorder::text>("over there", std::vector<int>(40'000))});
  carriers_[0]->flush();

  auto const letters = receive(office_->first_place(), 1);

  Recorder recorder;
  ASSERT_NE(letters.front().payload, nullptr);
  letters.front().payload->invoke(&recorder, nowhere());
  EXPECT_EQ(recorder.calls, std::vector<std::string>{"text over there 40000"});
}

TEST_F(PostOfficeTest, Loose_objects_stay_what_they_are_within_an_image) {
  auto const object = std::make_shared<Recorder>();
  carriers_[0]->send(office_->first_place() + 1, {.kind = LetterKind::arrival, .object = object});

  EXPECT_EQ(receive(office_->first_place() + 1, 1).front().object.get(), object.get());
}

TEST_F(PostOfficeTest, What_is_little_waits_until_it_is_much_or_flushed) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near does not wait";
  int const next = (office_->first_place() + threads) % office_->places();
  int const here = office_->first_place();
  carriers_[0]->send(next, {.kind = LetterKind::copy, .number = 1, .bytes = pattern(10, 0)});

  carriers_[0]->flush_full();
  runtime_.team().barrier_all();
  help();
  EXPECT_FALSE(office_->mailbox(here).has_mail());
  runtime_.team().barrier_all();

  carriers_[0]->send(next, {.kind = LetterKind::copy, .number = 2, .bytes = pattern(70'000, 0)});
  carriers_[0]->flush_full();
  auto const much = receive(here, 2);
  EXPECT_EQ(much[0].number, 1);
  EXPECT_EQ(much[1].number, 2);
  runtime_.team().barrier_all();

  carriers_[0]->send(next, {.kind = LetterKind::copy, .number = 3});
  carriers_[0]->flush();
  EXPECT_EQ(receive(here, 1).front().number, 3);
  runtime_.team().barrier_all();
  help();
  EXPECT_FALSE(office_->mailbox(here).has_mail()) << "sent twice";
}

// All but image 0 look for a file, and take nothing.
TEST_F(PostOfficeTest, What_there_is_no_room_for_waits_in_line_and_not_its_sender) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near needs no room";
  int const next = threads;  // a place of image 1
  constexpr int many = 256;
  constexpr std::size_t bytes = 65'536;
  constexpr std::chrono::milliseconds one_ms{1};
  // All images of a test have the same parent.
  std::string const flag = testing::TempDir() + "line_" + std::to_string(getppid());
  std::filesystem::remove(flag);
  runtime_.team().barrier_all();
  if (runtime_.image() == ImageId{0}) {
    for (int at = 0; at < many; ++at) {
      carriers_[0]->send(next,
                         {.kind = LetterKind::copy, .number = at, .bytes = pattern(bytes, at % 5)});
      carriers_[0]->flush();
    }
    EXPECT_TRUE(carriers_[0]->has_line());
    std::ofstream(flag) << "go on";
    carriers_[0]->drain();
    EXPECT_FALSE(carriers_[0]->has_line());
  } else {
    while (!std::filesystem::exists(flag)) std::this_thread::sleep_for(one_ms);
  }
  if (runtime_.image() != ImageId{1}) return;

  std::vector<bool> has_come(many, false);
  for (Letter const& letter : receive(next, many)) {
    EXPECT_TRUE(letter.bytes == pattern(bytes, static_cast<int>(letter.number % 5)));
    EXPECT_FALSE(has_come[static_cast<std::size_t>(letter.number)]) << "sent twice";
    has_come[static_cast<std::size_t>(letter.number)] = true;
  }
}

// One that has gone in part arrives whole.
TEST_F(PostOfficeTest, What_nobody_has_a_part_of_can_be_dropped) {
  if (runtime_.images() == 1) GTEST_SKIP() << "what is near needs no room";
  int const next = threads;  // a place of image 1
  constexpr std::size_t bytes = 32 << 20;
  runtime_.team().barrier_all();
  if (runtime_.image() == ImageId{0}) {
    for (int number = 1; number <= 3; ++number) {
      carriers_[0]->send(next,
                         {.kind = LetterKind::copy, .number = number, .bytes = pattern(bytes, 7)});
      carriers_[0]->flush();
    }
    carriers_[0]->drop_unsent();
    carriers_[0]->send(next, {.kind = LetterKind::copy, .number = 4});
    carriers_[0]->flush();
    carriers_[0]->drain();
  }
  runtime_.team().barrier_all();
  if (runtime_.image() != ImageId{1}) return;

  // Numbers 2 and 3 have not begun where 1 is longer than any ring.
  std::vector<Letter> const letters = receive(next, 2);
  EXPECT_EQ(letters[0].number, 1);
  EXPECT_TRUE(letters[0].bytes == pattern(bytes, 7));
  EXPECT_EQ(letters[1].number, 4);
  EXPECT_FALSE(office_->mailbox(next).has_mail());
}

TEST_F(PostOfficeTest, Two_offices_do_not_mix_their_mail) {
  PostOffice other(runtime_, threads);
  Carrier second(other, 0);
  int const next = (office_->first_place() + threads) % office_->places();
  carriers_[0]->send(next, {.kind = LetterKind::copy, .number = 1});
  second.send(next, {.kind = LetterKind::copy, .number = 2});
  second.flush();
  carriers_[0]->flush();

  EXPECT_EQ(receive(office_->first_place(), 1).front().number, 1);
  std::vector<Letter> letters;
  while (letters.empty()) {
    help();
    other.mailbox(office_->first_place()).take_all(letters);
  }
  EXPECT_EQ(letters.front().number, 2);
  runtime_.team().barrier_all();
}

}  // namespace
}  // namespace makespan::graph

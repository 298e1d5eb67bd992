// SPDX-License-Identifier: Apache-2.0
// Goal: messages arrive once, whole and in order, however many send and poll; dead images hold up
// no others. Method: images as threads, also under the thread sanitizer, and as processes with
// mappings at different addresses.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "image_crowd.hpp"
#include "link_parts.hpp"
#include "makespan/pgas/transport/shm/detail/record_ring.hpp"
#include "makespan/pgas/transport/shm/detail/shm_link.hpp"

namespace makespan::pgas {
namespace {

using namespace ::makespan::pgas::fake;

// Sends `messages` to every image, and polls until as many came from every sending thread.
void exchange_with_all(Link& link, Checker& checker, std::int64_t own, int thread,
                       std::uint64_t messages, std::uint64_t images) {
  for (std::uint64_t message = 0; message < messages; ++message) {
    for (std::uint64_t to = 0; to < images; ++to) {
      WireHeader header = header_of(own, message);
      header.thread = static_cast<std::uint16_t>(thread);
      std::vector<std::byte> const payload = bytes_of(message, Checker::size_of(message));
      ImageId const target{static_cast<std::int64_t>(to)};
      while (link.send(target, header, payload) != SendOutcome::sent) {
        if (link.poll(checker) == 0) std::this_thread::yield();
      }
    }
    link.poll(checker);
  }
}

struct Crowd {
  ImagesAre kind;
  int images;
  int threads;  // of each image
};

std::string name_of(Crowd const& crowd) {
  return std::to_string(crowd.images) +
         (crowd.kind == ImagesAre::threads ? "_images_in_threads_" : "_images_in_processes_") +
         std::to_string(crowd.threads) + "_senders";
}

void PrintTo(Crowd const& crowd, std::ostream* out) {
  *out << name_of(crowd);
}

std::vector<Crowd> all_crowds() {
  std::vector<Crowd> crowds;
  for (ImagesAre const kind : {ImagesAre::threads, ImagesAre::processes}) {
    for (int const images : {1, 2, 3, 5}) {
      for (int const threads : {1, 2}) crowds.push_back({kind, images, threads});
    }
  }
  return crowds;
}

class EveryCrowd : public ::testing::TestWithParam<Crowd> {};

INSTANTIATE_TEST_SUITE_P(ShmLink, EveryCrowd, ::testing::ValuesIn(all_crowds()),
                         [](auto const& test) { return name_of(test.param); });

TEST_P(EveryCrowd, carries_messages_between_all) {
  auto const [kind, images, threads] = GetParam();
  constexpr std::uint64_t messages = 150;
  auto const image_count = static_cast<std::uint64_t>(images);
  FakeNode node(images, segment_bytes(layout_for(images, 2)));
  run_images(kind, node, [&, images = images, threads = threads](FakeJob& job) {
    Member member(job, node, Wakeup::doorbell, 2);
    LinkThreading const threading =
        threads == 1 ? LinkThreading::serialized : LinkThreading::concurrent;
    // The second channel, to see that it does not meet the first.
    auto const first = member.transport.open_link_all(0, threading);
    auto const link = member.transport.open_link_all(1, threading);
    Checker checker(images, threads);
    std::uint64_t const total = messages * image_count * static_cast<std::uint64_t>(threads);
    auto const run_thread = [&](int thread) {
      exchange_with_all(*link, checker, job.image().value(), thread, messages, image_count);
      while (checker.received() < total) {
        if (link->poll(checker) == 0) std::this_thread::yield();
      }
    };
    {
      std::vector<std::jthread> others;
      for (int thread = 1; thread < threads; ++thread) others.emplace_back(run_thread, thread);
      run_thread(0);
    }

    EXPECT_EQ(checker.received(), total);
    EXPECT_EQ(link->poll(checker), 0);
    EXPECT_EQ(first->poll(checker), 0);
    job.exchange_all({});  // no image leaves while others may still ring its bell
  });
}

// Image 1 dies; images 0 and 2 go on. What it does before is up to the test.
void survive_death_of_image_1(std::function<void(Link&, FakeNode&)> const& last_deeds) {
  constexpr std::uint64_t messages = 1000;
  FakeNode node(3, segment_bytes(layout_for(3)));
  std::atomic_ref<std::uint32_t> const may_die(
      *reinterpret_cast<std::uint32_t*>(node.segment(1).data()));
  auto const survive = [&](FakeJob& job) {
    Member member(job, node, Wakeup::doorbell);
    auto const link = member.transport.open_link_all(0, LinkThreading::serialized);
    std::int64_t const own = job.image().value();
    Checker checker(3, 1);
    // From image 1 comes some first part of what it wanted to send.
    for (std::uint64_t message = 0; message < messages; ++message) {
      WireHeader header = header_of(own, message);
      header.thread = 0;  // see Checker
      std::vector<std::byte> const payload = bytes_of(message, Checker::size_of(message));
      while (link->send(ImageId{2 - own}, header, payload) != SendOutcome::sent) {
        link->poll(checker);
      }
      link->poll(checker);
      if (message == messages / 2) {
        std::atomic_ref(*reinterpret_cast<std::uint32_t*>(node.segment(1).data())).fetch_add(1);
      }
    }
    while (checker.received_from(2 - own) < messages) link->poll(checker);
    link->abandon(ImageId{1});
    EXPECT_EQ(link->send(ImageId{1}, header_of(own, 0), {}), SendOutcome::sent);
  };
  pid_t const image0 = fork_image(node, 0, survive);
  pid_t const image2 = fork_image(node, 2, survive);
  pid_t const image1 = fork_image(node, 1, [&](FakeJob& job) {
    Member member(job, node, Wakeup::doorbell);
    auto const link = member.transport.open_link_all(0, LinkThreading::serialized);
    last_deeds(*link, node);
    for (;;) ::pause();
  });

  while (may_die.load() < 2) std::this_thread::yield();
  EXPECT_EQ(::kill(image1, SIGKILL), 0);
  EXPECT_FALSE(ended_well(image1));
  EXPECT_TRUE(ended_well(image0));
  EXPECT_TRUE(ended_well(image2));
}

TEST(ShmLink, goes_on_when_an_image_dies_in_the_middle_of_a_record) {
  survive_death_of_image_1([](Link& link, FakeNode& node) {
    // One message the proper way, and one that is never finished, to each of the others.
    ShmLayout const layout = layout_for(3);
    for (int to : {0, 2}) {
      EXPECT_EQ(link.send(ImageId{to}, {.source = 1}, {}), SendOutcome::sent);
      auto const ring =
          node.segment(to).subspan(static_cast<std::size_t>(area_offset + layout.ring_offset(0, 1)),
                                   static_cast<std::size_t>(layout.ring_memory_bytes()));
      // The second slot but for its commit word, which says which lap it is; and payloads.
      std::ranges::fill(ring.subspan(RecordRing::alignment + 64 + 8, 56), std::byte{0xFF});
      std::ranges::fill(ring.last(1000), std::byte{0xFF});
    }
  });
}

TEST(ShmLink, goes_on_when_an_image_dies_while_it_sends) {
  survive_death_of_image_1([](Link& link, FakeNode&) {
    std::array<std::uint64_t, 3> next{};
    for (;;) {
      for (std::int64_t const to : {0, 2}) {
        std::uint64_t& message = next[static_cast<std::size_t>(to)];
        WireHeader header = header_of(1, message);
        header.thread = 0;
        std::vector<std::byte> const payload = bytes_of(message, Checker::size_of(message));
        if (link.send(ImageId{to}, header, payload) == SendOutcome::sent) ++message;
      }
    }
  });
}

}  // namespace
}  // namespace makespan::pgas

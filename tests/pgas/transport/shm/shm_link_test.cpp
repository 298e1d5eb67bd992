// SPDX-License-Identifier: Apache-2.0
// Goal: messages arrive once, whole and in order, whoever sends and polls; events are not missed;
// the dead hold up nobody. Method: images as threads, also under the thread sanitizer, and as
// processes with mappings at different addresses.
#include "makespan/pgas/transport/shm/shm_link.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "image_crowd.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/shm/record_ring.hpp"
#include "makespan/pgas/transport/shm/shm_layout.hpp"
#include "makespan/pgas/transport/shm/shm_transport.hpp"

namespace makespan::pgas {
namespace {

using ::makespan::pgas::testing::FakeJob;
using ::makespan::pgas::testing::FakeNode;
using ::makespan::pgas::testing::FakeNodeMemory;
using ::makespan::pgas::testing::fork_image;
using ::makespan::pgas::testing::ImagesAre;
using ::makespan::pgas::testing::run_images;

constexpr std::int64_t payload_bytes_max = 4096;
constexpr std::int64_t area_offset = 640;

ShmLayout layout_for(int images, int channels = 1) {
  return {images, channels, payload_bytes_max};
}

// Room for the rings, and for a word of the test's own in front.
std::int64_t segment_bytes(ShmLayout const& layout) {
  return area_offset + layout.bytes_per_image();
}

// A node, and one image's transport in it.
struct Member {
  Member(FakeJob& job, FakeNode const& node, Wakeup wakeup, int channels = 1)
      : memory(node),
        transport(job, memory, layout_for(job.images(), channels),
                  {.area_offset = area_offset, .wakeup = wakeup}) {}

  FakeNodeMemory memory;
  ShmTransport transport;
};

// Keeps what arrived.
struct Inbox final : MessageSink {
  struct Message {
    WireHeader header;
    std::vector<std::byte> payload;
  };
  std::vector<Message> messages;

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    messages.push_back({header, {payload.begin(), payload.end()}});
  }
};

std::vector<std::byte> bytes_of(std::uint64_t message, std::size_t bytes) {
  std::vector<std::byte> payload(bytes);
  for (std::size_t at = 0; at < bytes; ++at) payload[at] = static_cast<std::byte>(message + at);
  return payload;
}

WireHeader header_of(std::int64_t source, std::uint64_t message) {
  return {.kind = WireKind::rpc,
          .source = static_cast<std::int32_t>(source),
          .offset = message,
          .operand = 7};
}

// Two images in one thread.
class TwoImages : public ::testing::Test {
 protected:
  static constexpr ImageId image0{0};
  static constexpr ImageId image1{1};

  void open(Wakeup wakeup) {
    std::jthread const other([&] {
      member1.emplace(job1, node, wakeup);
      link1 = member1->transport.open_link_all(0, LinkThreading::serialized);
    });
    member0.emplace(job0, node, wakeup);
    link0 = member0->transport.open_link_all(0, LinkThreading::serialized);
  }

  FakeNode node{2, segment_bytes(layout_for(2))};
  FakeJob job0{node, 0};
  FakeJob job1{node, 1};
  std::optional<Member> member0;
  std::optional<Member> member1;
  std::unique_ptr<Link> link0;
  std::unique_ptr<Link> link1;
  Inbox inbox;
};

using ShmLinkOfTwo = TwoImages;

TEST_F(ShmLinkOfTwo, delivers_headers_and_payloads_of_every_size) {
  open(Wakeup::none);
  EXPECT_EQ(link0->payload_bytes_max(), payload_bytes_max);
  for (std::size_t const bytes : {0U, 1U, 8U, 63U, 64U, 65U, 4095U, 4096U}) {
    ASSERT_EQ(link0->send(image1, header_of(0, bytes), bytes_of(bytes, bytes)), SendOutcome::sent);
    ASSERT_EQ(link1->poll(inbox), 1);

    EXPECT_EQ(inbox.messages.back().header.kind, WireKind::rpc);
    EXPECT_EQ(inbox.messages.back().header.source, 0);
    EXPECT_EQ(inbox.messages.back().header.offset, bytes);
    EXPECT_EQ(inbox.messages.back().header.operand, 7U);
    EXPECT_EQ(inbox.messages.back().payload, bytes_of(bytes, bytes));
  }
  EXPECT_EQ(link1->poll(inbox), 0);
  EXPECT_EQ(link0->poll(inbox), 0);
  EXPECT_TRUE(link0->is_drained());
}

TEST_F(ShmLinkOfTwo, is_busy_when_the_ring_is_full_and_others_are_not) {
  open(Wakeup::none);
  std::uint64_t sent = 0;
  while (link0->send(image1, header_of(0, sent), bytes_of(sent, 1000)) == SendOutcome::sent) ++sent;
  EXPECT_GT(sent, 100U);

  EXPECT_EQ(link0->send(image1, header_of(0, sent), bytes_of(sent, 1000)), SendOutcome::busy);
  EXPECT_EQ(link0->send(image0, header_of(0, 0), {}), SendOutcome::sent);
  EXPECT_EQ(link1->send(image1, header_of(1, 0), {}), SendOutcome::sent);
  EXPECT_GT(link1->poll(inbox), 0);
  EXPECT_EQ(link0->send(image1, header_of(0, sent), bytes_of(sent, 1000)), SendOutcome::sent);
  while (link1->poll(inbox) > 0) {
  }

  std::erase_if(inbox.messages, [](auto const& message) { return message.header.source != 0; });
  ASSERT_EQ(inbox.messages.size(), sent + 1);
  for (std::uint64_t message = 0; message <= sent; ++message) {
    EXPECT_EQ(inbox.messages[message].header.offset, message);
    EXPECT_EQ(inbox.messages[message].payload, bytes_of(message, 1000));
  }
}

TEST_F(ShmLinkOfTwo, delivers_a_bounded_number_at_a_time_from_everybody) {
  open(Wakeup::none);
  for (std::uint64_t message = 0; message < 100; ++message) {
    ASSERT_EQ(link0->send(image1, header_of(0, message), {}), SendOutcome::sent);
  }
  ASSERT_EQ(link1->send(image1, header_of(1, 0), {}), SendOutcome::sent);

  EXPECT_LT(link1->poll(inbox), 100);
  EXPECT_EQ(std::ranges::count(inbox.messages, 1, [](auto const& m) { return m.header.source; }),
            1);
}

// Answers every message to its sender, from inside deliver().
struct Echo final : MessageSink {
  explicit Echo(Link& own_link) : link(own_link) {}
  Link& link;

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    EXPECT_EQ(link.send(ImageId{header.source}, header, payload), SendOutcome::sent);
  }
};

TEST_F(ShmLinkOfTwo, may_send_while_it_delivers) {
  open(Wakeup::none);
  Echo echo(*link1);
  ASSERT_EQ(link0->send(image1, header_of(0, 5), bytes_of(5, 50)), SendOutcome::sent);

  EXPECT_EQ(link1->poll(echo), 1);
  EXPECT_EQ(link0->poll(inbox), 1);
  EXPECT_EQ(inbox.messages.front().payload, bytes_of(5, 50));
}

TEST_F(ShmLinkOfTwo, forgets_an_image_that_was_abandoned) {
  open(Wakeup::doorbell);
  ASSERT_EQ(link1->send(image0, header_of(1, 0), {}), SendOutcome::sent);
  while (link0->send(image1, header_of(0, 0), bytes_of(0, 4000)) == SendOutcome::sent) {
  }

  link0->abandon(image1);

  EXPECT_EQ(link0->poll(inbox), 0);
  EXPECT_TRUE(link0->arm());
  EXPECT_EQ(link0->send(image1, header_of(0, 0), bytes_of(0, 4000)), SendOutcome::sent);
  EXPECT_EQ(link0->send(image0, header_of(0, 3), {}), SendOutcome::sent);
  EXPECT_EQ(link0->poll(inbox), 1);
}

TEST_F(ShmLinkOfTwo, refuses_calls_that_make_no_sense) {
  open(Wakeup::none);

  EXPECT_THROW(static_cast<void>(link0->send(ImageId{2}, {}, {})), ContractViolated);
  EXPECT_THROW(static_cast<void>(link0->send(ImageId{}, {}, {})), ContractViolated);
  EXPECT_THROW(static_cast<void>(link0->send(image1, {}, bytes_of(0, 4097))), ContractViolated);
}

bool is_readable(Link const& link, int milliseconds) {
  pollfd descriptor{.fd = link.event_descriptor(), .events = POLLIN, .revents = 0};
  return ::poll(&descriptor, 1, milliseconds) == 1;
}

TEST_F(ShmLinkOfTwo, has_no_events_unless_asked) {
  open(Wakeup::none);

  EXPECT_EQ(link0->event_descriptor(), -1);
  EXPECT_FALSE(link0->arm());
}

TEST_F(ShmLinkOfTwo, tells_of_a_message_once_for_each_time_it_is_armed) {
  open(Wakeup::doorbell);
  ASSERT_EQ(link0->send(image1, {}, {}), SendOutcome::sent);
  EXPECT_FALSE(is_readable(*link1, 0));  // nobody asked
  EXPECT_FALSE(link1->arm());            // it is there already
  EXPECT_EQ(link1->poll(inbox), 1);

  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(link1->arm());
    EXPECT_FALSE(is_readable(*link1, 0));
    ASSERT_EQ(link0->send(image1, {}, {}), SendOutcome::sent);
    ASSERT_EQ(link1->send(image1, {}, {}), SendOutcome::sent);
    EXPECT_TRUE(is_readable(*link1, 0));
    EXPECT_FALSE(link1->arm());
    EXPECT_EQ(link1->poll(inbox), 2);
  }
  EXPECT_TRUE(link1->arm());
  EXPECT_FALSE(is_readable(*link1, 0));  // arming has silenced it
}

// Checks and counts what comes from everybody.
class Checker final : public MessageSink {
 public:
  Checker(int images, int threads)
      : threads_{static_cast<std::size_t>(threads)},
        expected_(static_cast<std::size_t>(images) * threads_) {}

  // The size of a message follows from its number.
  static std::size_t size_of(std::uint64_t message) { return message * 2654435761U % 1200; }

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    // By sending thread: `operand` is its number, `offset` that of the message.
    std::size_t const sender = static_cast<std::size_t>(header.source) * threads_ + header.operand;
    EXPECT_EQ(header.offset, expected_.at(sender));
    expected_[sender] = header.offset + 1;
    EXPECT_EQ(payload.size(), size_of(header.offset));
    EXPECT_TRUE(std::ranges::equal(payload, bytes_of(header.offset, payload.size())));
    received_.fetch_add(1);
  }

  [[nodiscard]] std::uint64_t received() const { return received_; }
  // By the first thread of an image; not while others deliver.
  [[nodiscard]] std::uint64_t received_from(std::int64_t image) const {
    return expected_.at(static_cast<std::size_t>(image) * threads_);
  }

 private:
  std::size_t threads_;
  std::vector<std::uint64_t> expected_;
  std::atomic<std::uint64_t> received_{0};
};

// Sends `messages` to every image, and polls until as many came from every sending thread.
void exchange_with_everybody(Link& link, Checker& checker, std::int64_t own, int thread,
                             std::uint64_t messages, std::uint64_t images) {
  for (std::uint64_t message = 0; message < messages; ++message) {
    for (std::uint64_t to = 0; to < images; ++to) {
      WireHeader header = header_of(own, message);
      header.operand = static_cast<std::uint64_t>(thread);
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
  constexpr std::uint64_t messages = 400;
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
      exchange_with_everybody(*link, checker, job.image().value(), thread, messages, image_count);
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
    job.exchange_all({});  // nobody leaves while others may still send to its bell
  });
}

class EveryKind : public ::testing::TestWithParam<ImagesAre> {};

INSTANTIATE_TEST_SUITE_P(ShmLink, EveryKind,
                         ::testing::Values(ImagesAre::threads, ImagesAre::processes),
                         [](auto const& test) {
                           return test.param == ImagesAre::threads ? "threads" : "processes";
                         });

// Two images send one message to and fro, and sleep in between: a wake-up that is missed would last
// for ever.
TEST_P(EveryKind, wakes_whoever_sleeps) {
  constexpr std::uint64_t rounds = 5000;
  constexpr int patience_ms = 10'000;
  FakeNode node(2, segment_bytes(layout_for(2)));
  run_images(GetParam(), node, [&](FakeJob& job) {
    Member member(job, node, Wakeup::doorbell);
    auto const link = member.transport.open_link_all(0, LinkThreading::serialized);
    std::int64_t const own = job.image().value();
    Inbox inbox;
    std::uint64_t naps = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      if (own == static_cast<std::int64_t>(round % 2)) {
        ASSERT_EQ(link->send(ImageId{1 - own}, header_of(own, round), {}), SendOutcome::sent);
        continue;
      }
      inbox.messages.clear();
      while (link->poll(inbox) == 0) {
        if (!link->arm()) continue;
        ++naps;
        ASSERT_TRUE(is_readable(*link, patience_ms)) << "round " << round;
      }
      ASSERT_EQ(inbox.messages.front().header.offset, round);
    }

    EXPECT_GT(naps, 0U);
    job.exchange_all({});
  });
}

// Lets two threads go on together, as nearly as can be.
class StartLine {
 public:
  void wait() {
    std::uint64_t const mine = arrived_.fetch_add(1) + 1;
    std::uint64_t const all = (mine + 1) / 2 * 2;
    for (int spin = 0; arrived_.load() < all; ++spin) {
      if (spin % 1000 == 999) std::this_thread::yield();
    }
  }

 private:
  std::atomic<std::uint64_t> arrived_{0};
};

// Each round one image arms while the other one sends: it sees the message, or its bell rings.
TEST_F(ShmLinkOfTwo, never_misses_a_message_that_is_sent_while_it_arms) {
  constexpr std::uint64_t rounds = 20'000;
  open(Wakeup::doorbell);
  StartLine line;
  std::jthread const sender([&] {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      line.wait();
      EXPECT_EQ(link0->send(image1, header_of(0, round), {}), SendOutcome::sent);
      line.wait();
    }
  });

  std::uint64_t missed = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    line.wait();
    bool const is_armed = link1->arm();
    line.wait();
    if (is_armed && !is_readable(*link1, 0)) ++missed;
    EXPECT_EQ(link1->poll(inbox), 1);
  }
  EXPECT_EQ(missed, 0U);
}

// Several threads of an image poll, arm and sleep on one link while another image sends.
TEST(ShmLink, wakes_one_of_several_threads) {
  constexpr std::uint64_t messages = 3000;
  FakeNode node(2, segment_bytes(layout_for(2)));
  run_images(ImagesAre::threads, node, [&](FakeJob& job) {
    Member member(job, node, Wakeup::doorbell);
    auto const link = member.transport.open_link_all(0, LinkThreading::concurrent);
    if (job.image() == ImageId{0}) {
      for (std::uint64_t message = 0; message < messages; ++message) {
        std::vector<std::byte> const payload = bytes_of(message, Checker::size_of(message));
        WireHeader header = header_of(0, message);
        header.operand = 0;
        while (link->send(ImageId{1}, header, payload) != SendOutcome::sent) {
          std::this_thread::yield();
        }
        if (message % 16 == 0) std::this_thread::yield();
      }
      job.exchange_all({});
      return;
    }
    Checker checker(2, 1);
    {
      std::vector<std::jthread> sleepers;
      for (int sleeper = 0; sleeper < 3; ++sleeper) {
        sleepers.emplace_back([&] {
          while (checker.received() < messages) {
            // With a bound, since of several sleepers the others are not woken at the end.
            if (link->poll(checker) == 0 && link->arm()) is_readable(*link, 2);
          }
        });
      }
    }
    EXPECT_EQ(checker.received(), messages);
    job.exchange_all({});
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
      header.operand = 0;  // see Checker
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
  EXPECT_FALSE(::makespan::pgas::testing::ended_well(image1));
  EXPECT_TRUE(::makespan::pgas::testing::ended_well(image0));
  EXPECT_TRUE(::makespan::pgas::testing::ended_well(image2));
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
      // Where the record after the first one begins: its header, without the commit word.
      std::ranges::fill(ring.subspan(RecordRing::control_bytes + 64 + 8, 500), std::byte{0xFF});
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
        header.operand = 0;
        std::vector<std::byte> const payload = bytes_of(message, Checker::size_of(message));
        if (link.send(ImageId{to}, header, payload) == SendOutcome::sent) ++message;
      }
    }
  });
}

}  // namespace
}  // namespace makespan::pgas

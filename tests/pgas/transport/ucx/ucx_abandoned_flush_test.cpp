// SPDX-License-Identifier: Apache-2.0
// Goal: a flush that ends after its image was given up frees its request once, and ends nothing of
// the flush that came after it. Method: UCX's flush, put before the real one, ends when a test says
// so.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include <ucp/api/ucp.h>

#include "forked_pair.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "noted_memory.hpp"
#include "test_sink.hpp"

namespace {

struct HeldFlush {
  ucp_request_param_t params;
  int times_freed{0};
};

bool holds_flushes = false;
std::deque<HeldFlush> held_flushes;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are UCX's
extern "C" ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h endpoint, ucp_request_param_t const* params) {
  static auto* const real =
      reinterpret_cast<decltype(&ucp_ep_flush_nbx)>(::dlsym(RTLD_NEXT, "ucp_ep_flush_nbx"));
  if (!holds_flushes) return real(endpoint, params);
  return &held_flushes.emplace_back(HeldFlush{.params = *params});
}

extern "C" void ucp_request_free(void* request) {
  static auto* const real =
      reinterpret_cast<decltype(&ucp_request_free)>(::dlsym(RTLD_NEXT, "ucp_request_free"));
  auto const held =
      std::ranges::find_if(held_flushes, [&](HeldFlush const& flush) { return &flush == request; });
  if (held == held_flushes.end()) return real(request);
  ++held->times_freed;
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

constexpr ImageId peer{1};
UcxOptions const with_heap{.heap_bytes = 1 << 16, .rma = RmaUse::always};

class UcxAbandonedFlushTest : public testing::Test {
 protected:
  void SetUp() override {
    memory = transport->open_memory_all(LinkThreading::serialized, *link, by_messages);
    held_flushes.clear();
    holds_flushes = true;
  }
  void TearDown() override {
    holds_flushes = false;
    close();
  }
  void close() {
    memory.reset();
    link.reset();
    transport.reset();  // alone, since the other image does not answer
  }

  // Its flush is under way then.
  void begin_put(Counting& done) {
    std::size_t const before = held_flushes.size();
    ASSERT_TRUE(
        eventually([&] { return memory->put(peer, 0, data, &done) == StartOutcome::started; },
                   [&] { memory->poll(); }));
    ASSERT_EQ(held_flushes.size(), before + 1);
  }
  static void end(HeldFlush& flush) {
    flush.params.cb.send(&flush, UCS_OK, flush.params.user_data);
  }

  ForkedPair pair{Distance::near, [](PairJob& job) {
                    UcxTransport theirs(job, with_heap);
                    auto const their_link = theirs.open_link_all(0, LinkThreading::serialized);
                    while (true) ::pause();
                  }};
  std::unique_ptr<UcxTransport> transport = std::make_unique<UcxTransport>(pair.job(), with_heap);
  std::unique_ptr<Link> link = transport->open_link_all(0, LinkThreading::serialized);
  NotedMemory by_messages;
  std::unique_ptr<RemoteMemory> memory;
  std::vector<std::byte> data = std::vector<std::byte>(8);
};

TEST_F(UcxAbandonedFlushTest, frees_its_request_once) {
  Counting done;
  begin_put(done);

  memory->abandon(peer);
  EXPECT_EQ(done.failed.load(), 1);
  end(held_flushes[0]);
  close();

  EXPECT_EQ(held_flushes[0].times_freed, 1);
}

TEST_F(UcxAbandonedFlushTest, that_never_ends_is_let_go_of) {
  Counting first;
  Counting second;
  begin_put(first);
  memory->abandon(peer);
  begin_put(second);

  close();

  EXPECT_EQ(held_flushes[0].times_freed, 1);
  EXPECT_EQ(held_flushes[1].times_freed, 1);
}

// The other image is well, and it is this one that ends.
TEST_F(UcxAbandonedFlushTest, fails_by_the_loss_of_this_image_when_the_memory_goes) {
  Counting done;
  begin_put(done);

  memory.reset();

  EXPECT_EQ(done.failed.load(), 1);
  EXPECT_EQ(done.lost, ImageId{0});
}

// As above, where the others have given this image up.
TEST_F(UcxAbandonedFlushTest, fails_by_the_loss_of_the_image_that_was_given_up) {
  Counting done;
  begin_put(done);
  pair.job().report_loss(ImageId{0}, "given up");

  held_flushes[0].params.cb.send(&held_flushes[0], UCS_ERR_CANCELED,
                                 held_flushes[0].params.user_data);

  EXPECT_EQ(done.failed.load(), 1);
  EXPECT_EQ(done.lost, ImageId{0});
}

// The message with the signal ends so when this image was given up.
TEST_F(UcxAbandonedFlushTest, passes_on_whose_loss_its_signal_has_ended_in) {
  Counting done;
  SignalRequest const signal{.op = AtomicOp::add, .offset = 0, .operand = 1};
  ASSERT_TRUE(eventually(
      [&] { return memory->put_signal(peer, 8, data, signal, &done) == StartOutcome::started; },
      [&] { memory->poll(); }));
  ASSERT_EQ(held_flushes.size(), 1U);
  end(held_flushes[0]);
  memory->poll();
  ASSERT_NE(by_messages.signal_done, nullptr);

  by_messages.signal_done->fail(ImageId{0});

  EXPECT_EQ(done.failed.load(), 1);
  EXPECT_EQ(done.lost, ImageId{0});
}

TEST_F(UcxAbandonedFlushTest, does_not_end_the_next_one) {
  Counting first;
  Counting second;
  begin_put(first);
  memory->abandon(peer);
  begin_put(second);

  end(held_flushes[0]);
  EXPECT_EQ(second.completed.load() + second.failed.load(), 0);
  EXPECT_FALSE(memory->is_flushed(peer));

  end(held_flushes[1]);
  EXPECT_EQ(second.completed.load(), 1);
  EXPECT_TRUE(memory->is_flushed(peer));
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a thread that loses its core in the middle of a send holds up the others of its stream, and
// breaks nothing at the receiver. Method: UCX's function that sends, put before the real one, waits
// for the test in one thread; another thread of the same stream sends more than the receiver keeps.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <ucp/api/ucp.h>

#include "forked_pair.hpp"
#include "makespan/pgas/transport/ucx/detail/arrival_order.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_header.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "test_sink.hpp"

namespace {

thread_local bool sends_late = false;
std::atomic<bool> is_in_send{false};
std::atomic<bool> may_send{false};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the name is UCX's
extern "C" ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h endpoint, unsigned id, void const* header,
                                            std::size_t header_bytes, void const* buffer,
                                            std::size_t count, ucp_request_param_t const* params) {
  static auto* const real =
      reinterpret_cast<decltype(&ucp_am_send_nbx)>(::dlsym(RTLD_NEXT, "ucp_am_send_nbx"));
  if (sends_late) {
    is_in_send = true;
    while (!may_send) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return real(endpoint, id, header, header_bytes, buffer, count, params);
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

constexpr ImageId other{1};
constexpr int many = 2 * static_cast<int>(ArrivalOrder<int>::early_max);
constexpr std::size_t short_bytes = 8;
UcxOptions const options{.message_bytes_max = 4096};

// One message of each thread but the last, and many of that.
constexpr int messages_of_all = static_cast<int>(ucx_streams) + many;

void receive_all(PairJob& job) {
  UcxTransport transport(job, options);
  auto const link = transport.open_link_all(0, LinkThreading::concurrent);
  CheckingSink sink;
  bool const is_there =
      eventually([&] { return sink.count() >= messages_of_all; }, [&] { link->poll(sink); });
  bool const is_right = is_there && sink.wrong() == 0 && sink.out_of_order() == 0;
  static_cast<void>(job.exchange_all({}));
  if (!is_right) ::_exit(2);
}

TEST(UcxStreams, thread_that_is_slow_to_send_holds_up_its_stream) {
  ForkedPair pair(Distance::near, &receive_all);
  UcxTransport transport(pair.job(), options);
  auto link = transport.open_link_all(0, LinkThreading::concurrent);
  CheckingSink sink;
  auto const send = [&](int thread, int messages) {
    for (int number = 0; number < messages; ++number) {
      WireHeader const header{.kind = WireKind::rpc,
                              .thread = static_cast<std::uint16_t>(thread),
                              .source = 0,
                              .operand = static_cast<std::uint64_t>(number),
                              .compare = short_bytes};
      if (!send_soon(*link, sink, other, header, short_bytes)) {
        ADD_FAILURE() << "no room any more";
        return;
      }
    }
  };
  std::jthread late([&] {
    sends_late = true;
    send(0, 1);
  });
  while (!is_in_send) std::this_thread::yield();
  // Threads have streams by turns, so this is the next in the late one's.
  for (int thread = 1; thread < static_cast<int>(ucx_streams); ++thread) {
    std::jthread([&] { send(thread, 1); }).join();
  }

  std::jthread quick([&] { send(static_cast<int>(ucx_streams), many); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  may_send = true;
  late.join();
  quick.join();

  static_cast<void>(eventually([&] { return link->is_drained() && pair.job().is_awaited(); },
                               [&] { link->poll(sink); }));
  static_cast<void>(pair.job().exchange_all({}));
  EXPECT_EQ(pair.wait_for_other(), 0);
  link.reset();
}

}  // namespace
}  // namespace makespan::pgas

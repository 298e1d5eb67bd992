// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/image/detail/completion_proxy.hpp"

#include <cereal/types/vector.hpp>
#include <exception>
#include <utility>

#include "makespan/bag/image/detail/image_messages.hpp"

namespace makespan::bag {

namespace {

// Endpoint 0 is that of the thread that is in ImageTeam::run(), which polls it while devices work.
constexpr pgas::EndpointAddress tracker_at{ImageId{0}, 0};

}  // namespace

CompletionProxy::CompletionProxy(pgas::Runtime& runtime, std::uint64_t team, int threads)
    : runtime_(runtime), team_(team), senders_(static_cast<std::size_t>(threads)) {
}

ClaimActions CompletionProxy::ask(int thread, WorkerFacts const& worker) {
  // One that waits holds nothing: what is still on its way would be taken for lost.
  settle(thread);
  ClaimAnswer const answer =
      here(thread).rpc(tracker_at, pgas::function<&ImageMessages::ask>, team_, worker).get();
  return {.order = answer.order, .items = answer.items};
}

bool CompletionProxy::may_steal(int thread, int worker, int victim) {
  return here(thread)
      .rpc(tracker_at, pgas::function<&ImageMessages::may_steal>, team_, worker, victim)
      .get();
}

bool CompletionProxy::may_use_pool(int thread, int worker) {
  return here(thread)
      .rpc(tracker_at, pgas::function<&ImageMessages::may_use_pool>, team_, worker)
      .get();
}

void CompletionProxy::retire(int thread, int worker) {
  settle(thread);
  // After what it has told, which would be taken for lost otherwise.
  here(thread).rpc(tracker_at, pgas::function<&ImageMessages::retire>, team_, worker).get();
}

void CompletionProxy::take_back(int worker) {
  here(callers_thread)
      .rpc(tracker_at, pgas::function<&ImageMessages::take_back>, team_, worker)
      .get();
}

void CompletionProxy::give_up(int lost, int worker) {
  auto const image = static_cast<std::int32_t>(runtime_.image().value());
  here(callers_thread)
      .rpc(tracker_at, pgas::function<&ImageMessages::give_up>, team_, image, lost, worker)
      .get();
}

void CompletionProxy::end_chunk(int thread, ChunkReport const& report) {
  // Not waited for: the thread's next ask() settles before it asks.
  sender(thread).under_way.push_back(
      here(thread).rpc(tracker_at, pgas::function<&ImageMessages::end_chunk>, team_, report));
}

void CompletionProxy::finish(int thread, int first_thread, int threads,
                             std::span<ItemRange const> items) {
  std::vector<std::byte> message = CompletionServer::delivery(items);
  // In one message with their items: all of them count, or none does.
  for (int of = 0; of < threads; ++of) runner_->pack(first_thread + of, message);
  Sender& mine = sender(thread);
  // Answers that are there already: they say, too, what image 0 has thrown.
  while (!mine.under_way.empty() && mine.under_way.front().is_ready()) mine.take_first().get();
  pgas::Fragment const first{.image = static_cast<std::int32_t>(runtime_.image().value()),
                             .thread = thread,
                             .number = mine.messages++,
                             .part = 0,
                             .parts = 0};
  pgas::send_fragments(
      first, message, part_bytes_max(runtime_),
      [&](pgas::Fragment const& part, std::span<std::byte const> data) {
        mine.under_way.push_back(here(thread).rpc(
            tracker_at, pgas::function<&ImageMessages::deliver>, team_, part, wire_bytes(data)));
      });
}

void CompletionProxy::settle(int thread) {
  Sender& mine = sender(thread);
  std::exception_ptr first;
  // All are waited for, whatever one of them says: what is still on its way when the bag ends could
  // arrive in the next one.
  while (!mine.under_way.empty()) {
    try {
      mine.take_first().get();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void CompletionProxy::begin(DistributedItemRunner& runner) {
  runner_ = &runner;
  // Of a bag that ended by an exception: what image 0 said to that is no answer to this one.
  for (Sender& sender : senders_) sender.under_way.clear();
}

pgas::Future<void> CompletionProxy::Sender::take_first() {
  pgas::Future<void> first = std::move(under_way.front());
  under_way.pop_front();
  return first;
}

}  // namespace makespan::bag

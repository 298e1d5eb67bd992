// SPDX-License-Identifier: Apache-2.0
#pragma once

// One network context: links to other images, what waits for answers on them, and the lock that
// decides who may use them at a time.
//
// Progress of a channel is one call of poll(): it moves messages, carries out what other images ask
// of this one, and completes what this one asked of them. It never runs a user's function.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/channel/call_credits.hpp"
#include "makespan/pgas/channel/call_intake.hpp"
#include "makespan/pgas/channel/channel_lock.hpp"
#include "makespan/pgas/channel/detail/acknowledgements.hpp"
#include "makespan/pgas/channel/detail/message_memory.hpp"
#include "makespan/pgas/channel/detail/send_queue.hpp"
#include "makespan/pgas/channel/heap_server.hpp"
#include "makespan/pgas/channel/pending_table.hpp"
#include "makespan/pgas/channel/wait_listener.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/message/wire_check.hpp"
#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/transport.hpp"

namespace makespan::pgas {

// What the channels of an image share.
struct ChannelContext {
  Job& job;
  std::span<std::byte> heap;  // of this image
  CallIntake& intake;
  CallCredits& credits;
  // By channel: an answer may come over another channel than its request went.
  std::vector<std::unique_ptr<PendingTable>>& pending;
  int threads{1};  // of this image, that calls may be for
};

// The ways of one channel to other images; each may be missing, and together they reach all.
struct ChannelLinks {
  std::unique_ptr<Link> on_node{};  // to the images of this node
  std::unique_ptr<Link> network{};  // to the others, or to all
  Transport* network_transport{};   // asked for better ways to reach memory; null: none
};

// What a design of endpoints asks of its links.
[[nodiscard]] LinkThreading threading_of(EndpointDesign design);

class Channel final : private MessageSink {
 public:
  // Collective, since transports may exchange addresses.
  Channel(int number, EndpointDesign design, ChannelContext context, ChannelLinks links);
  Channel(Channel const&) = delete;
  Channel& operator=(Channel const&) = delete;
  ~Channel() = default;

  // Calls start(memory) with the lock held: how to begin operations on memory that is not mapped.
  template <class Start>
  auto with_memory(Start&& start) {
    std::scoped_lock const lock(lock_);
    return start(*memory_);
  }
  // RemoteMemory's, without the lock.
  [[nodiscard]] std::size_t operation_bytes_max() const { return operation_bytes_max_; }

  // Sends a message of this channel's.
  [[nodiscard]] SendOutcome send(ImageId to, WireHeader const& header,
                                 std::span<std::byte const> payload) {
    std::scoped_lock const lock(lock_);
    return send_queue_.route(to).send(to, header, payload);
  }

  // Sends an answer, or keeps it until there is room.
  void answer(ImageId to, WireHeader const& header, std::span<std::byte const> payload) {
    std::scoped_lock const lock(lock_);
    send_queue_.send(to, header, payload);
  }

  // What this thread has written to the heap before can be read and changed by the thread that
  // serves a request later. A request that another image sends after a barrier is ordered anyway,
  // but through that image, which C++'s memory model does not know.
  void publish() { published_.fetch_add(1, std::memory_order_release); }

  // One round of progress. Waits for the lock. Returns how many things happened.
  int poll();
  // As poll(), but returns at once when another thread holds the lock.
  int try_poll();

  // For the event helper: descriptors that tell after arm(), and whether all links have one.
  [[nodiscard]] std::vector<int> event_descriptors() const;
  [[nodiscard]] bool has_events() const;
  // False: there is something to do already, or another thread polls.
  [[nodiscard]] bool arm();

  // Whether a thread waits on this channel, and so drives it. For helpers to stay away.
  void enter_wait() {
    if (waiting_threads_.fetch_add(1, std::memory_order_relaxed) == 0 && listener_ != nullptr) {
      listener_->on_wait();
    }
  }
  void exit_wait() { waiting_threads_.fetch_sub(1, std::memory_order_relaxed); }
  // Null: no listener. Called while no thread polls.
  void listen_to_attention(WaitListener* listener) { listener_ = listener; }
  [[nodiscard]] bool has_waiting_thread() const {
    return waiting_threads_.load(std::memory_order_relaxed) > 0;
  }

  [[nodiscard]] std::int64_t payload_bytes_max() const { return payload_bytes_max_; }

  // Whether all that this image sent has left it.
  [[nodiscard]] bool is_drained();

 private:
  // Throws BadMessage.
  void deliver(WireHeader const& header, std::span<std::byte const> payload) override;
  void deliver_request(WireHeader const& header, std::span<std::byte const> payload);
  void deliver_call(WireHeader const& header, std::span<std::byte const> arguments);
  void confirm(WireHeader const& request, std::span<std::byte const> answer);

  // With the lock held.
  int poll_links();
  void notice_losses();

  int number_;
  ChannelContext shared_;
  WireBounds bounds_;
  ChannelLinks links_;
  ChannelLock lock_;
  SendQueue send_queue_;
  HeapServer server_;
  Acknowledgements owed_;
  MessageMemory by_messages_;
  std::unique_ptr<RemoteMemory> by_transport_;
  RemoteMemory* memory_;
  std::size_t operation_bytes_max_{};
  std::int64_t payload_bytes_max_;
  std::atomic<int> waiting_threads_{0};
  WaitListener* listener_{};
  std::atomic<std::uint64_t> published_{0};
  std::atomic<int> losses_noticed_{0};
  std::atomic<bool> is_given_up_{false};  // this image itself, by the others
  std::vector<bool> abandoned_;           // by image; with losses_lock_ held
  SpinLock losses_lock_;
};

}  // namespace makespan::pgas

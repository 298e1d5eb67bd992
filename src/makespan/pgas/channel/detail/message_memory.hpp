// SPDX-License-Identifier: Apache-2.0
#pragma once

// Put, get and atomics by messages that the target's image carries out: works over any link, and
// takes one round trip each.
//
// A request whose answer a thread waits for has a token. Others (a put without a Completion, an
// atomic whose old value is not wanted) are acknowledged in batches. Both are counted; an image is
// flushed when as many requests were answered or acknowledged as were sent.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/channel/pending_table.hpp"
#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"

namespace makespan::pgas {

class MessageMemory final : public RemoteMemory {
 public:
  // `link` and `pending` are the channel's; `here` sends to an image of 0 … images-1.
  MessageMemory(ImageId here, int images, Link& link, PendingTable& pending);

  StartOutcome put(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                   Completion* done) override;
  StartOutcome put_signal(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                          SignalRequest const& signal, Completion* done) override;
  StartOutcome get(ImageId target, std::uint64_t offset, std::span<std::byte> destination,
                   Completion& done) override;
  StartOutcome atomic(ImageId target, AtomicRequest const& request, Completion* done) override;
  bool is_flushed(ImageId target) override;
  int poll() override { return 0; }  // the channel polls the link
  std::int64_t operation_bytes_max() const override { return link_.payload_bytes_max(); }
  void forget(Completion& done) override { pending_.forget(done); }
  void abandon(ImageId image) override;

  // `target` has carried out `count` requests: it said so, or answered them.
  void acknowledge(ImageId target, std::uint64_t count);

 private:
  // Requests to one target. Written by senders and by the thread that polls.
  struct Counts {
    std::atomic<std::uint64_t> sent{0};
    std::atomic<std::uint64_t> carried_out{0};
    std::atomic<bool> is_lost{false};
  };

  StartOutcome send(ImageId target, WireHeader header, std::span<std::byte const> payload,
                    Completion* done);
  // Takes the token back when there is no room. Fails `done` at once if the target is lost.
  StartOutcome send_counted(ImageId target, WireHeader header, std::span<std::byte const> payload,
                            Completion* done);
  // Of a request that was not sent. False: it is over, since a loss has ended it meanwhile.
  [[nodiscard]] bool take_back(Counts& counts, WireToken token);
  [[nodiscard]] Counts& counts_of(ImageId target) {
    return counts_[static_cast<std::size_t>(target.value())];
  }

  ImageId here_;
  Link& link_;
  PendingTable& pending_;
  std::vector<Counts> counts_;  // by target
};

}  // namespace makespan::pgas

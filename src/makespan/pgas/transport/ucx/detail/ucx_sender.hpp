// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sending half of a link.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ucp/api/ucp.h>

#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/ucx/detail/open_aggregates.hpp"
#include "makespan/pgas/transport/ucx/detail/send_slots.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_endpoints.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_header.hpp"

namespace makespan::pgas {

// Which image sends, and how much.
struct UcxSenderOptions {
  int image{};
  int images{};
  LinkThreading threading{};
  std::size_t message_bytes_max{};
  std::vector<UcxPortKey> keys{};  // by image
  bool aggregates{};
};

// Under the rules of the link. Allocates on the first messages only.
class UcxSender {
 public:
  // Number of the handler of our messages at the receiving worker.
  static constexpr unsigned message_id = 0;

  // How many messages may follow one that UCX has not finished: the receiver keeps them until that
  // one is there.
  static constexpr int followers_max = 256;

  UcxSender(UcxEndpoints& endpoints, UcxSenderOptions const& options);

  [[nodiscard]] SendOutcome send(int to, WireHeader const& header,
                                 std::span<std::byte const> payload);

  // Sends what waits for more, as far as there is room. Returns how many aggregates went.
  int send_aggregates();
  [[nodiscard]] bool has_aggregates() const { return !aggregates_.is_empty(); }

  // A message to this image itself: kept here until it is taken. Null if there is none.
  [[nodiscard]] SendSlot* take_own();
  [[nodiscard]] bool has_own() const { return own_count_.load(std::memory_order_acquire) > 0; }

  // Gives back what take_own() gave.
  void release(SendSlot& slot) { slots_.release(slot); }

  // The image is gone: what is on its way there never gets there.
  void write_off(int image) { slots_.write_off(image); }

  // Whether UCX is done with all that was sent.
  [[nodiscard]] bool is_idle() const { return slots_.is_idle(); }

 private:
  // Messages to one image whose end UCX has to wait for, and those sent since.
  struct Window {
    std::atomic<int> long_ones{0};
    std::atomic<int> followers{0};
  };

  // Nothing: there is no slot for an aggregate.
  [[nodiscard]] std::optional<SendOutcome> add_to_aggregate(UcxEndpoints::Turn& turn,
                                                            OpenAggregate& aggregate, int to,
                                                            WireHeader const& header,
                                                            std::span<std::byte const> payload);
  [[nodiscard]] bool post_aggregate(UcxEndpoints::Turn& turn, OpenAggregate& aggregate);
  [[nodiscard]] bool has_room(Window& window);
  [[nodiscard]] SendOutcome keep_own(SendSlot& slot);
  // Counted within the stream. With the lock of its aggregate held, where there are several
  // streams.
  void number_and_post(UcxEndpoints::Turn& turn, SendSlot& slot, std::uint32_t stream);
  void post(UcxEndpoints::Turn& turn, SendSlot& slot);
  void finish(SendSlot& slot);
  static void on_sent(void* request, ucs_status_t status, void* slot) noexcept;

  UcxEndpoints& endpoints_;
  UcxSenderOptions options_;
  std::uint32_t streams_;
  bool forces_eager_;
  SendSlots slots_;
  std::vector<std::atomic<std::uint32_t>> numbers_;  // by image and stream
  std::vector<Window> windows_;                      // by image
  OpenAggregates aggregates_;                        // by image and stream
  SpinLock own_lock_;
  std::vector<SendSlot*> own_;  // to this image: a ring with room for all slots
  std::size_t own_begin_{0};
  std::atomic<std::size_t> own_count_{0};
};

}  // namespace makespan::pgas

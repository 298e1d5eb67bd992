// SPDX-License-Identifier: Apache-2.0
#pragma once

// The receiving half of a link.
//
// UCX calls us for each message while it makes progress, with its own lock held. We only take note
// then, and deliver afterwards: the code that takes a message may send, and throw. What is long
// comes as an announcement, and is fetched when there is room for it.

#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include <ucp/api/ucp.h>

#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/ucx/detail/arrival_order.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_endpoints.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_header.hpp"

namespace makespan::pgas {

struct UcxReceiverOptions {
  int images{};
  int streams{};  // of each image
  std::size_t message_bytes_max{};
  int destinations{};  // long messages that are fetched at a time
  UcxPortKey key{};
};

// Called only by the thread that drives progress. Keeps what comes too early, and announcements,
// each image a bounded number (UcxSender::followers_max, and its slots for long messages).
class UcxReceiver {
 public:
  UcxReceiver(ucp_worker_h worker, UcxEndpoints& endpoints, UcxReceiverOptions const& options);
  UcxReceiver(UcxReceiver const&) = delete;
  UcxReceiver& operator=(UcxReceiver const&) = delete;
  ~UcxReceiver() = default;  // after stop()

  // Begins to fetch what was announced, as far as there is room. Returns how many.
  int start_fetches();

  // Delivers what is there and in order. Returns how many messages. What the sink throws comes out;
  // the message is done with, and the others are delivered by the next call.
  int deliver(MessageSink& sink);

  // Whether start_fetches() or deliver() has something to do.
  [[nodiscard]] bool has_work() const;

  // Nothing more comes from this image.
  void drop(int image);

  // Nothing more is received at all.
  void stop();

 private:
  // Memory that a long message is fetched into.
  struct Destination {
    UcxReceiver* receiver{};
    bool is_in_use{false};
    UcxHeader header{};
    std::size_t bytes{0};
    std::unique_ptr<std::byte[]> memory{};
  };

  // A message that is here. At most one of the two holds the payload.
  struct Arrival {
    UcxHeader header;
    std::size_t bytes{0};
    std::size_t delivered_bytes{0};  // of an aggregate
    void* ucx_data{};                // which UCX wants back
    Destination* destination{};
  };

  // One that is not, and how to fetch it.
  struct Announced {
    UcxHeader header;
    std::size_t bytes{0};
    void* descriptor{};
  };

  ucs_status_t take_note(UcxHeader const& header, void* data, std::size_t bytes,
                         std::uint64_t attributes);
  void expect_next(UcxHeader const& header) const;
  void arrive(Arrival const& arrival);
  void fetch(Announced const& announced, Destination& destination);
  void landed(Destination& destination, ucs_status_t status);
  int deliver_aggregate(MessageSink& sink);
  void give_back(Arrival const& arrival) noexcept;
  [[nodiscard]] Destination* free_destination();
  [[nodiscard]] static std::span<std::byte const> payload_of(Arrival const& arrival);
  [[nodiscard]] int image_of(UcxHeader const& header) const {
    return static_cast<int>(header.origin) / options_.streams;
  }

  static ucs_status_t on_message(void* receiver, void const* header, std::size_t header_bytes,
                                 void* data, std::size_t bytes,
                                 ucp_am_recv_param_t const* params) noexcept;
  static void on_fetched(void* request, ucs_status_t status, std::size_t bytes,
                         void* destination) noexcept;

  ucp_worker_h worker_;
  UcxEndpoints& endpoints_;
  UcxReceiverOptions options_;
  bool is_stopped_{false};
  ArrivalOrder<Arrival> order_;
  std::vector<Arrival> arrived_;  // in order; those before first_ are delivered
  std::size_t first_{0};
  std::deque<Announced> announced_;
  std::vector<Destination> destinations_;
  std::exception_ptr failure_;  // of a callback, for deliver() to throw
};

}  // namespace makespan::pgas

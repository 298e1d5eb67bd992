// SPDX-License-Identifier: Apache-2.0
#pragma once

// All that a link consists of. It stays when the link goes, since UCX holds pointers into it, and
// since connections are closed together with all images: by the transport.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_context.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_endpoints.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_options.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_port_key.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_receiver.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_rma.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_sender.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_worker.hpp"

namespace makespan::pgas {

// What a port is made of.
struct UcxPortParts {
  Job& job;
  UcxContext const& context;
  UcxOptions const& options;
  std::unique_ptr<UcxWorker> worker;
  std::vector<UcxPortCard> ports;  // of all images, by image
  LinkThreading threading{};
};

class UcxPort {
 public:
  // The job and the context outlive it.
  explicit UcxPort(UcxPortParts parts);
  UcxPort(UcxPort const&) = delete;
  UcxPort& operator=(UcxPort const&) = delete;
  // Without close_all() before, cuts connections off.
  ~UcxPort();

  // As Link's.
  [[nodiscard]] SendOutcome send(ImageId to, WireHeader const& header,
                                 std::span<std::byte const> payload);
  int poll(MessageSink& sink);
  [[nodiscard]] std::int64_t payload_bytes_max() const { return payload_bytes_max_; }
  [[nodiscard]] bool is_drained() const;
  [[nodiscard]] int event_descriptor() const { return worker_->event_descriptor(); }
  [[nodiscard]] bool arm();
  void abandon(ImageId image) { endpoints_.abandon(static_cast<int>(image.value())); }

  [[nodiscard]] UcxEndpoints& endpoints() { return endpoints_; }
  [[nodiscard]] UcxRma& rma() { return rma_; }

  // The link is gone: others may go too, without being lost.
  void retire() { endpoints_.stop_reporting(); }

  // Closes connections, until `deadline` at most. After all images have retired theirs.
  void close_all(std::chrono::steady_clock::time_point deadline);
  // One round of what UCX itself still has to do after that. Returns how many things happened.
  int settle() { return worker_->progress(); }

 private:
  int deliver_own(MessageSink& sink);
  void bury_lost();

  int images_;
  std::int64_t payload_bytes_max_;
  std::unique_ptr<UcxWorker> worker_;
  UcxEndpoints endpoints_;
  UcxRma rma_;
  UcxSender sender_;
  UcxReceiver receiver_;
  // Held by the thread that drives progress. Only tried: a second thread has nothing to do here.
  SpinLock progress_;
  // A thread waits for is_drained(), so a flush is worth its cost.
  mutable std::atomic<bool> drain_asked_{false};
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the user of a port has in hand.

#include <memory>

#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_port.hpp"

namespace makespan::pgas {

class UcxLink final : public Link {
 public:
  explicit UcxLink(std::shared_ptr<UcxPort> port) : port_{std::move(port)} {}
  ~UcxLink() override { port_->retire(); }

  SendOutcome send(ImageId to, WireHeader const& header,
                   std::span<std::byte const> payload) override {
    return port_->send(to, header, payload);
  }
  int poll(MessageSink& sink) override { return port_->poll(sink); }
  [[nodiscard]] std::int64_t payload_bytes_max() const override {
    return port_->payload_bytes_max();
  }
  [[nodiscard]] bool is_drained() const override { return port_->is_drained(); }
  [[nodiscard]] int event_descriptor() const override { return port_->event_descriptor(); }
  [[nodiscard]] bool arm() override { return port_->arm(); }
  void abandon(ImageId image) override { port_->abandon(image); }

  [[nodiscard]] UcxPort& port() { return *port_; }

 private:
  std::shared_ptr<UcxPort> port_;
};

}  // namespace makespan::pgas

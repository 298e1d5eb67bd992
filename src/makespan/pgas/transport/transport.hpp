// SPDX-License-Identifier: Apache-2.0
#pragma once

// How images that share no memory reach each other: one of the folders beside this file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "makespan/pgas/transport/link.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"

namespace makespan::pgas {

// One per job. All images make the same calls in the same order.
class Transport {
 public:
  Transport() = default;
  Transport(Transport const&) = delete;
  Transport& operator=(Transport const&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;

  // The memory that this image shows to others. Null: the transport can work with the heap that
  // the job allocated, and was told of it when it was made.
  [[nodiscard]] virtual std::span<std::byte> own_heap() { return {}; }

  // Collective, before links are opened, where own_heap() is empty: the memory that the job has
  // allocated instead, which outlives the transport.
  virtual void show_heap_all(std::span<std::byte> heap) { static_cast<void>(heap); }

  // Collective: opens the link of channel number `channel` (0, 1, …, in order).
  [[nodiscard]] virtual std::unique_ptr<Link> open_link_all(int channel,
                                                            LinkThreading threading) = 0;

  // The memory operations of the same channel, if this transport does some of them better than by
  // messages; `by_messages` does the rest, and outlives what is returned, as does `link`, which
  // this transport opened. Null if all go by message. Collective. One memory per link, in the order
  // of the links.
  [[nodiscard]] virtual std::unique_ptr<RemoteMemory> open_memory_all(LinkThreading threading,
                                                                      Link& link,
                                                                      RemoteMemory& by_messages) {
    static_cast<void>(threading);
    static_cast<void>(link);
    static_cast<void>(by_messages);
    return nullptr;
  }

  // Collective, after links and memories are gone: gives back what all images hold together.
  // Without this call, since images are missing, the destructor gives back what it can alone.
  virtual void close_all() {}
};

}  // namespace makespan::pgas

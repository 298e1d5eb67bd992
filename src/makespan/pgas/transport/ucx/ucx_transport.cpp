// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/transport/ucx/detail/agreed_exchange.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_context.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_link.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_memory.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_port.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_worker.hpp"

namespace makespan::pgas {

namespace {

// For all connections together. What was sent has left before (Link::is_drained), so that closing
// does not wait unless something is wrong.
constexpr std::chrono::seconds close_limit{1};

// How long all workers have nothing to do before they are given back, and how long that is waited
// for.
constexpr std::chrono::milliseconds quiet_time{20};
constexpr std::chrono::milliseconds quiet_limit{500};

UcxOptions checked(UcxOptions const& options) {
  if (options.message_bytes_max < 1 || options.message_bytes_max > ucx_payload_bytes_limit) {
    throw InputError("message_bytes_max = " + std::to_string(options.message_bytes_max),
                     "UCX messages have 1 to " + std::to_string(ucx_payload_bytes_limit) + " bytes",
                     "give a number in between; 65536 is a good one");
  }
  if (options.heap_bytes < 0) {
    throw InputError("heap_bytes = " + std::to_string(options.heap_bytes),
                     "a heap has no negative size", "give 0 for none");
  }
  return options;
}

}  // namespace

struct UcxTransport::Parts {
  Job& job;
  UcxOptions options;
  std::optional<UcxContext> context{};
  std::optional<UcxHeap> heap{};
  bool is_shown{false};  // the heap is the job's
  UcxHeapKeys keys{};    // by image
  std::vector<std::shared_ptr<UcxPort>> ports{};
};

UcxTransport::UcxTransport(Job& job, UcxOptions const& options)
    : parts_{new Parts{.job = job, .options = checked(options)}} {
  parts_->keys = exchange_or_throw_all(job, [this] {
    parts_->context.emplace(parts_->job.images(), parts_->options.wakeup);
    if (parts_->options.heap_bytes == 0) return std::vector<std::byte>{};
    parts_->heap.emplace(*parts_->context, parts_->options.heap_bytes);
    return parts_->heap->pack_key();
  });
  // UCX's put and get reach any image whose key is known, so all keys are kept.
  if (parts_->options.rma != RmaUse::never) return;
  // Only images of this node can map each other's heaps.
  UcxHeapKeys mates(parts_->keys.size());
  for (ImageId const mate : job.node_images()) {
    auto const at = static_cast<std::size_t>(mate.value());
    mates[at] = std::move(parts_->keys[at]);
  }
  parts_->keys = std::move(mates);
}

void UcxTransport::show_heap_all(std::span<std::byte> heap) {
  MAKESPAN_EXPECT(!parts_->heap);
  // Those of this node are mapped by the job.
  if (parts_->options.rma == RmaUse::never) return;
  parts_->keys = exchange_or_throw_all(parts_->job, [&] {
    try {
      parts_->heap.emplace(*parts_->context, heap);
      return parts_->heap->pack_key();
    } catch (InputError const&) {
      // The card may not have as much memory of this process as that, or no key for it. Messages
      // need none.
      if (parts_->options.rma == RmaUse::always) throw;
      parts_->heap.reset();
      return std::vector<std::byte>{};
    }
  });
  parts_->is_shown = true;
}

UcxTransport::~UcxTransport() = default;

std::span<std::byte> UcxTransport::own_heap() {
  bool const is_own = parts_->heap && !parts_->is_shown;
  return is_own ? parts_->heap->bytes() : std::span<std::byte>{};
}

std::unique_ptr<Link> UcxTransport::open_link_all(int /*channel*/, LinkThreading threading) {
  std::unique_ptr<UcxWorker> worker;
  auto const cards = exchange_or_throw_all(parts_->job, [&] {
    // Made within the exchange: where it fails on one image all throw, and none waits for that one.
    worker = std::make_unique<UcxWorker>(*parts_->context, threading, parts_->options.wakeup);
    return bytes_of({.key = draw_port_key(), .address = worker->address()});
  });
  std::vector<UcxPortCard> ports(cards.size());
  std::ranges::transform(cards, ports.begin(), &port_card_of);
  parts_->ports.push_back(std::make_shared<UcxPort>(UcxPortParts{.job = parts_->job,
                                                                 .context = *parts_->context,
                                                                 .options = parts_->options,
                                                                 .worker = std::move(worker),
                                                                 .ports = std::move(ports),
                                                                 .threading = threading}));
  return std::make_unique<UcxLink>(parts_->ports.back());
}

std::unique_ptr<RemoteMemory> UcxTransport::open_memory_all(LinkThreading /*threading*/, Link& link,
                                                            RemoteMemory& by_messages) {
  // UCX knows no heap: none was shown to it, or the card refused it.
  if (!parts_->heap) return nullptr;
  auto* const ours = dynamic_cast<UcxLink*>(&link);
  MAKESPAN_EXPECT(ours != nullptr);
  UcxPort& port = ours->port();
  return std::make_unique<UcxMemory>(UcxMemory::Parts{.endpoints = port.endpoints(),
                                                      .rma = port.rma(),
                                                      .keys = parts_->keys,
                                                      .by_messages = by_messages,
                                                      .use = parts_->options.rma,
                                                      .aggregates = parts_->options.aggregates,
                                                      .here = parts_->job.image()});
}

void UcxTransport::close_all() {
  // Once all images are here, no image takes a closed connection for a loss.
  static_cast<void>(parts_->job.exchange_all({}));
  auto const deadline = std::chrono::steady_clock::now() + close_limit;
  for (auto const& port : parts_->ports) port->close_all(deadline);
  settle();
  parts_->ports.clear();
}

// UCX's own answers to images that have just connected leave, too: before 1.14 it ends a process
// that gives a worker back with such an answer (https://github.com/openucx/ucx/pull/8175).
void UcxTransport::settle() {
  bool const has_far_images = std::ranges::any_of(
      parts_->ports, [](auto const& port) { return port->endpoints().has_far_images(); });
  if (!has_far_images) return;
  auto const begin = std::chrono::steady_clock::now();
  auto quiet_since = begin;
  for (auto now = begin; now < std::min(begin + quiet_limit, quiet_since + quiet_time);
       now = std::chrono::steady_clock::now()) {
    for (auto const& port : parts_->ports) {
      if (port->settle() > 0) quiet_since = now;
    }
  }
}

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/channel/channel.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {

namespace {

std::vector<Link*> routes(Job const& job, ChannelLinks const& links) {
  std::vector<Link*> to(checked_cast<std::size_t>(job.images()), links.network.get());
  if (links.on_node) {
    for (ImageId const mate : job.node_images()) {
      to[static_cast<std::size_t>(mate.value())] = links.on_node.get();
    }
  }
  return to;
}

// The link of memory operations by message. Images that are reached on the node have their heaps
// mapped: where there is a network, those operations are for its images.
Link& any_link(ChannelLinks const& links) {
  MAKESPAN_EXPECT(links.on_node || links.network);
  return links.network ? *links.network : *links.on_node;
}

// Callers cut what they send before they know which way it goes.
std::int64_t smallest_payload(ChannelLinks const& links) {
  std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
  if (links.on_node) bytes = std::min(bytes, links.on_node->payload_bytes_max());
  if (links.network) bytes = std::min(bytes, links.network->payload_bytes_max());
  return bytes;
}

}  // namespace

LinkThreading threading_of(EndpointDesign design) {
  return design == EndpointDesign::shared_fine_lock ? LinkThreading::concurrent
                                                    : LinkThreading::serialized;
}

Channel::Channel(int number, EndpointDesign design, ChannelContext context, ChannelLinks links)
    : number_{number},
      shared_{context},
      bounds_{.here = shared_.job.image().value(),
              .images = shared_.job.images(),
              .channels = std::ssize(shared_.pending),
              // All tables of an image are of this length.
              .operations = shared_.pending[static_cast<std::size_t>(number)]->capacity(),
              .threads = shared_.threads,
              .heap_bytes = shared_.heap.size(),
              .payload_bytes_max = static_cast<std::uint64_t>(any_link(links).payload_bytes_max())},
      links_{std::move(links)},
      lock_{design},
      send_queue_{routes(shared_.job, links_)},
      server_{shared_.heap},
      owed_{shared_.job.images()},
      by_messages_{shared_.job.image(), shared_.job.images(), any_link(links_),
                   *shared_.pending[static_cast<std::size_t>(number)]},
      memory_{&by_messages_},
      payload_bytes_max_{smallest_payload(links_)},
      abandoned_(checked_cast<std::size_t>(shared_.job.images())) {
  if (links_.network && links_.network_transport != nullptr) {
    by_transport_ = links_.network_transport->open_memory_all(threading_of(design), *links_.network,
                                                              by_messages_);
  }
  if (by_transport_) memory_ = by_transport_.get();
  operation_bytes_max_ = checked_cast<std::size_t>(memory_->operation_bytes_max());
}

int Channel::poll() {
  std::scoped_lock const lock(lock_);
  return poll_links();
}

int Channel::try_poll() {
  // The thread that has it polls for all: others have better things to do than to wait for it.
  std::unique_lock const lock(lock_, std::try_to_lock);
  return lock.owns_lock() ? poll_links() : 0;
}

int Channel::poll_links() {
  // First, so that this round delivers nothing of an image that is given up (Link::abandon).
  notice_losses();
  // What had no room goes first: answers that polling brings about queue behind it.
  int happened = send_queue_.send_kept();
  if (links_.on_node) happened += links_.on_node->poll(*this);
  if (links_.network) happened += links_.network->poll(*this);
  if (by_transport_) happened += by_transport_->poll();
  // Once a round, in batches: requests without a token are not answered one by one. What finds no
  // room stays owed, and is told with what comes until there is: kept as messages it could pile up
  // without end, towards an image that puts for long and does not look.
  owed_.tell_all([this](ImageId source, std::uint64_t count) {
    WireHeader const ack{.kind = WireKind::ack,
                         .source = static_cast<std::int32_t>(shared_.job.image().value()),
                         .operand = count};
    return send_queue_.route(source).send(source, ack, {}) == SendOutcome::sent;
  });
  return happened;
}

void Channel::notice_losses() {
  int const lost = shared_.job.lost_images();
  ImageId const here = shared_.job.image();
  PendingTable& table = *shared_.pending[static_cast<std::size_t>(number_)];
  // As long as nothing is lost a round costs one load for this.
  if (lost == losses_noticed_.load(std::memory_order_relaxed)) {
    // Also what has begun since then: no image answers this one.
    if (lost != 0 && is_given_up_.load(std::memory_order_relaxed)) table.fail_rest(here);
    return;
  }
  // With shared_fine_lock several threads may poll, and notice it at once.
  std::scoped_lock const lock(losses_lock_);
  bool const is_given_up = !shared_.job.loss_of(here).empty();
  for (std::size_t at = 0; at < abandoned_.size(); ++at) {
    ImageId const image{static_cast<std::int64_t>(at)};
    bool const is_lost = !shared_.job.loss_of(image).empty();
    if (abandoned_[at] || (!is_lost && !is_given_up)) continue;
    abandoned_[at] = true;
    // The link before the queue: from here on it takes what is for the image and forgets it, so
    // that what another thread sends meanwhile does not stay in the queue.
    send_queue_.route(image).abandon(image);
    send_queue_.abandon(image);
    if (!is_lost) continue;  // it is alive, and not to be named
    memory_->abandon(image);
    // Also calls, which the table knows and no memory does.
    table.fail_all(image);
  }
  if (is_given_up) table.fail_rest(here);
  is_given_up_.store(is_given_up, std::memory_order_relaxed);
  // The count from before the look: what was lost during it is looked for in the next round.
  losses_noticed_.store(lost, std::memory_order_relaxed);
}

void Channel::deliver(WireHeader const& header, std::span<std::byte const> payload) {
  ImageId const source{header.source};
  // An image may be of another build, or its message damaged (docs/decisions/0090): nothing of it
  // is used before.
  if (!is_within(bounds_, header, payload.size())) {
    throw BadMessage(source, defect_of(bounds_, header, payload.size()));
  }
  auto const table = [&]() -> PendingTable& { return *shared_.pending[header.token.channel]; };
  auto const text = [&] {
    return std::string_view(reinterpret_cast<char const*>(payload.data()), payload.size());
  };
  switch (header.kind) {
    case WireKind::reply:
      table().complete(header.token, payload);
      // An answer says, too, that the request was carried out.
      by_messages_.acknowledge(source, 1);
      break;
    case WireKind::call_reply:
      // The task that the call took is free again (docs/decisions/0019).
      shared_.credits.give_back(header.token.channel, source);
      table().complete(header.token, payload);
      break;
    case WireKind::refusal:
      shared_.credits.give_back(header.token.channel, source);
      table().refuse(header.token, text());
      break;
    case WireKind::ack:
      by_messages_.acknowledge(source, header.operand);
      break;
    default:
      deliver_request(header, payload);
  }
}

void Channel::deliver_request(WireHeader const& header, std::span<std::byte const> payload) {
  static_cast<void>(published_.load(std::memory_order_acquire));  // see publish()
  switch (header.kind) {
    case WireKind::put:
      server_.put(header, payload);
      confirm(header, {});
      break;
    case WireKind::put_signal:
      server_.put_signal(header, payload);
      confirm(header, {});
      break;
    case WireKind::get:
      confirm(header, server_.get(header));
      break;
    case WireKind::atomic: {
      std::array<std::byte, 8> old{};
      std::uint64_t const value = server_.atomic(header);
      std::memcpy(old.data(), &value, sizeof value);
      confirm(header, std::span(old).first(header.width));
      break;
    }
    case WireKind::rpc:
      deliver_call(header, payload);
      break;
    default:
      MAKESPAN_ASSERT(false && "a request, as is_within() says");
  }
}

void Channel::deliver_call(WireHeader const& header, std::span<std::byte const> arguments) {
  try {
    shared_.intake.accept(header, arguments);
  } catch (std::bad_alloc const&) {
    // The caller's credit comes back with the answer, whatever that is.
    send_queue_.send(ImageId{header.source},
                     {.kind = WireKind::refusal,
                      .source = static_cast<std::int32_t>(shared_.job.image().value()),
                      .token = header.token},
                     std::as_bytes(std::span(no_memory_for_arguments)));
  }
}

void Channel::confirm(WireHeader const& request, std::span<std::byte const> answer) {
  ImageId const source{request.source};
  // Counted only: one message at the end of the round acknowledges all of them.
  if (!request.token.is_tracked()) {
    owed_.note(source);
    return;
  }
  send_queue_.send(source,
                   {.kind = WireKind::reply,
                    .source = static_cast<std::int32_t>(shared_.job.image().value()),
                    .token = request.token},
                   answer);
}

std::vector<int> Channel::event_descriptors() const {
  std::vector<int> descriptors;
  for (Link const* const link : {links_.on_node.get(), links_.network.get()}) {
    if (link != nullptr) descriptors.push_back(link->event_descriptor());
  }
  return descriptors;
}

bool Channel::has_events() const {
  return std::ranges::none_of(event_descriptors(), [](int descriptor) { return descriptor < 0; });
}

bool Channel::arm() {
  std::unique_lock const lock(lock_, std::try_to_lock);
  // No descriptor tells when there is room for what is kept, or owed.
  if (!lock.owns_lock() || !send_queue_.is_empty() || owed_.is_owing()) return false;
  bool quiet = true;
  if (links_.on_node) quiet = links_.on_node->arm() && quiet;
  if (links_.network) quiet = links_.network->arm() && quiet;
  return quiet;
}

bool Channel::is_drained() {
  std::scoped_lock const lock(lock_);
  return send_queue_.is_empty() && !owed_.is_owing() &&
         (!links_.on_node || links_.on_node->is_drained()) &&
         (!links_.network || links_.network->is_drained());
}

}  // namespace makespan::pgas

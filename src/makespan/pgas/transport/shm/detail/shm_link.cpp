// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/detail/shm_link.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

// Enough to spread the cost of a poll, and few enough that a flood from one image does not keep a
// caller for long.
constexpr int messages_per_image_max = 16;

std::span<std::byte> part(std::span<std::byte> segment, std::int64_t offset, std::int64_t bytes) {
  return segment.subspan(checked_cast<std::size_t>(offset), checked_cast<std::size_t>(bytes));
}

// The segments are as long as the layout says.
std::span<std::byte> ring_memory(ShmPlace const& place, ImageId receiver, int channel, int source) {
  return part(place.memory->segment(receiver),
              place.area_offset + place.layout.ring_offset(channel, source),
              place.layout.ring_memory_bytes());
}

std::uint32_t* sleep_flag(ShmPlace const& place, ImageId image, int channel) {
  std::span<std::byte> const bytes =
      part(place.memory->segment(image),
           place.area_offset + place.layout.sleep_flag_offset(channel), sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t*>(bytes.data());
}

// A message that is taken out of the ring at the end of the scope.
class Taken {
 public:
  explicit Taken(RingConsumer& ring) : ring_{ring} {}
  Taken(Taken const&) = delete;
  Taken& operator=(Taken const&) = delete;
  ~Taken() { ring_.pop(); }

 private:
  RingConsumer& ring_;
};

}  // namespace

ShmLink::ShmLink(ShmPlace const& place, int channel, LinkThreading threading,
                 std::optional<Doorbells> doorbells)
    : threading_{threading},
      payload_bytes_max_{place.layout.payload_bytes_max()},
      own_sleep_flag_{sleep_flag(place, place.image, channel)},
      doorbells_{std::move(doorbells)},
      outgoing_(place.node_images.size()),
      incoming_(place.node_images.size()) {
  MAKESPAN_EXPECT(place.node_images.size() == static_cast<std::size_t>(place.layout.node_images()));
  MAKESPAN_EXPECT(std::ranges::is_sorted(place.node_images));
  auto const own =
      std::ranges::lower_bound(place.node_images, place.image) - place.node_images.begin();
  index_of_image_.resize(checked_cast<std::size_t>(place.node_images.back().value() + 1), -1);
  for (std::size_t at = 0; at < place.node_images.size(); ++at) {
    ImageId const image = place.node_images[at];
    index_of_image_[static_cast<std::size_t>(image.value())] = static_cast<std::int32_t>(at);
    outgoing_[at].ring = RingProducer(ring_memory(place, image, channel, static_cast<int>(own)));
    outgoing_[at].sleep_flag = sleep_flag(place, image, channel);
    incoming_[at].ring =
        RingConsumer(ring_memory(place, place.image, channel, static_cast<int>(at)), image);
  }
}

std::size_t ShmLink::index_of(ImageId image) const {
  MAKESPAN_EXPECT(image.value() >= 0);
  MAKESPAN_EXPECT(image.value() < static_cast<std::int64_t>(index_of_image_.size()));
  std::int32_t const index = index_of_image_[static_cast<std::size_t>(image.value())];
  MAKESPAN_EXPECT(index >= 0);  // on this node
  return static_cast<std::size_t>(index);
}

SendOutcome ShmLink::send(ImageId to, WireHeader const& header,
                          std::span<std::byte const> payload) {
  MAKESPAN_EXPECT(static_cast<std::int64_t>(payload.size()) <= payload_bytes_max_);
  std::size_t const index = index_of(to);
  Outgoing& outgoing = outgoing_[index];
  // Relaxed, here and in poll(): it only tells when to stop.
  if (outgoing.is_abandoned.load(std::memory_order_relaxed)) return SendOutcome::sent;
  {
    std::unique_lock lock(outgoing.lock, std::defer_lock);
    if (threading_ == LinkThreading::concurrent) lock.lock();
    if (!outgoing.ring.stage(header, payload)) return SendOutcome::busy;
    outgoing.ring.publish(doorbells_ ? PublishOrder::before_loads : PublishOrder::plain);
  }
  if (doorbells_) wake(*doorbells_, index);
  return SendOutcome::sent;
}

// We publish a record, then read the flag; the receiver sets the flag, then looks at the ring
// (arm()). All four are sequentially consistent, so in their single order the last of the two reads
// comes after both writes: either we see the flag, or the receiver sees the record.
void ShmLink::wake(Doorbells const& doorbells, std::size_t index) const {
  std::atomic_ref<std::uint32_t> const flag(*outgoing_[index].sleep_flag);
  if (flag.load(std::memory_order_seq_cst) == 0) return;
  // Of several senders one rings. Acquire and release would do; this is rare.
  if (flag.exchange(0, std::memory_order_seq_cst) == 0) return;
  // If it failed because the receiver has ended, no retry is needed; otherwise the next sender
  // tries again.
  if (!doorbells.own.ring(doorbells.others[index])) flag.store(1, std::memory_order_seq_cst);
}

int ShmLink::deliver_from(Incoming& incoming, MessageSink& sink) {
  int delivered = 0;
  while (delivered < messages_per_image_max) {
    if (incoming.is_abandoned.load(std::memory_order_relaxed)) break;
    std::optional<RingConsumer::Record> const record = incoming.ring.front();
    if (!record) break;
    // Also where the sink throws: it has seen the message, and must not see it again.
    Taken const taken(incoming.ring);
    sink.deliver(record->header, record->payload);
    ++delivered;
  }
  incoming.ring.release_room();
  return delivered;
}

int ShmLink::poll(MessageSink& sink) {
  std::unique_lock lock(receiving_, std::defer_lock);
  if (threading_ == LinkThreading::concurrent && !lock.try_lock()) return 0;
  int delivered = 0;
  std::size_t at = first_;
  first_ = first_ + 1 < incoming_.size() ? first_ + 1 : 0;
  for (std::size_t looked = 0; looked < incoming_.size(); ++looked) {
    delivered += deliver_from(incoming_[at], sink);
    at = at + 1 < incoming_.size() ? at + 1 : 0;
  }
  return delivered;
}

int ShmLink::event_descriptor() const {
  return doorbells_ ? doorbells_->own.descriptor() : -1;
}

bool ShmLink::arm() {
  if (!doorbells_) return false;
  std::unique_lock lock(receiving_, std::defer_lock);
  // Another thread is polling and takes what comes; the caller asks again.
  if (threading_ == LinkThreading::concurrent && !lock.try_lock()) return false;
  // Clears earlier rings before the flag is set, or a ring for this sleep would be lost. The rings
  // that were cleared are followed by the look at all queues below.
  doorbells_->own.silence();
  std::atomic_ref<std::uint32_t> const flag(*own_sleep_flag_);
  flag.store(1, std::memory_order_seq_cst);  // see wake()
  for (Incoming& incoming : incoming_) {
    if (incoming.is_abandoned.load(std::memory_order_relaxed)) continue;
    if (!incoming.ring.front()) continue;
    // Relaxed: a sender that still sees 1 rings in vain, once.
    flag.store(0, std::memory_order_relaxed);
    return false;
  }
  return true;
}

void ShmLink::abandon(ImageId image) {
  std::size_t const index = index_of(image);
  outgoing_[index].is_abandoned.store(true, std::memory_order_relaxed);
  incoming_[index].is_abandoned.store(true, std::memory_order_relaxed);
}

}  // namespace makespan::pgas

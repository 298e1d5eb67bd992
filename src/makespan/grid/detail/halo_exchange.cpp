// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/halo_exchange.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "makespan/grid/detail/put_pieces.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/operation/keep_memory.hpp"

namespace makespan::grid {

namespace {

// More than will ever be counted: says that no more will come.
constexpr std::uint64_t stopped = std::uint64_t{1} << 62;

std::int64_t parity_of(std::int64_t exchange) {
  return exchange % exchanges_kept;
}

// A halo of fewer is packed before other threads have woken up.
constexpr std::int64_t doubles_for_threads = std::int64_t{1} << 15;

// Calls work(rows) for all rows of the box: by all threads where there is enough for each.
template <class Work>
void by_rows(ThreadTeam& threads, Box const& box, std::size_t fields, Work&& work) {
  Rows const all = rows_of(box);
  std::int64_t const doubles = box.points() * static_cast<std::int64_t>(fields);
  std::int64_t const parts = threads.threads();
  if (parts == 1 || doubles < doubles_for_threads) return work(all);
  threads.run_parts([&](int part, int /*thread*/) {
    work(Rows{all.last * part / parts, all.last * (part + 1) / parts});
  });
}

// Where a halo is packed to.
struct PackedHalo {
  double* first;
  HaloSide side{HaloSide::host};
};

// By the accelerator or host that has the slab's fields.
void pack_by(HaloExchange::Sender const& by, Accelerator* accelerator,
             std::span<FieldView const> views, Box const& box, PackedHalo const& to) {
  auto const timing = by.clock.time(Phase::pack, by.step);
  if (accelerator != nullptr) {
    accelerator->pack(views, box, to.first, to.side);
  } else {
    std::atomic<std::int64_t> copies{0};
    by_rows(by.threads, box, views.size(),
            [&](Rows rows) { copies += pack(views, box, rows, to.first); });
    by.counts.copies += copies;
  }
}

}  // namespace

std::span<double> HaloSendBuffer::take(std::int64_t count) {
  if (used_ == rooms_.size()) rooms_.emplace_back();
  // Puts may read from the others: when `rooms_` grows, their doubles stay where they are.
  std::vector<double>& room = rooms_[used_++];
  if (std::ssize(room) < count) room.resize(static_cast<std::size_t>(count));
  return {room.data(), static_cast<std::size_t>(count)};
}

void HaloSendBuffer::clear() {
  for (pgas::Future<void>& future : futures_) future.get();
  futures_.clear();
  used_ = 0;
}

void HaloSendBuffer::leave() {
  // Moved, the doubles stay where they are.
  pgas::keep_until_over(futures_, std::make_shared<decltype(rooms_)>(std::move(rooms_)));
  futures_.clear();
  rooms_.clear();
  used_ = 0;
}

HaloExchange::HaloExchange(pgas::Runtime& runtime, std::vector<SlabPlace> slabs, ExchangePlan plan,
                           std::int64_t fields, HaloPath const& path)
    : runtime_{runtime}, slabs_{std::move(slabs)}, plan_{std::move(plan)}, fields_{fields} {
  std::vector<std::int64_t> points(static_cast<std::size_t>(runtime.images()));
  std::vector<std::int64_t> count(points.size());
  for (std::size_t slab = 0; slab < slabs_.size(); ++slab) {
    auto const image = static_cast<std::size_t>(slabs_[slab].owner.image);
    // An image's slabs have their rooms one after the other, in the order of the layout: senders
    // know where.
    first_point_.push_back(points[image]);
    points[image] += plan_.points_of_slab[slab];
    slab_of_image_.push_back(count[image]++);
  }
  pieces_due_.resize(slabs_.size());
  for (HaloMessage const& message : plan_.messages) {
    pieces_due_[static_cast<std::size_t>(message.to_slab)] += pieces_of(doubles_of(message));
  }
  // Arrays of the heap are as long on all images.
  points_max_ = std::ranges::max(points);
  memory_ = runtime.allocate_all<double>(exchanges_kept * points_max_ * fields_, "halos");
  words_ = runtime.allocate_all<std::uint64_t>(exchanges_kept * std::ranges::max(count),
                                               "halos' signals");
  auto const may_reach = [&](ImageId image) {
    bool const is_carried = path.route == Route::relayed && image != runtime.image();
    // What is in reach of loads and stores is on the same node.
    return !is_carried && runtime.endpoint(0).direct(words_.at(image, 0)) != nullptr;
  };
  peers_.emplace(runtime, HaloLayout{.slabs = slabs_, .plan = plan_, .fields = fields_},
                 path.accelerators, may_reach);
  reach_halos(path);
  relayed_.resize(plan_.messages.size(), -1);
  if (path.route == Route::relayed) open_relay_all();
}

// What accelerators pack into memory of the host in reach, or unpack from there, they need not copy
// twice.
void HaloExchange::reach_halos(HaloPath const& path) {
  pgas::Endpoint& here = runtime_.endpoint(0);
  std::int64_t const count = exchanges_kept * points_max_ * fields_;
  if (count == 0) return;
  std::set<std::pair<Accelerator*, std::int64_t>> known;
  auto const reach = [&](Accelerator* accelerator, ImageId image) {
    if (accelerator == nullptr || !known.emplace(accelerator, image.value()).second) return;
    if (double* const memory = here.direct(memory_.at(image), count)) {
      reached_.push_back(accelerator->reach({memory, static_cast<std::size_t>(count)}));
    }
  };
  for (HaloMessage const& message : plan_.messages) {
    // Those that go from accelerator to accelerator are not in the host's memory.
    if (peers_->place(message, 0) != nullptr) continue;
    ImageId const to = image_of(message.to_slab);
    bool const is_carried = path.route == Route::relayed && to != image_of(message.from_slab);
    if (!is_carried) reach(path.accelerators[static_cast<std::size_t>(message.from_slab)], to);
    reach(path.accelerators[static_cast<std::size_t>(message.to_slab)], to);
  }
}

void HaloExchange::open_relay_all() {
  std::vector<HaloTransfer> relayed;
  for (HaloMessage const& message : plan_.messages) {
    ImageId const from = image_of(message.from_slab);
    ImageId const to = image_of(message.to_slab);
    if (from == to) continue;
    auto const slab = static_cast<std::size_t>(message.to_slab);
    relayed_[static_cast<std::size_t>(message.number)] = static_cast<int>(relayed.size());
    relayed.push_back({.from_image = static_cast<int>(from.value()),
                       .to_image = static_cast<int>(to.value()),
                       .offset = (first_point_[slab] + message.offset) * fields_,
                       .doubles = doubles_of(message),
                       .pieces = static_cast<std::uint64_t>(pieces_of(doubles_of(message))),
                       .slab_word = slab_of_image_[slab] * exchanges_kept});
  }
  relay_.emplace(
      runtime_, std::move(relayed),
      HaloRelay::Destination{
          .memory = memory_, .exchange_doubles = points_max_ * fields_, .words = words_});
}

void HaloExchange::close_all() {
  if (relay_) relay_->close_all();
  peers_->close_all();
  reached_.clear();
  runtime_.free_all(words_);
  runtime_.free_all(memory_);
}

ImageId HaloExchange::image_of(int slab) const {
  return ImageId{slabs_[static_cast<std::size_t>(slab)].owner.image};
}

pgas::GlobalPtr<double> HaloExchange::destination(HaloMessage const& message,
                                                  std::int64_t exchange) const {
  auto const slab = static_cast<std::size_t>(message.to_slab);
  return memory_.at(
      image_of(message.to_slab),
      (parity_of(exchange) * points_max_ + first_point_[slab] + message.offset) * fields_);
}

pgas::GlobalPtr<std::uint64_t> HaloExchange::word(int slab, std::int64_t exchange) const {
  return words_.at(image_of(slab), slab_of_image_[static_cast<std::size_t>(slab)] * exchanges_kept +
                                       parity_of(exchange));
}

void HaloExchange::send(Sender const& by, Slab const& slab, std::span<HaloMessage const> messages,
                        std::span<FieldView const> views) {
  for (HaloMessage const& message : messages) send_one(by, slab, message, views);
}

void HaloExchange::send_one(Sender const& by, Slab const& slab, HaloMessage const& message,
                            std::span<FieldView const> views) {
  pgas::GlobalPtr<double> const to = destination(message, by.exchange);
  pgas::GlobalPtr<std::uint64_t> const counter = word(message.to_slab, by.exchange);
  std::int64_t const count = doubles_of(message);
  ++by.counts.messages;
  by.counts.bytes += count * static_cast<std::int64_t>(sizeof(double));
  if (double* const there = peers_->place(message, by.exchange)) {
    // Blocks until the accelerator has packed: then the word may say so.
    pack_by(by, slab.accelerator, views, message.from, {there, HaloSide::accelerator});
    auto const timing = by.clock.time(Phase::send, by.step);
    pgas::fetch_add(by.here, counter, static_cast<std::uint64_t>(pieces_of(count)));
    ++by.counts.peer;
  } else if (int const relayed = relayed_[static_cast<std::size_t>(message.number)]; relayed >= 0) {
    auto const index = static_cast<std::size_t>(relayed);
    pack_by(by, slab.accelerator, views, message.from, {relay_->room(index, by.exchange).data()});
    auto const timing = by.clock.time(Phase::send, by.step);
    relay_->post(index, by.exchange);
    ++by.counts.relayed;
  } else if (double* const in_reach = by.here.direct(to, count)) {
    // Within reach of stores it is packed where it will be read, and is there when the word says
    // so.
    pack_by(by, slab.accelerator, views, message.from, {in_reach});
    auto const timing = by.clock.time(Phase::send, by.step);
    pgas::fetch_add(by.here, counter, static_cast<std::uint64_t>(pieces_of(count)));
    ++by.counts.direct;
  } else {
    std::span<double> const packed = by.buffer.take(count);
    pack_by(by, slab.accelerator, views, message.from, {packed.data()});
    auto const timing = by.clock.time(Phase::send, by.step);
    put_pieces(by.here, to, packed, counter, by.buffer.futures());
  }
}

std::int64_t HaloExchange::wait(pgas::Endpoint& here, Slab const& slab, std::int64_t exchange) {
  auto const number = static_cast<std::size_t>(slab.number);
  // Words are never set back, which would have to wait for those that add to them: each exchange of
  // this parity adds as many pieces.
  std::int64_t const due = (exchange / exchanges_kept + 1) * pieces_due_[number];
  std::uint64_t const come = here.wait_until_word(
      word(slab.number, exchange), pgas::Comparison::at_least, static_cast<std::uint64_t>(due));
  // None sends for the next exchange of this parity before it has what this slab sends after this
  // one.
  if (come < stopped) return static_cast<std::int64_t>(come) - due;
  throw GridStopped("a neighbour of slab " + std::to_string(slab.number) +
                    " stopped; its image says why");
}

void HaloExchange::unpack_all(ThreadTeam& threads, Slab const& slab,
                              std::span<FieldView const> views, std::int64_t exchange) {
  std::span<double const> const memory = runtime_.local(memory_);
  for (HaloMessage const& message : slab.received) {
    auto const begin = static_cast<std::size_t>(
        (parity_of(exchange) * points_max_ + first_point_[static_cast<std::size_t>(slab.number)] +
         message.offset) *
        fields_);
    if (double const* const come = peers_->place(message, exchange)) {
      slab.accelerator->unpack(come, views, message.to(), HaloSide::accelerator);
    } else if (slab.accelerator != nullptr) {
      slab.accelerator->unpack(memory.data() + begin, views, message.to(), HaloSide::host);
    } else {
      by_rows(threads, message.to(), views.size(),
              [&](Rows rows) { unpack(memory.data() + begin, views, message.to(), rows); });
    }
  }
}

void HaloExchange::stop_neighbours(pgas::Endpoint& here, Slab const& slab) {
  if (relay_) relay_->stop();
  for (HaloMessage const& message : slab.sent) {
    // Which of the two a neighbour waits for is not known here.
    for (std::int64_t exchange = 0; exchange < exchanges_kept; ++exchange) {
      // By or: pieces that come later are added below this bit, and leave it.
      pgas::fetch_or(here, word(message.to_slab, exchange), stopped);
    }
  }
}

}  // namespace makespan::grid

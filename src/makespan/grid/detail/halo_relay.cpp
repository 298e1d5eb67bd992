// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/halo_relay.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "makespan/grid/detail/put_pieces.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/operation/keep_memory.hpp"

namespace makespan::grid {

HaloRelay::HaloRelay(pgas::Runtime& runtime, std::vector<HaloTransfer> messages,
                     Destination const& destination)
    : runtime_{runtime},
      messages_{std::move(messages)},
      destination_{destination},
      inbox_{runtime.allocate_all<double>(exchanges_kept * destination.exchange_doubles,
                                          "relayed halos")},
      words_{runtime.allocate_all<std::uint64_t>(exchanges_kept * std::ssize(messages_),
                                                 "relayed halos' signals")},
      rooms_{std::make_shared<Rooms>(messages_.size() * exchanges_kept)},
      delivered_(messages_.size()) {
}

void HaloRelay::close_all() {
  runtime_.free_all(words_);
  runtime_.free_all(inbox_);
}

std::span<double> HaloRelay::room(std::size_t index, std::int64_t exchange) {
  auto const parity = static_cast<std::size_t>(exchange % exchanges_kept);
  // As with the receivers' memory, two are enough: the next but one is packed when the receiver has
  // this one and has answered with its own.
  std::vector<double>& room = (*rooms_)[index * exchanges_kept + parity];
  room.resize(static_cast<std::size_t>(messages_[index].doubles));
  return room;
}

void HaloRelay::post(std::size_t index, std::int64_t exchange) {
  std::scoped_lock const lock(mutex_);
  posted_.push_back({index, exchange});
}

std::optional<HaloRelay::Posted> HaloRelay::take() {
  std::scoped_lock const lock(mutex_);
  if (posted_.empty()) return std::nullopt;
  Posted const posted = posted_.front();
  posted_.pop_front();
  return posted;
}

void HaloRelay::forward(Posted const& posted, pgas::Endpoint& here) {
  HaloTransfer const& message = messages_[posted.index];
  std::int64_t const parity = posted.exchange % exchanges_kept;
  // What was forwarded before is there by now, most of it.
  std::erase_if(futures_, [](pgas::Future<void>& future) {
    if (!future.is_ready()) return false;
    future.get();
    return true;
  });
  ImageId const to{message.to_image};
  put_pieces(here, inbox_.at(to, parity * destination_.exchange_doubles + message.offset),
             room(posted.index, posted.exchange),
             words_.at(to, static_cast<std::int64_t>(posted.index) * exchanges_kept + parity),
             futures_);
}

bool HaloRelay::deliver(std::size_t index, pgas::Endpoint& here) {
  HaloTransfer const& message = messages_[index];
  std::int64_t const exchange = delivered_[index];
  std::int64_t const parity = exchange % exchanges_kept;
  ImageId const me = runtime_.image();
  std::uint64_t const come =
      pgas::load(here, words_.at(me, static_cast<std::int64_t>(index) * exchanges_kept + parity));
  // Words are never set back: each exchange of this parity adds as many pieces.
  auto const times = static_cast<std::uint64_t>(exchange / exchanges_kept + 1);
  if (come < times * message.pieces) return false;
  auto const begin =
      static_cast<std::size_t>(parity * destination_.exchange_doubles + message.offset);
  auto const count = static_cast<std::size_t>(message.doubles);
  auto const from = runtime_.local(inbox_).subspan(begin, count);
  std::ranges::copy(from, runtime_.local(destination_.memory).subspan(begin, count).begin());
  pgas::fetch_add(here, destination_.words.at(me, message.slab_word + parity), message.pieces);
  ++delivered_[index];
  return true;
}

void HaloRelay::leave() {
  pgas::keep_until_over(futures_, rooms_);
  futures_.clear();
}

void HaloRelay::run(std::int64_t begin, std::int64_t end, pgas::Endpoint& here) {
  try {
    carry(begin, end, here);
  } catch (...) {
    leave();
    throw;
  }
}

void HaloRelay::carry(std::int64_t begin, std::int64_t end, pgas::Endpoint& here) {
  int const me = static_cast<int>(runtime_.image().value());
  std::int64_t to_forward = 0;
  std::vector<std::size_t> awaited;
  for (std::size_t index = 0; index < messages_.size(); ++index) {
    // Devices post each of their messages once in an exchange.
    if (messages_[index].from_image == me) to_forward += end - begin;
    if (messages_[index].to_image == me) awaited.push_back(index);
  }
  auto const round = [&] {
    if (std::optional<Posted> const posted = take()) {
      forward(*posted, here);
      --to_forward;
    }
    std::erase_if(awaited, [&](std::size_t index) {
      while (delivered_[index] < end && deliver(index, here)) {
      }
      return delivered_[index] == end;
    });
    return is_stopped_ || (to_forward == 0 && awaited.empty());
  };
  // Where a device of any image fails, those of this one that wait for it end in GridStopped, and
  // Grid::drive() calls stop(), which ends this wait.
  here.wait_until(round, {.call = "relaying halos"});
  // No put outlasts its stretch, behind which the grid may be cut anew. After a stop one may
  // never end, and its memory is left to it.
  for (pgas::Future<void>& future : futures_) {
    if (!is_stopped_) future.get();
  }
  leave();
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/post_office.hpp"

#include <atomic>
#include <cereal/types/vector.hpp>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/call/names.hpp"
#include "makespan/pgas/errors.hpp"
#include "makespan/pgas/fabric.hpp"

namespace makespan::graph {

namespace {

// Beside the part of a parcel in a call.
constexpr std::int64_t other_arguments_bytes = 256;

// Bytes as cereal takes them in one piece.
using PartBytes = std::vector<std::uint8_t>;

void take_part_of(std::uint64_t office, std::int32_t place, pgas::ParcelPart const& part,
                  PartBytes const& data) {
  pgas::Names<PostOffice>::all().with(
      office, [&](PostOffice& to) { to.take_part(place, part, std::as_bytes(std::span(data))); });
}

// All images make their offices in the same order, so the greatest count fits all.
std::uint64_t new_name_all(pgas::Team& team) {
  static std::atomic<std::uint64_t> names{0};
  return team.all_reduce_all(pgas::ReduceOp::max, names.fetch_add(1) + 1);
}

}  // namespace

PostOffice::PostOffice(pgas::Runtime& runtime, int threads)
    : runtime_(runtime), threads_(threads), name_(new_name_all(runtime.team())) {
  MAKESPAN_EXPECT(threads > 0);
  for (int thread = 0; thread < threads; ++thread) {
    mailboxes_.push_back(std::make_unique<Mailbox>());
  }
  pgas::Names<PostOffice>::all().add(name_, *this);
  // Nobody calls before everybody can be called.
  runtime_.team().barrier_all();
}

PostOffice::~PostOffice() {
  pgas::Names<PostOffice>::all().remove(name_);
}

void PostOffice::take_part(int place, pgas::ParcelPart const& part,
                           std::span<std::byte const> data) {
  auto const parcel = [&] {
    std::scoped_lock const lock(shelf_mutex_);
    return shelf_.add(part, data);
  }();
  if (!parcel) return;
  read_letters(*parcel, runtime_.endpoint(0).fabric().code(),
               [&](Letter letter) { mailbox(place).put(std::move(letter)); });
}

Carrier::Carrier(PostOffice& office, int thread)
    : office_(office),
      endpoint_(office.runtime().endpoint(thread)),
      place_(office.first_place() + thread),
      part_bytes_(
          static_cast<std::size_t>(office.runtime().message_bytes_max() - other_arguments_bytes)),
      gathered_(static_cast<std::size_t>(office.places())) {
}

void Carrier::send(int place, Letter letter) {
  if (office_.is_near(place)) {
    office_.mailbox(place).put(std::move(letter));
    return;
  }
  std::vector<std::byte>& bytes = gathered_[static_cast<std::size_t>(place)];
  if (bytes.empty()) waiting_.push_back(place);
  write_letter(bytes, letter, endpoint_.fabric().code());
}

void Carrier::flush() {
  // Nothing is sent while this waits for room: what runs then only fills mailboxes.
  for (int const place : waiting_) flush(place);
  waiting_.clear();
}

void Carrier::flush_full() {
  std::erase_if(waiting_, [this](int place) {
    if (gathered_[static_cast<std::size_t>(place)].size() < part_bytes_) return false;
    flush(place);
    return true;
  });
}

void Carrier::flush(int place) {
  std::vector<std::byte>& bytes = gathered_[static_cast<std::size_t>(place)];
  ImageId const image{office_.image_of(place)};
  pgas::ParcelPart const first{
      .image = static_cast<std::int32_t>(office_.runtime().image().value()),
      .thread = place_ - office_.first_place(),
      .number = parcels_++,
      .part = 0,
      .parts = 0};
  try {
    if (office_.runtime().is_alive(image)) {
      pgas::send_parcel(first, bytes, part_bytes_, [&](auto const& part, auto data) {
        auto const* const begin = reinterpret_cast<std::uint8_t const*>(data.data());
        // Nobody waits for it: an image that is lost does not need it.
        static_cast<void>(endpoint_.rpc(pgas::Place{image, place % office_.threads()},
                                        pgas::function<&take_part_of>, office_.name(), place, part,
                                        PartBytes(begin, begin + data.size())));
      });
    }
  } catch (pgas::ImageFailed const&) {
    // Whoever waits for that image's places will hear of it.
    return bytes.clear();
  }
  bytes.clear();
}

}  // namespace makespan::graph

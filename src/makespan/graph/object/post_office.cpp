// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/post_office.hpp"

#include <algorithm>
#include <atomic>
#include <cereal/types/vector.hpp>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/call/names.hpp"
#include "makespan/pgas/errors.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/try_rpc.hpp"

namespace makespan::graph {

namespace {

// Beside the part of a parcel in a call.
constexpr std::int64_t other_arguments_bytes = 256;
// So that a line of empty parts has bytes, too.
constexpr std::size_t part_overhead = 64;

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
    : PlacePost({.place = office.first_place() + thread,
                 .threads = office.threads(),
                 .images = office.runtime().images()}),
      office_(office),
      endpoint_(office.runtime().endpoint(thread)),
      part_bytes_(
          static_cast<std::size_t>(office.runtime().message_bytes_max() - other_arguments_bytes)),
      gathered_(static_cast<std::size_t>(office.places())),
      lines_(static_cast<std::size_t>(office.runtime().images())) {
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
  int const image = office_.image_of(place);
  pgas::ParcelPart const first{
      .image = static_cast<std::int32_t>(office_.runtime().image().value()),
      .thread = numbers().place - office_.first_place(),
      .number = parcels_++,
      .part = 0,
      .parts = 0};
  pgas::send_parcel(first, bytes, part_bytes_, [&](pgas::ParcelPart const& part, auto data) {
    auto const* const begin = reinterpret_cast<std::uint8_t const*>(data.data());
    line_bytes_ += data.size() + part_overhead;
    lines_[static_cast<std::size_t>(image)].push_back(
        {.place = place, .part = part, .data = PartBytes(begin, begin + data.size())});
  });
  bytes.clear();
  push(image);
  if (line_bytes_ > line_bytes_max) drain_to(line_bytes_max / 2);
}

void Carrier::push() {
  if (!has_line()) return;
  for (int image = 0; image < std::ssize(lines_); ++image) push(image);
}

void Carrier::push_now_and_then() {
  constexpr int calls = 8;
  if (has_line() && ++pushes_ % calls == 0) push();
}

void Carrier::push(int image) {
  Line& line = lines_[static_cast<std::size_t>(image)];
  try {
    while (!line.empty() && try_send(line.front())) {
      line_bytes_ -= line.front().data.size() + part_overhead;
      line.pop_front();
    }
  } catch (pgas::ImageFailed const&) {
    drop(image);
  }
}

// Nobody waits for the answer: an image that is lost does not need it.
bool Carrier::try_send(Part const& part) {
  ImageId const image{office_.image_of(part.place)};
  pgas::Place const to{image, part.place % office_.threads()};
  if (!office_.runtime().is_alive(image)) return true;
  return pgas::try_rpc(endpoint_, to, pgas::function<&take_part_of>, office_.name(), part.place,
                       part.part, part.data)
      .has_value();
}

void Carrier::drain_to(std::size_t bytes) {
  while (line_bytes_ > bytes) {
    std::vector<ImageId> images;
    for (int image = 0; image < std::ssize(lines_); ++image) {
      if (!lines_[static_cast<std::size_t>(image)].empty()) images.emplace_back(image);
    }
    try {
      endpoint_.wait_until(
          [&] {
            push();
            return line_bytes_ <= bytes;
          },
          {.call = "messages between objects", .members = images});
    } catch (pgas::ImageFailed const& failure) {
      drop(static_cast<int>(failure.image().value()));
    }
  }
}

bool Carrier::help() {
  return endpoint_.help() > 0;
}

void Carrier::wait_for_mail() {
  Mailbox const& mine = mailbox();
  endpoint_.wait_until(
      [&] {
        push();
        return mine.has_mail();
      },
      // A place may write a checkpoint, and a method take as long as it likes.
      {.call = "a phase of objects that send messages", .limit = pgas::WaitLimit::none});
}

void Carrier::drop_unsent() {
  for (Line& line : lines_) {
    // Of the first parcel there, parts may have gone: its receiver waits for the rest.
    auto kept = line.begin();
    if (!line.empty() && line.front().part.part > 0) {
      std::uint64_t const begun = line.front().part.number;
      kept =
          std::ranges::find_if(line, [&](Part const& each) { return each.part.number != begun; });
    }
    drop_from(line, kept);
  }
}

// Nobody needs it any more. Whoever waits for that image's places will hear of it.
void Carrier::drop(int image) {
  Line& line = lines_[static_cast<std::size_t>(image)];
  drop_from(line, line.begin());
}

void Carrier::drop_from(Line& line, Line::const_iterator const& begin) {
  for (auto each = begin; each != line.cend(); ++each) {
    line_bytes_ -= each->data.size() + part_overhead;
  }
  line.erase(begin, line.cend());
}

}  // namespace makespan::graph

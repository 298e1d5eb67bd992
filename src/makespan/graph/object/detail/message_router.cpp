// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/message_router.hpp"

#include <algorithm>
#include <atomic>
#include <cereal/types/vector.hpp>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/fabric.hpp"
#include "makespan/pgas/try_rpc.hpp"

namespace makespan::graph {

namespace {

// So that a line of empty parts has bytes, too.
constexpr std::size_t part_overhead = 64;

// Bytes as cereal takes them in one piece.
using PartBytes = std::vector<std::uint8_t>;

void take_part_of(std::uint64_t router, std::int32_t place, pgas::Fragment const& part,
                  PartBytes const& data) {
  pgas::Names<MessageRouter>::all().with(router, [&](MessageRouter& to) {
    to.take_part(place, part, std::as_bytes(std::span(data)));
  });
}

// All images make their routers in the same order, so the greatest count fits all.
std::uint64_t new_name_all(pgas::Team& team) {
  static std::atomic<std::uint64_t> names{0};
  return team.all_reduce_all(pgas::ReduceOp::max, names.fetch_add(1) + 1);
}

}  // namespace

MessageRouter::MessageRouter(pgas::Runtime& runtime, int threads)
    : runtime_(runtime),
      threads_(threads),
      idle_places_(threads),
      runs_(static_cast<std::size_t>(threads)),
      named_(new_name_all(runtime.team()), *this) {
  MAKESPAN_EXPECT(threads > 0);
  for (int thread = 0; thread < threads; ++thread) {
    mailboxes_.push_back(std::make_unique<Mailbox>());
  }
  // No image calls another before all images can be called.
  runtime_.team().barrier_all();
}

MessageRouter::~MessageRouter() = default;

void MessageRouter::take_part(int place, pgas::Fragment const& part,
                              std::span<std::byte const> data) {
  std::optional<Batch> batch;
  try {
    batch = add(part, data);
    // Outside of the lock: parts for other places of this image come meanwhile, in other threads.
    if (batch) read(place, *batch);
  } catch (...) {
    // As a rule the program's own reader of an argument. Its messages count as sent, so that the
    // phase would last for ever; and an exception that leaves this call goes back to the sender's
    // image, where no thread waits for an answer. The place gives the run up.
    std::uint32_t const every_run = std::numeric_limits<std::uint32_t>::max();
    auto const generation = batch ? first_generation(*batch) : std::nullopt;
    mailbox(is_near(place) ? place : first_place())
        .put({.kind = EnvelopeKind::unreadable,
              .from = first_place(),
              .generation = generation.value_or(every_run),
              .object = std::make_shared<std::exception_ptr>(std::current_exception())});
  }
}

void MessageRouter::accept_loss(ImageId image) {
  runtime_.accept_loss(image);
  std::scoped_lock const lock(reassembly_mutex_);
  reassembly_.drop(static_cast<std::int32_t>(image.value()));
}

// Threads without work run calls of others, so parts of a batch may come in several.
std::optional<MessageRouter::Batch> MessageRouter::add(pgas::Fragment const& part,
                                                       std::span<std::byte const> data) {
  std::scoped_lock const lock(reassembly_mutex_);
  return reassembly_.add(part, data);
}

void MessageRouter::read(int place, Batch const& batch) {
  if (!is_near(place)) {
    throw InputError("messages for place " + std::to_string(place),
                     "they came to the image of places " + std::to_string(first_place()) + " to " +
                         std::to_string(first_place() + threads_ - 1),
                     "start the same executable, with the same input, on all images");
  }
  read_envelopes(batch, runtime_.endpoint(0).fabric().code(),
                 [&](Envelope&& envelope) { mailbox(place).put(std::move(envelope)); });
}

RuntimeMessenger::RuntimeMessenger(MessageRouter& router, int thread)
    : PlaceMessenger({.place = router.first_place() + thread,
                      .threads = router.threads(),
                      .images = router.runtime().images()}),
      router_(router),
      endpoint_(router.runtime().endpoint(thread)),
      part_bytes_(static_cast<std::size_t>(batch_bytes(router.runtime().message_bytes_max()))),
      gathered_(static_cast<std::size_t>(router.places())),
      lines_(static_cast<std::size_t>(router.runtime().images())),
      batches_(router.begin_batches(thread)) {
}

void RuntimeMessenger::send(int place, Envelope&& envelope) {
  if (router_.is_near(place)) {
    // As it is: between threads of an image arguments never become bytes.
    router_.mailbox(place).put(std::move(envelope));
    return;
  }
  std::vector<std::byte>& bytes = gathered_[static_cast<std::size_t>(place)];
  if (bytes.empty()) waiting_.push_back(place);
  write_envelope(bytes, envelope, endpoint_.fabric().code());
}

void RuntimeMessenger::flush() {
  for (int const place : waiting_) flush(place);
  waiting_.clear();
  push();
}

void RuntimeMessenger::flush_full() {
  std::erase_if(waiting_, [this](int place) {
    if (gathered_[static_cast<std::size_t>(place)].size() < part_bytes_) return false;
    flush(place);
    return true;
  });
}

void RuntimeMessenger::flush(int place) {
  std::vector<std::byte>& bytes = gathered_[static_cast<std::size_t>(place)];
  int const image = router_.image_of(place);
  pgas::Fragment const first{.image = static_cast<std::int32_t>(router_.runtime().image().value()),
                             .thread = numbers().place - router_.first_place(),
                             .number = batches_++,
                             .part = 0,
                             .parts = 0};
  pgas::send_fragments(first, bytes, part_bytes_, [&](pgas::Fragment const& part, auto data) {
    auto const* const begin = reinterpret_cast<std::uint8_t const*>(data.data());
    line_bytes_ += data.size() + part_overhead;
    lines_[static_cast<std::size_t>(image)].push_back(
        {.place = place, .part = part, .data = PartBytes(begin, begin + data.size())});
  });
  bytes.clear();
  // By way of the line also where there is room: what was queued before goes first.
  push(image);
  // To half of it, so that not every batch from now on ends here.
  if (line_bytes_ > line_bytes_max) drain_to(line_bytes_max / 2);
}

void RuntimeMessenger::push() {
  if (!has_line()) return;
  for (int image = 0; image < std::ssize(lines_); ++image) push(image);
}

void RuntimeMessenger::push_now_and_then() {
  // An attempt that finds no room costs a look at the channel, for each image.
  constexpr int calls = 8;
  if (has_line() && ++pushes_ % calls == 0) push();
}

void RuntimeMessenger::push(int image) {
  Line& line = lines_[static_cast<std::size_t>(image)];
  try {
    while (!line.empty() && try_send(line.front())) {
      line_bytes_ -= line.front().data.size() + part_overhead;
      line.pop_front();
    }
  } catch (ImageFailed const& failure) {
    if (is_own(failure)) throw;
    drop(image);
  }
}

// No thread waits for the answer: a lost image does not need the message.
bool RuntimeMessenger::try_send(Part const& part) {
  ImageId const image{router_.image_of(part.place)};
  pgas::EndpointAddress const to{image, part.place % router_.threads()};
  if (!router_.runtime().is_alive(image)) return true;
  return pgas::try_rpc(endpoint_, to, pgas::function<&take_part_of>, router_.name(), part.place,
                       part.part, part.data)
      .has_value();
}

void RuntimeMessenger::drain_to(std::size_t bytes) {
  while (line_bytes_ > bytes) {
    // Only those that something is queued for: the loss of another does not concern this wait.
    std::vector<ImageId> images;
    for (int image = 0; image < std::ssize(lines_); ++image) {
      if (!lines_[static_cast<std::size_t>(image)].empty()) images.emplace_back(image);
    }
    try {
      // Messages of others are taken meanwhile, or two places that are full of each other's would
      // wait for ever.
      endpoint_.wait_until(
          [&] {
            push();
            return line_bytes_ <= bytes;
          },
          // As long as a place waits for a message: its receivers may compute all that time.
          {.call = "messages between objects", .members = images, .limit = pgas::WaitLimit::none});
    } catch (ImageFailed const& failure) {
      if (is_own(failure)) throw;
      drop(static_cast<int>(failure.image().value()));
    }
  }
}

bool RuntimeMessenger::help() {
  return endpoint_.help() > 0;
}

void RuntimeMessenger::wait_for_message() {
  Mailbox& mine = mailbox();
  endpoint_.wait_until(
      [&] {
        // Other places may wait for what is queued here, and there may be room for it by now.
        push();
        return mine.has_message();
      },
      // No image is named: any loss that was not accepted ends it (PlaceCore::notice_loss()).
      // A place may write a checkpoint, and a method take as long as it likes.
      {.call = "a phase of objects that send messages", .limit = pgas::WaitLimit::none});
}

void RuntimeMessenger::drop_unsent() {
  for (int const place : waiting_) gathered_[static_cast<std::size_t>(place)].clear();
  waiting_.clear();
  for (Line& line : lines_) {
    // Of the first batch there, parts may have gone: its receiver waits for the rest.
    auto kept = line.begin();
    if (!line.empty() && line.front().part.part > 0) {
      std::uint64_t const begun = line.front().part.number;
      kept =
          std::ranges::find_if(line, [&](Part const& each) { return each.part.number != begun; });
    }
    drop_from(line, kept);
  }
}

// It is this image that the others have given up: the lines are not what is lost, and its place
// must hear of it.
bool RuntimeMessenger::is_own(ImageFailed const& failure) const {
  return failure.image() == router_.runtime().image();
}

// The lost image needs it no more. Threads that wait for that image's places will hear of the loss.
void RuntimeMessenger::drop(int image) {
  Line& line = lines_[static_cast<std::size_t>(image)];
  drop_from(line, line.begin());
}

void RuntimeMessenger::drop_from(Line& line, Line::const_iterator const& begin) {
  for (auto each = begin; each != line.cend(); ++each) {
    line_bytes_ -= each->data.size() + part_overhead;
  }
  line.erase(begin, line.cend());
}

}  // namespace makespan::graph

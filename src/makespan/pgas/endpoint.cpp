// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/endpoint.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/channel/heap_server.hpp"
#include "makespan/pgas/detail/learned.hpp"
#include "makespan/pgas/fabric.hpp"

namespace makespan::pgas {

namespace {

std::string range_of(int images) {
  return images == 1 ? "there is image 0 only" : "images are 0 to " + std::to_string(images - 1);
}

SignalRequest request_of(GlobalPtr<std::uint64_t> word, Signal signal) {
  return {.op = signal.kind == Signal::Kind::add ? AtomicOp::add : AtomicOp::store,
          .offset = word.offset(),
          .operand = signal.value};
}

// A box begins at the first byte of its local span, and ends inside it.
void expect_within(std::size_t bytes, StridedExtent const& extent) {
  MAKESPAN_EXPECT(extent.begin >= 0);
  MAKESPAN_EXPECT(std::cmp_less_equal(extent.end, bytes));
}

}  // namespace

Endpoint::Endpoint(Fabric& fabric, int thread)
    : fabric_{fabric},
      channel_{fabric.channel_of(thread)},
      mapped_{fabric.mapped_heaps()},
      heap_bytes_{checked_cast<std::uint64_t>(fabric.options().heap_bytes)},
      images_{fabric.job().images()},
      address_{fabric.job().image(), thread},
      learned_{std::make_unique<Learned>(
          Learned{.codes = RecentCodes{fabric.code()},
                  .victims = Victims(thread, fabric.options().threads,
                                     checked_cast<std::uint64_t>(fabric.job().image().value()))})} {
}

Endpoint::~Endpoint() = default;

void Endpoint::expect_open(std::string_view call) const {
  if (images_ > 0) return;
  throw InputError("image " + std::to_string(address_.image.value()) + ": " + std::string(call) +
                       " after finish_all",
                   "the runtime has ended", "call it before");
}

void Endpoint::check_image(ImageId image, std::string_view call) const {
  expect_open(call);
  if (image.value() >= 0 && image.value() < images_) return;
  throw InputError("image " + std::to_string(address_.image.value()) + ": " + std::string(call) +
                       " to image " + std::to_string(image.value()),
                   "the job has " + std::to_string(images_) + " images", range_of(images_));
}

void Endpoint::refuse_range(ImageId image, std::uint64_t offset, std::int64_t count,
                            std::size_t size, std::string_view call) const {
  // direct_bytes() tests end, image and range at once, since it is on the way of every put: which
  // of them it was is found out here.
  check_image(image, call);
  auto const elements = static_cast<std::uint64_t>(count);
  std::string const range = elements > heap_bytes_ / size
                                ? std::to_string(count) + " elements of " + std::to_string(size)
                                : std::to_string(elements * size);
  throw InputError("image " + std::to_string(address_.image.value()) + ": " + std::string(call) +
                       " of " + range + " bytes at offset " + std::to_string(offset) +
                       " of image " + std::to_string(image.value()),
                   "it reaches past the heap of " + std::to_string(heap_bytes_) + " bytes",
                   "stay within what allocate_all gave");
}

void Endpoint::check_extent(GlobalPtr<std::byte> begin, StridedExtent const& extent,
                            std::string_view call) const {
  GlobalPtr<std::byte> const lowest = begin + extent.begin;
  static_cast<void>(
      direct_bytes(lowest.image(), lowest.offset(), extent.end - extent.begin, 1, call));
}

template <class Begin>
void Endpoint::begin_when_there_is_room(Begin const& begin, Awaited const& what) {
  // Waiting drives progress, which makes the room.
  wait_until([this, begin] { return channel_.with_memory(begin) == StartOutcome::started; }, what);
}

template <class Begin>
void Endpoint::begin_piece(Operation& operation, Awaited const& what, Begin&& begin) {
  // Before it begins: another thread that polls may bring the answer before the call returns.
  operation.add_piece();
  try {
    begin_when_there_is_room(begin, what);
  } catch (...) {
    // Pieces that were begun must not call an operation that its thread has left.
    forget(operation);
    throw;
  }
}

void Endpoint::put_remote(ImageId image, std::uint64_t offset, std::span<std::byte const> data) {
  // No Completion: `data` is the caller's again when its last piece has begun.
  std::size_t const piece = channel_.operation_bytes_max();
  while (!data.empty()) {
    std::span<std::byte const> const next = data.first(std::min(piece, data.size()));
    begin_when_there_is_room(
        [image, offset, next](RemoteMemory& memory) {
          return memory.put(image, offset, next, nullptr);
        },
        awaiting("put", image));
    data = data.subspan(next.size());
    offset += next.size();
  }
}

void Endpoint::get_remote(ImageId image, std::uint64_t offset, std::span<std::byte> destination) {
  // On this stack, so finish() does not leave before the transport has forgotten it.
  BlockingOperation operation(image);
  get_pieces(operation, image, offset, destination);
  finish(operation, awaiting("get", image));
}

std::uint64_t Endpoint::fetch_remote(ImageId image, AtomicRequest const& request) {
  BlockingOperation operation(image);
  atomic_piece(operation, image, request);
  finish(operation, awaiting("an atomic operation", image));
  return operation.word();
}

void Endpoint::update_remote(ImageId image, AtomicRequest const& request) {
  // No Completion: no thread wants the old value, and a flush tells when it is done.
  begin_when_there_is_room(
      [image, &request](RemoteMemory& memory) { return memory.atomic(image, request, nullptr); },
      awaiting("an atomic operation", image));
}

void Endpoint::put_pieces(Operation& operation, ImageId image, std::uint64_t offset,
                          std::span<std::byte const> data) {
  std::size_t const piece = channel_.operation_bytes_max();
  while (!data.empty()) {
    std::span<std::byte const> const next = data.first(std::min(piece, data.size()));
    begin_piece(operation, awaiting("put", image),
                [image, offset, next, &operation](RemoteMemory& memory) {
                  return memory.put(image, offset, next, &operation);
                });
    data = data.subspan(next.size());
    offset += next.size();
  }
  // The one that it was made with: until all pieces are begun it cannot be done.
  operation.drop_piece();
}

void Endpoint::get_pieces(Operation& operation, ImageId image, std::uint64_t offset,
                          std::span<std::byte> destination) {
  std::size_t const piece = channel_.operation_bytes_max();
  while (!destination.empty()) {
    std::span<std::byte> const next = destination.first(std::min(piece, destination.size()));
    begin_piece(operation, awaiting("get", image),
                [image, offset, next, &operation](RemoteMemory& memory) {
                  return memory.get(image, offset, next, operation);
                });
    destination = destination.subspan(next.size());
    offset += next.size();
  }
  operation.drop_piece();
}

void Endpoint::atomic_piece(Operation& operation, ImageId image, AtomicRequest const& request) {
  begin_piece(operation, awaiting("an atomic operation", image),
              [image, &request, &operation](RemoteMemory& memory) {
                return memory.atomic(image, request, &operation);
              });
  operation.drop_piece();
}

void Endpoint::signal_piece(Operation& operation, ImageId image, std::uint64_t offset,
                            std::span<std::byte const> data, SignalRequest const& signal) {
  begin_piece(operation, awaiting("put_signal", image), [&](RemoteMemory& memory) {
    return memory.put_signal(image, offset, data, signal, &operation);
  });
  operation.drop_piece();
}

void Endpoint::forget(Operation& operation) {
  // The transport may know it, or the table of messages that wait for answers.
  channel_.with_memory([&](RemoteMemory& memory) { memory.forget(operation); });
  fabric_.pending(fabric_.channel_number(address_.thread)).forget(operation);
  operation.on_forgotten();
}

void Endpoint::finish(BlockingOperation& operation, Awaited const& what) {
  try {
    wait_until([&] { return operation.is_done(); }, what);
  } catch (...) {
    forget(operation);
    throw;
  }
  operation.rethrow(what.call);
}

void Endpoint::put_signal_bytes(ImageId image, std::uint64_t offset,
                                std::span<std::byte const> data, GlobalPtr<std::uint64_t> word,
                                Signal signal) {
  if (signal_direct(image, offset, data, word, signal)) return;
  BlockingOperation operation(image);
  std::span<std::byte const> const last = put_all_but_last(image, offset, data);
  signal_piece(operation, image, offset + (data.size() - last.size()), last,
               request_of(word, signal));
  finish(operation, awaiting("put_signal", image));
}

Future<void> Endpoint::begin_put_signal(ImageId image, std::uint64_t offset,
                                        std::span<std::byte const> data,
                                        GlobalPtr<std::uint64_t> word, Signal signal) {
  if (signal_direct(image, offset, data, word, signal)) return {*this, Nothing{}};
  // Before the operation is held: this may throw, and then nothing would let the operation go.
  std::span<std::byte const> const last = put_all_but_last(image, offset, data);
  auto operation = held<VoidOperation>(image, "put_signal_async");
  signal_piece(*operation, image, offset + (data.size() - last.size()), last,
               request_of(word, signal));
  return {*this, std::move(operation), awaiting("put_signal_async", image)};
}

bool Endpoint::signal_direct(ImageId image, std::uint64_t offset, std::span<std::byte const> data,
                             GlobalPtr<std::uint64_t> word, Signal signal) {
  MAKESPAN_EXPECT(word.image() == image);
  std::byte* const there = direct_bytes(image, offset, std::ssize(data), 1, "put_signal");
  std::uint64_t* const cell = direct_word(word);
  // Both are checked before either is written: where one is refused, nothing was done. A heap is
  // mapped as a whole, so the word is where the data are.
  if (there == nullptr) return false;
  // The word after the data, by an atomic: who sees it change sees them.
  copy(there, data);
  apply_atomic(reinterpret_cast<std::byte*>(cell), 8, request_of(word, signal).op, signal.value, 0);
  return true;
}

// What does not fit into one message goes first, and is waited for: pieces may arrive in any order.
std::span<std::byte const> Endpoint::put_all_but_last(ImageId image, std::uint64_t offset,
                                                      std::span<std::byte const> data) {
  std::size_t const piece = channel_.operation_bytes_max();
  if (data.size() <= piece) return data;
  // One byte at least is left for the message with the signal.
  std::size_t const first = (data.size() - 1) / piece * piece;
  put_remote(image, offset, data.first(first));
  flush(image);
  return data.subspan(first);
}

Future<void> Endpoint::begin_put(ImageId image, std::uint64_t offset,
                                 std::span<std::byte const> data) {
  auto operation = held<VoidOperation>(image, "put_async");
  put_pieces(*operation, image, offset, data);
  return {*this, std::move(operation), awaiting("put_async", image)};
}

Future<void> Endpoint::begin_get(ImageId image, std::uint64_t offset,
                                 std::span<std::byte> destination) {
  auto operation = held<VoidOperation>(image, "get_async");
  get_pieces(*operation, image, offset, destination);
  return {*this, std::move(operation), awaiting("get_async", image)};
}

void Endpoint::put_strided(GlobalPtr<std::byte> to, std::span<std::byte const> from,
                           StridedBox const& box) {
  expect_within(from.size(), source_extent(box));
  // The whole box first: where it reaches past the heap nothing is put.
  check_extent(to, target_extent(box), "put_strided");
  for_each_run(box, [&](std::int64_t source, std::int64_t target, std::int64_t bytes) {
    put(to + target,
        from.subspan(checked_cast<std::size_t>(source), checked_cast<std::size_t>(bytes)));
  });
  flush(to.image());
}

void Endpoint::get_strided(GlobalPtr<std::byte> from, std::span<std::byte> to,
                           StridedBox const& box) {
  expect_within(to.size(), target_extent(box));
  check_extent(from, source_extent(box), "get_strided");
  // One for all runs: they are under way together, and waited for once.
  BlockingOperation operation(from.image());
  for_each_run(box, [&](std::int64_t source, std::int64_t target, std::int64_t bytes) {
    std::span<std::byte> const destination =
        to.subspan(checked_cast<std::size_t>(target), checked_cast<std::size_t>(bytes));
    GlobalPtr<std::byte> const at = from + source;
    std::byte const* const there = direct_bytes(at.image(), at.offset(), bytes, 1, "get_strided");
    if (there != nullptr) {
      copy(destination.data(), {there, destination.size()});
    } else {
      operation.add_piece();  // which get_pieces drops
      get_pieces(operation, at.image(), at.offset(), destination);
    }
  });
  operation.drop_piece();
  finish(operation, awaiting("get_strided", from.image()));
}

void Endpoint::flush(ImageId image) {
  check_image(image, "flush");
  if (mapped_[static_cast<std::size_t>(image.value())] != nullptr) {
    // Puts there are stores of this thread.
    // A release would not do: what this thread reads next, as a flag of the other image, must not
    // be read before they are seen there.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return;
  }
  wait_until(
      [this, image] {
        return channel_.with_memory([=](RemoteMemory& memory) { return memory.is_flushed(image); });
      },
      awaiting("flush", image));
}

void Endpoint::flush_all() {
  expect_open("flush_all");
  std::exception_ptr first_loss;
  for (std::int64_t image = 0; image < images_; ++image) {
    ImageId const target{image};
    try {
      flush(target);
      // Where memory is shared there is nothing to wait for, and the loss is one all the same.
      std::string const why = fabric_.job().lost_images() == 0 ? "" : fabric_.job().loss_of(target);
      if (!why.empty()) throw ImageFailed(target, why, "flush_all");
    } catch (ImageFailed const& failure) {
      // Another than the target: none that is left can be flushed either.
      if (failure.image() != target) throw;
      // What was begun there is never acknowledged. The others come first.
      if (!fabric_.is_accepted(target) && !first_loss) first_loss = std::current_exception();
    } catch (WaitTimeout const&) {
      if (!first_loss) throw;
      break;
    }
  }
  if (first_loss) std::rethrow_exception(first_loss);
}

std::uint64_t Endpoint::wait_until_word(GlobalPtr<std::uint64_t> word, Comparison comparison,
                                        std::uint64_t value, WaitLimit limit) {
  MAKESPAN_EXPECT(word.image() == address_.image);
  std::uint64_t seen = 0;
  wait_until(
      [&] {
        // By an atomic, which orders it before the reads of what was put before the signal.
        seen = fetch<AtomicOp::load>(word, std::uint64_t{0});
        return holds(seen, comparison, value);
      },
      {.call = "wait_until_word", .limit = limit});
  return seen;
}

}  // namespace makespan::pgas

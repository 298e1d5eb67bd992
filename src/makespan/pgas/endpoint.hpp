// SPDX-License-Identifier: Apache-2.0
#pragma once

// One thread's way to the memory and the threads of all images.
//
// Every function here is for the thread that the endpoint belongs to, and, where it says so, drives
// progress of that thread's channel. What is in reach of this image's own loads and stores (its own
// heap, with the transport shm that of its node's images too; with rma nothing) is done on the
// spot: no call, no lock. All else, "off the node", is the transport's: a round trip.
//
//   function                            | blocks until       | drives progress | allocates
//   put, add, bit_…, store              | the value is taken | without room    | no
//   get, load, fetch_…, swap, compare_… | the value is here  | off the node    | no
//   …_async                             | it has begun       | without room    | off the node
//   flush, flush_all, put_signal        | done at the target | off the node    | no
//   wait_until_word, wait(Event)        | it is so           | yes             | no
//   rpc                                 | it is sent         | without room    | yes
//   try_rpc (try_rpc.hpp)               | never              | no              | yes
//   progress, help                      | by what they run   | yes             | by what they run
//
// "Without room": only while what was begun before has left no room for more.
//
// Guarantees. A put is visible at its target after flush() of that image, and before a put_signal's
// signal; two puts to one image may become visible in either order. Atomics on one word are
// sequentially consistent with each other. A blocking wait may run remote calls (help), so do not
// hold a lock that those take.
//
// Errors. A pointer outside the heap, an image that there is not, a message that is too long:
// InputError, and nothing was done. A lost image: ImageFailed. A wait too long: WaitTimeout; again
// is right, and what was under way may be carried out all the same: twice, if repeated. Progress
// may throw BadMessage, MpiError: the job cannot go on.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/call/invocation.hpp"
#include "makespan/pgas/detail/direct_atomic.hpp"
#include "makespan/pgas/endpoint_address.hpp"
#include "makespan/pgas/memory/global_ptr.hpp"
#include "makespan/pgas/memory/strided.hpp"
#include "makespan/pgas/operation/future.hpp"
#include "makespan/pgas/operation/future_operation.hpp"
#include "makespan/pgas/operation/waiter.hpp"
#include "makespan/pgas/signal.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"

namespace makespan::pgas {

class Channel;
class Endpoint;
class Fabric;
class Task;

// A span whose elements are those of a pointer beside it: T is found from the pointer alone.
template <class T>
using Values = std::type_identity_t<std::span<T>>;

class Endpoint final : public ContinuationQueue {
 public:
  // Made by the runtime.
  Endpoint(Fabric& fabric, int thread);
  Endpoint(Endpoint const&) = delete;
  Endpoint& operator=(Endpoint const&) = delete;
  ~Endpoint();

  [[nodiscard]] EndpointAddress address() const { return address_; }
  [[nodiscard]] int images() const { return images_; }

  // The `count` elements at `at`, if this thread can reach them with loads and stores; else null.
  template <WireType T>
  [[nodiscard]] T* direct(GlobalPtr<T> at, std::int64_t count = 1) const {
    return reinterpret_cast<T*>(direct_bytes(at.image(), at.offset(), count, sizeof(T), "direct"));
  }

  // --- put and get. Spans count elements; whatever is convertible to one will do.

  template <WireType T>
  void put(GlobalPtr<T> to, std::type_identity_t<T> const& value) {
    put(to, std::span<T const>(&value, 1));
  }
  template <WireType T>
  void put(GlobalPtr<T> to, Values<T const> values) {
    auto const bytes = std::as_bytes(values);
    if (std::byte* const there =
            direct_bytes(to.image(), to.offset(), std::ssize(values), sizeof(T), "put")) {
      copy(there, bytes);
    } else {
      put_remote(to.image(), to.offset(), bytes);
    }
  }

  template <WireType T>
  [[nodiscard]] T get(GlobalPtr<T> from) {
    T value;
    get(from, std::span<T>(&value, 1));
    return value;
  }
  template <WireType T>
  void get(GlobalPtr<T> from, Values<T> values) {
    auto const bytes = std::as_writable_bytes(values);
    if (std::byte const* const there =
            direct_bytes(from.image(), from.offset(), std::ssize(values), sizeof(T), "get")) {
      copy(bytes.data(), {there, bytes.size()});
    } else {
      get_remote(from.image(), from.offset(), bytes);
    }
  }

  // `values` must last until the future is ready; then the data can be seen at the target.
  template <WireType T>
  Future<void> put_async(GlobalPtr<T> to, Values<T const> values) {
    auto const bytes = std::as_bytes(values);
    if (std::byte* const there =
            direct_bytes(to.image(), to.offset(), std::ssize(values), sizeof(T), "put_async")) {
      copy(there, bytes);
      return {*this, Nothing{}};
    }
    return begin_put(to.image(), to.offset(), bytes);
  }

  // `values` must last until the future is ready.
  template <WireType T>
  Future<void> get_async(GlobalPtr<T> from, Values<T> values) {
    auto const bytes = std::as_writable_bytes(values);
    if (std::byte const* const there =
            direct_bytes(from.image(), from.offset(), std::ssize(values), sizeof(T), "get_async")) {
      copy(bytes.data(), {there, bytes.size()});
      return {*this, Nothing{}};
    }
    return begin_get(from.image(), from.offset(), bytes);
  }
  template <WireType T>
  Future<T> get_async(GlobalPtr<T> from) {
    if (std::byte const* const there =
            direct_bytes(from.image(), from.offset(), 1, sizeof(T), "get_async")) {
      T value;
      std::memcpy(&value, there, sizeof value);
      return {*this, value};
    }
    auto operation = held<ReadOperation<T>>(from.image(), "get_async");
    get_pieces(*operation, from.image(), from.offset(), operation->destination());
    return {*this, std::move(operation), awaiting("get_async", from.image())};
  }

  // A box of up to four dimensions, with strides on both sides: see strided.hpp. Blocks until it is
  // visible at the target; drives progress.
  void put_strided(GlobalPtr<std::byte> to, std::span<std::byte const> from, StridedBox const& box);
  // Blocks until all of it is here; drives progress.
  void get_strided(GlobalPtr<std::byte> from, std::span<std::byte> to, StridedBox const& box);

  // Puts, and when the data can be seen at the target, signals a word of the same image.
  template <WireType T>
  void put_signal(GlobalPtr<T> to, Values<T const> values, GlobalPtr<std::uint64_t> word,
                  Signal signal = {}) {
    put_signal_bytes(to.image(), to.offset(), std::as_bytes(values), word, signal);
  }
  // `values` must last until the future is ready: then the signal has been given. More than one
  // message's worth of data blocks until the data is there.
  template <WireType T>
  Future<void> put_signal_async(GlobalPtr<T> to, Values<T const> values,
                                GlobalPtr<std::uint64_t> word, Signal signal = {}) {
    return begin_put_signal(to.image(), to.offset(), std::as_bytes(values), word, signal);
  }

  // --- atomics: atomics.hpp has them by name (here.fetch_add is fetch_add(here, …) and so on).

  // Applies `op`; the value before it.
  template <AtomicOp op, AtomicWord T>
  T fetch(GlobalPtr<T> at, T operand, T compare = {}) {
    if (T* const word = direct_word(at)) return apply_atomic<op>(*word, operand, compare);
    return static_cast<T>(fetch_remote(at.image(), atomic_request<op>(at, operand, compare)));
  }

  // Applies `op`, sometime before the next flush() of that image is over.
  template <AtomicOp op, AtomicWord T>
  void update(GlobalPtr<T> at, T operand) {
    if (T* const word = direct_word(at)) {
      apply_atomic<op>(*word, operand, T{});
    } else {
      update_remote(at.image(), atomic_request<op>(at, operand, T{}));
    }
  }

  template <AtomicOp op, AtomicWord T>
  Future<T> fetch_async(GlobalPtr<T> at, T operand, T compare = {}) {
    if (T* const word = direct_word(at)) {
      return {*this, apply_atomic<op>(*word, operand, compare)};
    }
    auto operation = held<WordOperation<T>>(at.image(), "an atomic operation");
    atomic_piece(*operation, at.image(), atomic_request<op>(at, operand, compare));
    return {*this, std::move(operation), awaiting("an atomic operation", at.image())};
  }

  // Ready when it has been applied.
  template <AtomicOp op, AtomicWord T>
  Future<void> update_async(GlobalPtr<T> at, T operand) {
    if (T* const word = direct_word(at)) {
      apply_atomic<op>(*word, operand, T{});
      return {*this, Nothing{}};
    }
    auto operation = held<VoidOperation>(at.image(), "an atomic operation");
    atomic_piece(*operation, at.image(), atomic_request<op>(at, operand, T{}));
    return {*this, std::move(operation), awaiting("an atomic operation", at.image())};
  }

  // --- remote calls

  // Runs `function` on thread `to.thread` of `to.image`, or, where stealing is on, on any thread of
  // that image with nothing to do, when that thread waits or calls help(). Arguments and result are
  // copied; `function` may take the Endpoint of the thread that runs it before them. See
  // call/invocation.hpp for what can travel. Blocks while the target keeps as many calls of this
  // channel as it may, or there is no room to send. The future gives the result, or throws
  // RemoteError: the text of what `function` threw, or a result longer than a message.
  template <RemotelyCallable Function, class... Arguments>
  auto rpc(EndpointAddress to, Function, Arguments const&... arguments)
      -> Future<CallResultOf<Function, std::decay_t<Arguments>...>> {
    using Result = CallResultOf<Function, std::decay_t<Arguments>...>;
    auto operation = begin_call<Result>(to, arguments...);
    send_call(*operation, to, code_of_call<Function, std::decay_t<Arguments>...>());
    return {*this, std::move(operation), awaiting("a remote call", to.image)};
  }
  // On the thread of the same number.
  template <RemotelyCallable Function, class... Arguments>
  auto rpc(ImageId to, Function function, Arguments const&... arguments) {
    return rpc(EndpointAddress{to, address_.thread}, function, arguments...);
  }

  // --- completion

  // Blocks until everything that this endpoint began on `image` is visible there. Drives progress.
  void flush(ImageId image);
  // Of all images but accepted losses; throws for another, the others flushed if they answer.
  void flush_all();

  // Blocks until a word of this image's own heap compares so with `value`, and gives what it was
  // then; what was put before a signal to it can be read. Drives progress, and helps. Any image may
  // be the one that signals, so any loss that was not accepted ends the wait.
  std::uint64_t wait_until_word(GlobalPtr<std::uint64_t> word, Comparison comparison,
                                std::uint64_t value, WaitLimit limit = WaitLimit::option);

  // --- progress

  // One round: moves messages, answers others, runs continuations; how many things happened.
  int progress();
  // As progress(), and then runs one waiting remote call, if any; none inside 16 that wait or help.
  int help();

  void wait_round(WaitState& state, Awaited const& what) override;
  void enter_wait() override;
  void leave_wait() noexcept override;
  void defer(std::function<bool()> is_ready, std::function<void()> run) override;
  [[nodiscard]] bool has_continuations() const { return !deferred_.empty(); }

  // --- for the parts of the runtime that stand on endpoints

  [[nodiscard]] Fabric& fabric() { return fabric_; }
  // Begins with begin(memory) as soon as there is room. Drives progress until then.
  template <class Begin>
  void begin_when_there_is_room(Begin const& begin, Awaited const& what);
  [[nodiscard]] Awaited awaiting(std::string_view call, ImageId image) const {
    return {.call = call, .image = image};
  }
  // Writes the arguments of a call to where send_call_now() finds them.
  template <class Result, class... Arguments>
  std::shared_ptr<CallOperation<Result>> begin_call(EndpointAddress to,
                                                    Arguments const&... arguments) {
    WriterOf<std::decay_t<Arguments>...> writer(outgoing());
    (write_value<std::decay_t<Arguments>>(writer, arguments), ...);
    check_call(to);
    return held<CallOperation<Result>>(to.image, "a remote call");
  }
  // False, and the operation forgotten, if there is no room.
  [[nodiscard]] bool send_call_now(Operation& operation, EndpointAddress to, CodePointer code);
  // What a task of a remote call does; its arguments begin with a QueuedCall.
  static void run_queued_call(Task& task);
  void end() { images_ = 0; }  // the runtime ends: from now on every call is refused
  // Throws InputError unless the job has such an image, and has not ended.
  void check_image(ImageId image, std::string_view call) const;

 private:
  // What this thread has found out by waiting, calling and stealing.
  struct Learned;

  struct Deferred {
    std::function<bool()> is_ready;
    std::function<void()> run;
  };

  // An operation that is about to begin.
  template <class Kind>
  static std::shared_ptr<Kind> held(ImageId image, std::string_view call) {
    auto operation = std::make_shared<Kind>(image, call);
    operation->hold();
    return operation;
  }
  static void copy(std::byte* to, std::span<std::byte const> from) {
    if (!from.empty()) std::memmove(to, from.data(), from.size());  // they may overlap
  }

  // Where this thread sees the range; null if it does not. Throws InputError outside the heap.
  [[nodiscard]] std::byte* direct_bytes(ImageId image, std::uint64_t offset, std::int64_t count,
                                        std::size_t size, std::string_view call) const {
    auto const at = static_cast<std::uint64_t>(image.value());
    std::uint64_t const bytes = static_cast<std::uint64_t>(count) * size;
    // Unsigned, so that one comparison refuses what is negative and what is too high.
    if (at >= static_cast<std::uint64_t>(images_) || offset > heap_bytes_ - bytes ||
        static_cast<std::uint64_t>(count) > heap_bytes_ / size) [[unlikely]] {
      refuse_range(image, offset, count, size, call);
    }
    std::byte* const base = mapped_[at];
    return base == nullptr ? nullptr : base + offset;
  }
  template <AtomicWord T>
  [[nodiscard]] T* direct_word(GlobalPtr<T> at) const {
    return reinterpret_cast<T*>(
        direct_bytes(at.image(), at.offset(), 1, sizeof(T), "an atomic operation"));
  }

  // Throws InputError after finish_all().
  void expect_open(std::string_view call) const;
  // Throws InputError unless the heap holds all of it.
  void check_extent(GlobalPtr<std::byte> begin, StridedExtent const& extent,
                    std::string_view call) const;
  [[noreturn]] void refuse_range(ImageId image, std::uint64_t offset, std::int64_t count,
                                 std::size_t size, std::string_view call) const;
  void put_remote(ImageId image, std::uint64_t offset, std::span<std::byte const> data);
  void get_remote(ImageId image, std::uint64_t offset, std::span<std::byte> destination);
  std::uint64_t fetch_remote(ImageId image, AtomicRequest const& request);
  void update_remote(ImageId image, AtomicRequest const& request);
  void put_signal_bytes(ImageId image, std::uint64_t offset, std::span<std::byte const> data,
                        GlobalPtr<std::uint64_t> word, Signal signal);

  Future<void> begin_put(ImageId image, std::uint64_t offset, std::span<std::byte const> data);
  Future<void> begin_get(ImageId image, std::uint64_t offset, std::span<std::byte> destination);
  Future<void> begin_put_signal(ImageId image, std::uint64_t offset,
                                std::span<std::byte const> data, GlobalPtr<std::uint64_t> word,
                                Signal signal);
  // Begin all pieces of an operation, and drop the piece that stood for the cutting.
  void put_pieces(Operation& operation, ImageId image, std::uint64_t offset,
                  std::span<std::byte const> data);
  void get_pieces(Operation& operation, ImageId image, std::uint64_t offset,
                  std::span<std::byte> destination);
  void atomic_piece(Operation& operation, ImageId image, AtomicRequest const& request);
  void signal_piece(Operation& operation, ImageId image, std::uint64_t offset,
                    std::span<std::byte const> data, SignalRequest const& signal);
  template <class Begin>
  void begin_piece(Operation& operation, Awaited const& what, Begin&& begin);
  void forget(Operation& operation);
  [[nodiscard]] bool signal_direct(ImageId image, std::uint64_t offset,
                                   std::span<std::byte const> data, GlobalPtr<std::uint64_t> word,
                                   Signal signal);
  std::span<std::byte const> put_all_but_last(ImageId image, std::uint64_t offset,
                                              std::span<std::byte const> data);
  // Blocks until it is done; throws what it ended in. One that is left otherwise is forgotten.
  void finish(BlockingOperation& operation, Awaited const& what);

  // Where the arguments of the next call are written: this thread's, and empty.
  [[nodiscard]] std::vector<std::byte>& outgoing();
  void send_call(Operation& operation, EndpointAddress to, CodePointer code);
  // Throws InputError unless what was written to outgoing() can go there.
  void check_call(EndpointAddress to) const;
  [[nodiscard]] bool is_lost(ImageId image) const;
  [[nodiscard]] bool try_send_call(Operation& operation, EndpointAddress to, CodePointer code,
                                   std::span<std::byte const> arguments);
  void run_call(Task& task);
  int run_calls(int calls_max, WaitState* wait_state);

  int run_continuations();
  void give_way(WaitState& state, Awaited const& what);
  void throw_if_lost(Awaited const& what) const;
  [[noreturn]] void throw_timeout(Awaited const& what, std::string const& time) const;

  Fabric& fabric_;
  Channel& channel_;
  std::byte* const* mapped_;  // by image
  std::uint64_t heap_bytes_;
  int images_;  // 0 after the end, so that every call meets its check of the image
  EndpointAddress address_;
  int depth_{0};               // of remote calls that wait inside remote calls
  int continuations_deep_{0};  // likewise of continuations
  int waits_{0};               // that this thread is in, one inside the other
  std::deque<Deferred> deferred_{};
  std::vector<std::byte> outgoing_{};
  std::vector<std::byte> result_{};
  std::unique_ptr<Learned> learned_;
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a message to an object is: a method and its arguments, which stay values on their way from
// thread to thread, and become bytes only between images.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "makespan/graph/object/message/block_cache.hpp"
#include "makespan/pgas/call/invocation.hpp"
#include "makespan/pgas/message/archive.hpp"
#include "makespan/pgas/message/code_address.hpp"
#include "makespan/pgas/message/registered_code.hpp"

namespace makespan::graph {

class ObjectPlace;

// Methods that can be sent to: they take the place that runs them, and arguments by value or by
// reference to const. They return void, and are not noexcept.
template <class Method>
struct MethodTraits;
template <class T, class... Parameters>
struct MethodTraits<void (T::*)(ObjectPlace&, Parameters...)> {
  using Object = T;
  using Arguments = std::tuple<std::decay_t<Parameters>...>;
};
template <class T, class... Parameters>
struct MethodTraits<void (T::*)(ObjectPlace&, Parameters...) const>
    : MethodTraits<void (T::*)(ObjectPlace&, Parameters...)> {};

// Never changed once made: several objects may get the same one.
class Payload {
 public:
  // For objects of that class.
  explicit Payload(std::type_info const& object_class) : object_class_{object_class} {}
  Payload(Payload const&) = delete;
  Payload& operator=(Payload const&) = delete;
  virtual ~Payload() = default;

  // The method's class: what is sent to an object of another must not be invoked.
  [[nodiscard]] std::type_info const& object_class() const { return object_class_; }
  // Calls the method of `object`, which must be of that class.
  virtual void invoke(void* object, ObjectPlace& here) const = 0;
  virtual void write(pgas::ByteWriter& writer) const = 0;
  // As long as write() writes.
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
  // A PayloadReader, for what write() wrote.
  [[nodiscard]] virtual pgas::CodePointer reader() const = 0;

 private:
  std::type_info const& object_class_;
};

using PayloadReader = std::shared_ptr<Payload const> (*)(std::span<std::byte const> bytes);

template <auto method>
class MethodPayload final : public Payload {
 public:
  using Object = typename MethodTraits<decltype(method)>::Object;
  using Arguments = typename MethodTraits<decltype(method)>::Arguments;

  explicit MethodPayload(Arguments arguments)
      : Payload(typeid(Object)), arguments_(std::move(arguments)) {}

  [[nodiscard]] static std::shared_ptr<Payload const> read(std::span<std::byte const> bytes) {
    Arguments arguments;
    pgas::ByteReader reader(bytes);
    std::apply([&](auto&... each) { (pgas::read_value(reader, each), ...); }, arguments);
    return std::make_shared<MethodPayload>(std::move(arguments));
  }

  void invoke(void* object, ObjectPlace& here) const override {
    std::apply([&](auto const&... each) { (static_cast<Object*>(object)->*method)(here, each...); },
               arguments_);
  }
  void write(pgas::ByteWriter& writer) const override {
    std::apply([&](auto const&... each) { (pgas::write_value(writer, each), ...); }, arguments_);
  }
  [[nodiscard]] std::int64_t bytes() const override {
    pgas::ByteCounter counter;
    std::apply([&](auto const&... each) { (pgas::count_value(counter, each), ...); }, arguments_);
    return static_cast<std::int64_t>(counter.bytes());
  }
  [[nodiscard]] static pgas::CodePointer pointer() {
    PayloadReader const function = &MethodPayload::read;
    return reinterpret_cast<pgas::CodePointer>(function);
  }
  [[nodiscard]] pgas::CodePointer reader() const override {
    // To name the member instantiates it, so that it registers the reader before main(): a receiver
    // calls registered readers only (docs/decisions/0090).
    static_cast<void>(&pgas::RegisteredCode<MethodPayload, pgas::CodeKind::reader>::is_registered);
    return pointer();
  }

 private:
  Arguments arguments_;
};

template <auto method, class... Values>
[[nodiscard]] std::shared_ptr<Payload const> make_payload(Values&&... values) {
  using Message = MethodPayload<method>;
  static_assert(std::constructible_from<typename Message::Arguments, Values&&...>,
                "the arguments are not those of the method");
  return std::allocate_shared<Message>(
      CachedAllocator<Message>(), typename Message::Arguments(std::forward<Values>(values)...));
}

}  // namespace makespan::graph

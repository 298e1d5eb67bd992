// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a function, its arguments and its result become bytes for another image.
//
// A function travels as its type: a lambda without captures, any other class without members, or
// function<&name>. Arguments and results are copied: plain data as it lies in memory, everything
// else as cereal writes it.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/pgas/message/archive.hpp"
#include "makespan/pgas/message/code_address.hpp"
#include "makespan/pgas/message/registered_code.hpp"

namespace makespan::pgas {

class Endpoint;

// Makes a type of an ordinary function, so that it can travel: here.rpc(there,
// function<&area>, 3.0).
template <auto pointer>
struct FunctionAsType {
  template <class... Arguments>
    requires std::invocable<decltype(pointer), Arguments...>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return std::invoke(pointer, std::forward<Arguments>(arguments)...);
  }
};
template <auto pointer>
inline constexpr FunctionAsType<pointer> function{};

// What can travel as a function.
template <class Function>
concept RemotelyCallable = std::is_empty_v<Function> && std::is_default_constructible_v<Function>;

template <ByteOutput Output, class T>
void put_value(Output& output, T const& value) {
  if constexpr (PlainData<T>) {
    output.write(&value, sizeof value);
  } else {
    output(value);
  }
}

template <class T>
void write_value(ByteWriter& writer, T const& value) {
  put_value(writer, value);
}
template <PlainData T>
void write_value(PlainWriter& writer, T const& value) {
  writer.write(&value, sizeof value);
}

// As many bytes as write_value would append.
template <class T>
void count_value(ByteCounter& counter, T const& value) {
  put_value(counter, value);
}

template <class T>
void read_value(ByteReader& reader, T& value) {
  if constexpr (std::same_as<T, bool>) {
    value = reader.read_bool();
  } else if constexpr (PlainData<T>) {
    reader.read(&value, sizeof value);
  } else {
    reader(value);
  }
}
template <PlainData T>
void read_value(PlainReader& reader, T& value) {
  if constexpr (std::same_as<T, bool>) {
    value = reader.read_bool();
  } else {
    reader.read(&value, sizeof value);
  }
}

// What writes and reads such values together.
template <class... Values>
using WriterOf = std::conditional_t<(PlainData<Values> && ...), PlainWriter, ByteWriter>;
template <class... Values>
using ReaderOf = std::conditional_t<(PlainData<Values> && ...), PlainReader, ByteReader>;

// One call on the image that runs it.
struct Invocation {
  Endpoint& here;  // of the thread that runs it
  std::span<std::byte const> arguments;
  std::vector<std::byte>& result;  // filled when the function has returned, not before
};

using Invoker = void (*)(Invocation& invocation);

// What `Function` gives for such arguments; it may take the Endpoint of its thread before them.
template <class Function, class... Arguments>
struct CallResult {
  using Type = std::invoke_result_t<Function const&, Arguments&...>;
};
template <class Function, class... Arguments>
  requires std::invocable<Function const&, Endpoint&, Arguments&...>
struct CallResult<Function, Arguments...> {
  using Type = std::invoke_result_t<Function const&, Endpoint&, Arguments&...>;
};
template <class Function, class... Arguments>
using CallResultOf = std::remove_cvref_t<typename CallResult<Function, Arguments...>::Type>;

// Reads the arguments, calls the function, writes the result.
template <class Function, class... Arguments>
void invoke_call(Invocation& invocation) {
  std::tuple<Arguments...> arguments;
  ReaderOf<Arguments...> reader(invocation.arguments);
  std::apply([&](Arguments&... each) { (read_value(reader, each), ...); }, arguments);

  auto const call = [&](Arguments&... each) -> decltype(auto) {
    if constexpr (std::invocable<Function const&, Endpoint&, Arguments&...>) {
      return Function{}(invocation.here, each...);
    } else {
      return Function{}(each...);
    }
  };
  if constexpr (std::is_void_v<CallResultOf<Function, Arguments...>>) {
    std::apply(call, arguments);
    invocation.result.clear();
  } else {
    auto const result = std::apply(call, arguments);
    // Cleared only now: a call that waits may have run others, which used the same memory.
    invocation.result.clear();
    WriterOf<std::remove_const_t<decltype(result)>> writer(invocation.result);
    write_value(writer, result);
  }
}

template <class Function, class... Arguments>
struct CallCode {
  [[nodiscard]] static CodePointer pointer() {
    Invoker const invoker = &invoke_call<Function, Arguments...>;
    return reinterpret_cast<CodePointer>(invoker);
  }
};

template <class Function, class... Arguments>
[[nodiscard]] CodePointer code_of_call() {
  using Code = CallCode<Function, Arguments...>;
  static_cast<void>(&RegisteredCode<Code>::is_registered);
  return Code::pointer();
}

}  // namespace makespan::pgas

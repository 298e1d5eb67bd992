// SPDX-License-Identifier: Apache-2.0
#pragma once

// The states behind futures of operations on remote memory and of remote calls.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/call/invocation.hpp"
#include "makespan/pgas/message/archive.hpp"
#include "makespan/pgas/operation/detail/operation.hpp"
#include "makespan/pgas/operation/future.hpp"

namespace makespan::pgas {

// An operation whose result is a T. Keeps itself alive until its last piece is done, whether or not
// its future is still held.
template <class T>
class FutureOperation : public FutureState<T>, public Operation {
 public:
  FutureOperation(ImageId target, std::string_view call)
      : Operation(target, Owner::counted), call_{call} {}

  // The operation is about to begin; ends with its last piece.
  void hold() { self_ = this->shared_from_this(); }

  [[nodiscard]] bool is_ready() const final { return is_done(); }

  [[nodiscard]] ValueOf<T> const& value() final {
    if (!value_) {
      rethrow(call_);
      value_.emplace(read());
    }
    return *value_;
  }

 protected:
  // Makes the value of what came back.
  [[nodiscard]] virtual ValueOf<T> read() = 0;

  void on_forgotten() noexcept final { on_done(); }

 private:
  void on_done() noexcept final {
    // Moved out first: the last reference may be this one.
    std::shared_ptr<FutureState<T>> const self = std::move(self_);
  }

  std::string_view call_;
  std::shared_ptr<FutureState<T>> self_;
  std::optional<ValueOf<T>> value_;
};

// Nothing comes back.
class VoidOperation final : public FutureOperation<void> {
 public:
  using FutureOperation::FutureOperation;

 private:
  Nothing read() override { return {}; }
};

// The old value of an atomic.
template <class T>
class WordOperation final : public FutureOperation<T> {
 public:
  using FutureOperation<T>::FutureOperation;

 private:
  T read() override {
    std::uint64_t const word = this->word();
    T value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

// A value of its own that a get reads into.
template <class T>
class ReadOperation final : public FutureOperation<T> {
 public:
  using FutureOperation<T>::FutureOperation;

  [[nodiscard]] std::span<std::byte> destination() {
    return std::as_writable_bytes(std::span(&read_, 1));
  }

 private:
  T read() override { return read_; }

  T read_{};
};

// What a remote call returned.
template <class T>
class CallOperation final : public FutureOperation<T> {
 public:
  using FutureOperation<T>::FutureOperation;

 private:
  void keep(std::span<std::byte const> answer) override {
    if (answer.size() <= short_.size()) {
      std::ranges::copy(answer, short_.begin());
      answer_ = std::span(short_).first(answer.size());
    } else {
      long_.assign(answer.begin(), answer.end());
      answer_ = long_;
    }
  }

  ValueOf<T> read() override {
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      T value{};
      ReaderOf<T> reader(answer_);
      read_value(reader, value);
      return value;
    }
  }

  std::array<std::byte, 32> short_;  // content: see keep()
  std::vector<std::byte> long_;
  std::span<std::byte const> answer_;  // in one of these
};

}  // namespace makespan::pgas

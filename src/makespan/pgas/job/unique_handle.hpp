// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sole ownership of something that a C library gave: a mapping, a request, a group.

#include <concepts>
#include <utility>

namespace makespan::pgas {

// What a kind of handle must tell: the value that stands for none, and how to give one back.
template <class Traits>
concept HandleTraits = requires(typename Traits::Handle handle) {
  { Traits::null() } -> std::same_as<typename Traits::Handle>;
  { Traits::is_null(handle) } -> std::same_as<bool>;
  { Traits::release(handle) } noexcept;
};

// Releases its handle exactly once, unless the caller has taken it by release(). For handles that
// one process can give back alone: where giving back is collective, an owner has a close_all().
template <HandleTraits Traits>
class UniqueHandle {
 public:
  using Handle = typename Traits::Handle;

  UniqueHandle() = default;
  explicit UniqueHandle(Handle handle) : handle_{handle} {}

  UniqueHandle(UniqueHandle const&) = delete;
  UniqueHandle& operator=(UniqueHandle const&) = delete;
  UniqueHandle(UniqueHandle&& other) noexcept : handle_{other.release()} {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~UniqueHandle() { reset(); }

  [[nodiscard]] Handle get() const { return handle_; }
  [[nodiscard]] explicit operator bool() const { return !Traits::is_null(handle_); }

  // Where a C function may write a new handle. This must hold none.
  [[nodiscard]] Handle* out() { return &handle_; }

  // Gives up the handle without giving it back.
  [[nodiscard]] Handle release() noexcept { return std::exchange(handle_, Traits::null()); }

  // Gives back what is held, if anything, and takes `handle`.
  void reset(Handle handle = Traits::null()) noexcept {
    Handle const old = std::exchange(handle_, handle);
    if (!Traits::is_null(old)) Traits::release(old);
  }

 private:
  Handle handle_{Traits::null()};
};

}  // namespace makespan::pgas

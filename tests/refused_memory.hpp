// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory of C++ that is refused to a thread: operator new of the whole program. For one source file
// of a test.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace makespan {

inline constexpr std::size_t nothing_is_refused = std::numeric_limits<std::size_t>::max();

// From so many bytes on an allocation of this thread throws std::bad_alloc.
inline thread_local std::size_t refused_from_bytes = nothing_is_refused;

// Likewise an array (new T[]), of any thread.
inline std::atomic<std::size_t> arrays_refused_from_bytes = nothing_is_refused;

}  // namespace makespan

// NOLINTBEGIN(cppcoreguidelines-no-malloc, misc-definitions-in-headers): what stands in for
// operator new cannot call it, and must not be inline Not inlined: GCC would warn of free() on what
// operator new gave.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  bool const is_refused = bytes >= makespan::refused_from_bytes;
  void* const memory = is_refused ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// By itself libstdc++'s calls the one above, and that of the address sanitizer does not.
[[gnu::noinline]] void* operator new[](std::size_t bytes) {
  if (bytes >= makespan::arrays_refused_from_bytes) throw std::bad_alloc();
  return ::operator new(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc, misc-definitions-in-headers)

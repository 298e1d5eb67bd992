// SPDX-License-Identifier: Apache-2.0
#pragma once

// What may lie in memory that several images see.

#include <atomic>
#include <concepts>
#include <type_traits>

namespace makespan::pgas {

// Copied byte by byte from one image to another, and still itself there. Pointers are not: they
// mean something in one process only. Those inside a class cannot be seen from here.
template <class T>
concept WireType =
    std::is_object_v<T> && std::same_as<T, std::remove_cv_t<T>> &&
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_member_pointer_v<T> &&
    !std::is_null_pointer_v<T> && !std::is_array_v<T>;

// An integer that the processor changes in one step, in plain memory.
template <class T>
concept AtomicWord = WireType<T> && std::integral<T> && !std::same_as<T, bool> &&
                     (sizeof(T) == 4 || sizeof(T) == 8) && std::atomic_ref<T>::is_always_lock_free;

}  // namespace makespan::pgas

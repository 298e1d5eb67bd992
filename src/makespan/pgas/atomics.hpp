// SPDX-License-Identifier: Apache-2.0
#pragma once

// Atomics on words of 4 or 8 bytes in any image's heap, by name.
//
// fetch_… and swap give the old value; compare_swap gives the value that it saw, and has stored
// when that is `expected`. Those without fetch_ give nothing back, and are carried out before the
// next flush() of that image is over. …_async give a future; that of an update is ready when it has
// been carried out. On memory that the thread reaches itself they are std::atomic_ref, sequentially
// consistent; elsewhere the transport carries them out at the target.
//
//   std::int64_t const mine = fetch_add(here, counter.at(ImageId{0}), std::int64_t{1});

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/global_ptr.hpp"

namespace makespan::pgas {

template <AtomicWord T>
[[nodiscard]] T load(Endpoint& here, GlobalPtr<T> at) {
  return here.fetch<AtomicOp::load>(at, T{});
}

// Many words that others change by atomics, each of them whole, but not all of one moment. One
// round trip to another image. (get() is for words that no thread changes meanwhile.) With the
// transport rma this is a get of MPI's, and what that finds where an atomic is under way MPI leaves
// undefined (MPI 4.1, 12.7): there a word that must be whole is read by load().
template <AtomicWord T>
Future<void> load_each_async(Endpoint& here, GlobalPtr<T> from,
                             std::type_identity_t<std::span<T>> to) {
  T* const there = here.direct(from, static_cast<std::int64_t>(to.size()));
  if (there == nullptr) return here.get_async(from, to);  // word_copy.hpp: they come whole
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::atomic_ref<T>(there[i]).load();
  return {here, Nothing{}};
}
template <AtomicWord T>
void load_each(Endpoint& here, GlobalPtr<T> from, std::type_identity_t<std::span<T>> to) {
  load_each_async(here, from, to).get();
}

template <AtomicWord T>
T fetch_add(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch<AtomicOp::add>(at, operand);
}
template <AtomicWord T>
T fetch_and(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch<AtomicOp::bit_and>(at, operand);
}
template <AtomicWord T>
T fetch_or(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch<AtomicOp::bit_or>(at, operand);
}
template <AtomicWord T>
T fetch_xor(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch<AtomicOp::bit_xor>(at, operand);
}
template <AtomicWord T>
T swap(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch<AtomicOp::swap>(at, operand);
}
template <AtomicWord T>
T compare_swap(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> expected,
               std::type_identity_t<T> desired) {
  return here.fetch<AtomicOp::compare_swap>(at, desired, expected);
}

template <AtomicWord T>
void store(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> value) {
  here.update<AtomicOp::store>(at, value);
}
template <AtomicWord T>
void add(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  here.update<AtomicOp::add>(at, operand);
}
template <AtomicWord T>
void bit_and(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  here.update<AtomicOp::bit_and>(at, operand);
}
template <AtomicWord T>
void bit_or(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  here.update<AtomicOp::bit_or>(at, operand);
}
template <AtomicWord T>
void bit_xor(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  here.update<AtomicOp::bit_xor>(at, operand);
}

template <AtomicWord T>
Future<T> load_async(Endpoint& here, GlobalPtr<T> at) {
  return here.fetch_async<AtomicOp::load>(at, T{});
}
template <AtomicWord T>
Future<T> fetch_add_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch_async<AtomicOp::add>(at, operand);
}
template <AtomicWord T>
Future<T> fetch_and_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch_async<AtomicOp::bit_and>(at, operand);
}
template <AtomicWord T>
Future<T> fetch_or_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch_async<AtomicOp::bit_or>(at, operand);
}
template <AtomicWord T>
Future<T> fetch_xor_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch_async<AtomicOp::bit_xor>(at, operand);
}
template <AtomicWord T>
Future<T> swap_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.fetch_async<AtomicOp::swap>(at, operand);
}
template <AtomicWord T>
Future<T> compare_swap_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> expected,
                             std::type_identity_t<T> desired) {
  return here.fetch_async<AtomicOp::compare_swap>(at, desired, expected);
}

template <AtomicWord T>
Future<void> store_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> value) {
  return here.update_async<AtomicOp::store>(at, value);
}
template <AtomicWord T>
Future<void> add_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.update_async<AtomicOp::add>(at, operand);
}
template <AtomicWord T>
Future<void> bit_and_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.update_async<AtomicOp::bit_and>(at, operand);
}
template <AtomicWord T>
Future<void> bit_or_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.update_async<AtomicOp::bit_or>(at, operand);
}
template <AtomicWord T>
Future<void> bit_xor_async(Endpoint& here, GlobalPtr<T> at, std::type_identity_t<T> operand) {
  return here.update_async<AtomicOp::bit_xor>(at, operand);
}

}  // namespace makespan::pgas

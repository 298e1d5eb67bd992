// SPDX-License-Identifier: Apache-2.0
// The boundary's functions of memory: allocation, put, get, boxes, signals, flushing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/capi/detail/handles.hpp"
#include "makespan/capi/detail/status_of.hpp"
#include "makespan/pgas/memory/strided.hpp"

namespace makespan::capi {

namespace {

using pgas::StridedBox;
using pgas::StridedDimension;
using pgas::StridedExtent;

using Array = pgas::SymmetricArray<std::byte>;

std::span<std::byte const> readable(void const* data, std::int64_t bytes,
                                    std::string_view function) {
  expect_data(data, bytes, function);
  return {static_cast<std::byte const*>(data), static_cast<std::size_t>(bytes)};
}

std::span<std::byte> writable(void* data, std::int64_t bytes, std::string_view function) {
  expect_data(data, bytes, function);
  return {static_cast<std::byte*>(data), static_cast<std::size_t>(bytes)};
}

// The most that a heap can have (options.cpp); no step of a box leads farther.
constexpr std::int64_t reach_max = std::int64_t{1} << 46;

bool is_sensible(std::int64_t count, std::int64_t stride) {
  // First, since the absolute value of the least integer is none.
  if (stride < -reach_max || stride > reach_max) return false;
  // As a quotient: the product could overflow.
  return count - 1 <= reach_max / std::max<std::int64_t>(1, std::abs(stride));
}

StridedBox box_of(makespan_box const& given, std::string_view function) {
  if (given.element_bytes < 1 || given.element_bytes > reach_max) {
    throw InputError(
        std::string(function) + " of elements of " + std::to_string(given.element_bytes) + " bytes",
        "there is no such size", "give 1 or more");
  }
  StridedBox box{.element_bytes = given.element_bytes};
  std::int64_t bytes = given.element_bytes;
  for (std::size_t index = 0; index < StridedBox::dimensions_max; ++index) {
    auto const& [count, source_stride, target_stride] = given.dimensions[index];
    if (count < 0 || !is_sensible(count, source_stride) || !is_sensible(count, target_stride)) {
      throw InputError(std::string(function) + ": dimension " + std::to_string(index) +
                           " has count " + std::to_string(count) + " and strides " +
                           std::to_string(source_stride) + " and " + std::to_string(target_stride),
                       "no memory is that long",
                       "counts are 0 or more, strides are in bytes, and dimensions that are not "
                       "used are {1, 0, 0}");
    }
    // As a quotient, too. Strides of 0 let a box be longer than what it reaches.
    if (count > 0 && bytes > reach_max / count) {
      throw InputError(std::string(function) + ": the counts up to dimension " +
                           std::to_string(index) + " make more than " + std::to_string(reach_max) +
                           " bytes of elements of " + std::to_string(given.element_bytes) +
                           " bytes",
                       "no memory is that long", "give the counts of the box");
    }
    bytes *= count;
    box.dimensions[index] = {count, source_stride, target_stride};
  }
  return box;
}

// How long the local side of a box is.
std::int64_t local_bytes(StridedExtent const& extent, std::string_view function) {
  if (extent.begin >= 0) return extent.end;
  throw InputError(std::string(function) + ": a negative stride at the local side",
                   "the box would begin before the address that was passed",
                   "pass the address of its first byte, and turn the strides of both sides around");
}

}  // namespace

}  // namespace makespan::capi

using namespace makespan::capi;  // NOLINT(google-build-using-namespace): what follows is C

extern "C" {

int makespan_allocate_all(makespan_runtime* runtime, int64_t bytes, char const* name,
                          int64_t* offset) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_allocate_all";
    auto& engine = engine_of(runtime, function);
    auto& result = given(offset, function, "offset");
    auto const array = engine.allocate_all<std::byte>(bytes, name == nullptr ? "?" : name);
    result = static_cast<std::int64_t>(array.offset());
    runtime->allocations.insert(result);
  });
}

int makespan_free_all(makespan_runtime* runtime, int64_t offset) {
  return status_of([&] {
    auto& engine = engine_of(runtime, "makespan_free_all");
    // The engine takes an offset that it has not given for a mistake in the program, and ends it.
    if (!runtime->allocations.contains(offset)) {
      throw makespan::InputError("makespan_free_all of offset " + std::to_string(offset),
                                 "nothing was allocated there, or it was freed before",
                                 "pass what makespan_allocate_all gave, once");
    }
    engine.free_all(Array(static_cast<std::uint64_t>(offset), 0));
    runtime->allocations.erase(offset);
  });
}

int makespan_local(makespan_runtime* runtime, int64_t offset, int64_t bytes, void** local) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_local";
    auto& engine = engine_of(runtime, function);
    auto& result = given(local, function, "local");
    std::int64_t const heap_bytes = runtime->description.heap_bytes;
    // In this order no sum can overflow.
    if (bytes < 0 || bytes > heap_bytes || offset < 0 || offset > heap_bytes - bytes) {
      throw makespan::InputError(
          std::string(function) + " of " + std::to_string(bytes) + " bytes at offset " +
              std::to_string(offset),
          "it does not lie in the heap of " + std::to_string(heap_bytes) + " bytes",
          "stay within what makespan_allocate_all gave");
    }
    result = engine.local(Array(static_cast<std::uint64_t>(offset), bytes)).data();
  });
}

int makespan_put(makespan_endpoint* here, makespan_address to, void const* data, int64_t bytes) {
  return status_of([&] {
    auto& engine = engine_of(here, "makespan_put");
    engine.put(pointer_to<std::byte>(engine, to, "makespan_put"),
               readable(data, bytes, "makespan_put"));
  });
}

int makespan_get(makespan_endpoint* here, makespan_address from, void* data, int64_t bytes) {
  return status_of([&] {
    auto& engine = engine_of(here, "makespan_get");
    engine.get(pointer_to<std::byte>(engine, from, "makespan_get"),
               writable(data, bytes, "makespan_get"));
  });
}

int makespan_put_strided(makespan_endpoint* here, makespan_address to, void const* from,
                         makespan_box const* box) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_put_strided";
    auto& engine = engine_of(here, function);
    auto const pointer = pointer_to<std::byte>(engine, to, function);
    StridedBox const shape = box_of(given(box, function, "box"), function);
    // The caller says no length: it follows from the box, which says all that is read.
    std::int64_t const bytes = local_bytes(source_extent(shape), function);
    engine.put_strided(pointer, readable(from, bytes, function), shape);
  });
}

int makespan_get_strided(makespan_endpoint* here, makespan_address from, void* to,
                         makespan_box const* box) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_get_strided";
    auto& engine = engine_of(here, function);
    auto const pointer = pointer_to<std::byte>(engine, from, function);
    StridedBox const shape = box_of(given(box, function, "box"), function);
    std::int64_t const bytes = local_bytes(target_extent(shape), function);
    engine.get_strided(pointer, writable(to, bytes, function), shape);
  });
}

int makespan_put_signal(makespan_endpoint* here, makespan_address to, void const* data,
                        int64_t bytes, makespan_signal const* signal) {
  return status_of([&] {
    constexpr std::string_view function = "makespan_put_signal";
    auto& engine = engine_of(here, function);
    auto const& [offset, value, kind] = given(signal, function, "signal");
    if (kind != MAKESPAN_SIGNAL_ADD && kind != MAKESPAN_SIGNAL_SET) {
      throw makespan::InputError(std::string(function) + ": signal kind " + std::to_string(kind),
                                 "there is none of this number",
                                 "it is MAKESPAN_SIGNAL_ADD or MAKESPAN_SIGNAL_SET");
    }
    using Kind = makespan::pgas::Signal::Kind;
    engine.put_signal(
        pointer_to<std::byte>(engine, to, function), readable(data, bytes, function),
        pointer_to<std::uint64_t>(engine, {.offset = offset, .image = to.image}, function),
        {.kind = kind == MAKESPAN_SIGNAL_SET ? Kind::set : Kind::add,
         .value = static_cast<std::uint64_t>(value)});
  });
}

int makespan_flush(makespan_endpoint* here, int32_t image) {
  return status_of([&] {
    auto& engine = engine_of(here, "makespan_flush");
    expect_image(engine, image, "makespan_flush");
    engine.flush(makespan::ImageId{image});
  });
}

int makespan_flush_all(makespan_endpoint* here) {
  return status_of([&] { engine_of(here, "makespan_flush_all").flush_all(); });
}

}  // extern "C"

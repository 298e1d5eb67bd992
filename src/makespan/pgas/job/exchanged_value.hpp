// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one image has told in Job::exchange_all(), where each tells one value of a fixed size.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {

// The value that image `from` has told. Throws BadMessage where it has told another number of
// bytes; `what` is what an error calls it. Whether the value can be is the caller's to check.
template <class Value>
[[nodiscard]] Value exchanged_value(std::span<std::byte const> told, ImageId from,
                                    std::string_view what) {
  static_assert(std::is_trivially_copyable_v<Value>);
  if (told.size() != sizeof(Value)) {
    throw BadMessage(from, std::string(what) + " of " + std::to_string(told.size()) +
                               " bytes, which has " + std::to_string(sizeof(Value)));
  }
  Value value;
  std::memcpy(&value, told.data(), sizeof value);
  return value;
}

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The result of a remote call, on its way to the caller's memory.

#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/capi/pgas.h"

namespace makespan::capi {

// What came back, to where the caller wants it. Throws BadMessage where that is not as long as what
// was asked for: the image that was called may be of another build.
inline void take_result(makespan_remote_call const& call, std::vector<std::byte> const& bytes) {
  if (std::ssize(bytes) != call.result_bytes) {
    throw BadMessage(ImageId{call.image}, "a result of " + std::to_string(bytes.size()) +
                                              " bytes, " + std::to_string(call.result_bytes) +
                                              " were asked for");
  }
  if (!bytes.empty()) std::memcpy(call.result, bytes.data(), bytes.size());
}

}  // namespace makespan::capi

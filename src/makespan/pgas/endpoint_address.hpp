// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

// One thread of one image: where a remote call is sent.
struct EndpointAddress {
  ImageId image{};
  int thread{0};

  friend constexpr bool operator==(EndpointAddress const&, EndpointAddress const&) = default;
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

// One thread of one image: where a remote call is sent.
struct Place {
  ImageId image{};
  int thread{0};

  friend constexpr bool operator==(Place const&, Place const&) = default;
};

}  // namespace makespan::pgas

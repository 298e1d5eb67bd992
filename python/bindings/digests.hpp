// SPDX-License-Identifier: Apache-2.0
// Digests as Python gets them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bindings/pricing.hpp"
#include "makespan/base/digest.hpp"

namespace bindings {

// Two words for each.
inline nanobind::object digest_words(std::vector<makespan::Digest> const& digests) {
  std::vector<std::uint64_t> words;
  words.reserve(2 * digests.size());
  for (makespan::Digest const& digest : digests) {
    words.insert(words.end(), {digest.first, digest.second});
  }
  return owned(std::move(words));
}

}  // namespace bindings

// SPDX-License-Identifier: Apache-2.0
// Goal: a search in which a thread of one image fails ends on all images, and says so there.
// Method: the children of a root are so many that the memory for them is refused, to the thread of
// image 0 that has the root.
#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <stdexcept>

#include "../../refused_memory.hpp"
#include "makespan/apps/uts/tree_search.hpp"

namespace {

// More than all else here takes at once, and less than a million nodes.
constexpr std::size_t bytes_refused = std::size_t{1} << 23;

}  // namespace

namespace makespan::uts {
namespace {

TEST(FailedSearch, ends_on_all_images) {
  pgas::Runtime runtime{pgas::RuntimeOptions{.threads = 2}};
  bool const has_root = runtime.image() == ImageId{0};
  Tree const wide({.kind = TreeKind::binomial, .branching = 1e6});
  refused_from_bytes = bytes_refused;
  auto const search = [&](Division division) {
    static_cast<void>(search_all(runtime, wide, {.threads = 2, .division = division}));
  };

  if (has_root) {
    EXPECT_THROW(search(Division::steal), std::bad_alloc);
  } else {
    EXPECT_THROW(search(Division::steal), std::runtime_error);
  }

  refused_from_bytes = nothing_is_refused;
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::uts

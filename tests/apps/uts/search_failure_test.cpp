// SPDX-License-Identifier: Apache-2.0
// Goal: a search in which a thread of one image fails ends on all images, and says so there.
// Method: the children of a root are so many that the memory for them is refused, to the thread of
// image 0 that has the root.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "makespan/apps/uts/tree_search.hpp"

namespace {

// More than all else here takes at once, and less than a million nodes.
constexpr std::size_t bytes_refused = std::size_t{1} << 23;
thread_local bool is_refusing = false;

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc): what stands in for operator new cannot call it
// Not inlined: GCC would warn of free() on what operator new gave.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory =
      is_refusing && bytes >= bytes_refused ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace makespan::uts {
namespace {

TEST(FailedSearch, ends_on_all_images) {
  pgas::Runtime runtime{pgas::RuntimeOptions{.threads = 2}};
  bool const has_root = runtime.image() == ImageId{0};
  Tree const wide({.kind = TreeKind::binomial, .branching = 1e6});
  is_refusing = true;
  auto const search = [&](Division division) {
    static_cast<void>(search_all(runtime, wide, {.threads = 2, .division = division}));
  };

  if (has_root) {
    EXPECT_THROW(search(Division::steal), std::bad_alloc);
  } else {
    EXPECT_THROW(search(Division::steal), std::runtime_error);
  }

  is_refusing = false;
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::uts

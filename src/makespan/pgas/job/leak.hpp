// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that must outlive its owner: a library may still write to it, and will not say when.

#include <memory>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace makespan::pgas {

// Gives up ownership on purpose: what `owned` held is never freed. For jobs that are about to end.
template <class T>
void leak(std::unique_ptr<T> owned) {
  [[maybe_unused]] auto const* const leaked = owned.release();
#ifdef __SANITIZE_ADDRESS__
  __lsan_ignore_object(leaked);  // with all that it refers to
#endif
}

}  // namespace makespan::pgas

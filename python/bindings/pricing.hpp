// SPDX-License-Identifier: Apache-2.0
// The part of makespan._core that prices books.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace bindings {

// A numpy array that owns `values`, without a copy.
template <class T>
nanobind::object owned(std::vector<T> values) {
  auto* const kept = new std::vector<T>(std::move(values));
  nanobind::capsule const owner(
      kept, [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(
      kept->data(), {kept->size()}, owner));
}

void bind_pricing(nanobind::module_& module);

}  // namespace bindings

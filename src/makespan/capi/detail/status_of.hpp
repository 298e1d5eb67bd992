// SPDX-License-Identifier: Apache-2.0
#pragma once

// The edge of the C boundary: what is thrown below becomes a status and a text here.

#include <string_view>
#include <utility>

#include "makespan/capi/pgas.h"

namespace makespan::capi {

// Of the exception that is being handled. Keeps its text for makespan_last_error().
[[nodiscard]] int status_of_current_exception() noexcept;

// Runs `call`, and tells how it went. Every function of the boundary is one call of this.
template <class Call>
[[nodiscard]] int status_of(Call&& call) noexcept {
  try {
    std::forward<Call>(call)();
    return MAKESPAN_OK;
  } catch (...) {
    return status_of_current_exception();
  }
}

// Throws InputError if a pointer that `function` needs is null; `name` is that of the argument.
void expect_given(void const* pointer, std::string_view function, std::string_view name);

// What `pointer` points to, after expect_given().
template <class T>
T& given(T* pointer, std::string_view function, std::string_view name) {
  expect_given(static_cast<void const*>(pointer), function, name);
  return *pointer;
}

}  // namespace makespan::capi

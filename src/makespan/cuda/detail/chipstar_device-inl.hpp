// SPDX-License-Identifier: Apache-2.0
// Before everything in what chipStar's compiler makes of a source for a GPU: what libstdc++ calls
// when a constant expression breaks a contract (std::span's operator[]), which it declares for the
// host alone.
#pragma once

namespace std {

__attribute__((device, noreturn)) inline void __glibcxx_assert_fail() noexcept {
  __builtin_unreachable();
}

}  // namespace std

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions that messages may call: those that this process has registered, before main() or
// when their library was loaded, and no other address.

#include "makespan/pgas/message/code_address.hpp"

namespace makespan::pgas {

// True, so that it can initialize a variable. Callable from any thread.
bool register_code(CodePointer code, CodeKind kind = CodeKind::invoker);
[[nodiscard]] bool is_registered_code(CodePointer code, CodeKind kind);

// Registers what `pointer()` of a class gives, in each process that has code which names it:
//
//   static_cast<void>(&RegisteredCode<Holder>::is_registered);
template <class Holder, CodeKind kind = CodeKind::invoker>
struct RegisteredCode {
  static inline bool const is_registered = register_code(Holder::pointer(), kind);
};

}  // namespace makespan::pgas

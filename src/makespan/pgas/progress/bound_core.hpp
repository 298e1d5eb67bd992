// SPDX-License-Identifier: Apache-2.0
#pragma once

// The processor that a helper thread is bound to.

namespace makespan::pgas {

// Throws InputError unless threads of this process may run on the processor with this number.
void expect_usable_core(int core);

// Binds the calling thread to it. A processor that is taken away meanwhile leaves the thread where
// it is: it is slower then, and no less right.
void bind_this_thread(int core) noexcept;

}  // namespace makespan::pgas

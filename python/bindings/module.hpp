// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bindings {

// What each extension of ours does first: exceptions of the engine become those of Python, and a
// violated contract one of them, since a Python session must not die of our mistake.
void begin_module();

}  // namespace bindings

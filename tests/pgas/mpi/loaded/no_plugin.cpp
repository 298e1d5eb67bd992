// SPDX-License-Identifier: Apache-2.0
// A library, but no plugin.
extern "C" [[gnu::visibility("default")]] int seven() {
  return 7;
}

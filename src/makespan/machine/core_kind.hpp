// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of its processor's kinds of cores a core is of.

#include <filesystem>
#include <string>

namespace makespan::machine {

// As text, equal for cores that are alike: its capacity, or its highest clock, as Linux tells them.
// Empty where it tells neither. `cpus` is the folder with a folder for each core. Tested by
// tests/machine/core_kind_test.cpp.
[[nodiscard]] std::string core_kind(int core,
                                    std::filesystem::path const& cpus = "/sys/devices/system/cpu");

}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that a user has asked for, which appear whole or not at all (docs/reference/files.md,
// 'Where outputs go'; python/makespan/files/atomic.py does the same for Python).

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace makespan {

// Why a file was not written, or cannot be, as a part of a sentence; none: it was, or can be.
using OutputRefusal = std::optional<std::string>;

// A file of these texts one after the other, or what stood under its name stays and nothing else is
// left. Blocks until it is on disk under that name. It is written under a random name in its
// folder, which is made here or not at all. A link is followed if it is the user's own or root's,
// and is a refusal if not, or if it is one of procfs, as that of /dev/stdout. So is a file that is
// this program's standard input or output. A file that is replaced keeps its permissions: those
// that let in no more than it did. Where the folder cannot be forced to disk the refusal says that
// the new file is there. Tested by tests/base/output_file_test.cpp and output_target_test.cpp, as
// the function below.
[[nodiscard]] OutputRefusal write_output(std::filesystem::path const& path,
                                         std::initializer_list<std::string_view> content);

// Whether write_output() would begin with it. Leaves nothing.
[[nodiscard]] OutputRefusal check_output(std::filesystem::path const& path);

}  // namespace makespan

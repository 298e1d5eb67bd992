// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files and folders that are on disk when a call returns, as POSIX means it: fsync() of a file
// forces its bytes, fsync() of a folder the names in it.

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <system_error>

namespace makespan {

// A new file, or one written anew, of these bytes one after the other. Blocks until they are on
// disk; the file's name is only once its folder is synced. After a failure there is no file. A link
// or a device is an error, and stays as it is.
[[nodiscard]] std::error_code write_durable_file(
    std::filesystem::path const& path, std::initializer_list<std::span<std::byte const>> content);

// Blocks until the names in `folder` are on disk. File systems that cannot are taken for those that
// need not.
[[nodiscard]] std::error_code sync_folder(std::filesystem::path const& folder);
// The same of one that is open for reading.
[[nodiscard]] std::error_code sync_open_folder(int folder);

// Exchanges the names of two folders in one step, where the file system can; else an error, and
// nothing has changed. Not on disk until their folder is synced.
[[nodiscard]] std::error_code exchange_names(std::filesystem::path const& one,
                                             std::filesystem::path const& other);

}  // namespace makespan

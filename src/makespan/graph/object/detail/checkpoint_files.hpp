// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checkpoints on disk: a folder for each, `phase-20`, with a file for each place,
// `place-3.objects`, counted without those that were lost before.
//
// The files are written into `phase-20.partial`, which gets its name when all are complete. A run
// may go on with another number of places. The bytes of objects are those of this machine and of
// the version of makespan that wrote them; another one refuses them. Files are forced to disk, and
// then their names, before a checkpoint counts as written and an older one goes.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace makespan::graph {

// What a file says of the run that wrote it.
struct CheckpointHead {
  std::int64_t phase{};         // that the run goes on with
  std::int32_t places{};        // of that run: so many files
  std::uint64_t collections{};  // fingerprint_of() its collections
};

struct CheckpointPart {
  CheckpointHead head{};
  std::vector<std::byte> objects{};
};

[[nodiscard]] std::filesystem::path checkpoint_folder(std::filesystem::path const& folder,
                                                      std::int64_t phase);

// Blocks until the file is on disk. Throws InputError if it cannot be written; none is left then.
// Tested by tests/graph/object/checkpoint_files_test.cpp, as the functions below.
void write_part(std::filesystem::path const& folder, int place, CheckpointPart const& part);

// All files are there: gives the folder its name, blocks until it has it on disk, and removes all
// but this and the one before.
void complete_checkpoint(std::filesystem::path const& folder, std::int64_t phase);

// The phase that a run begins with: that of the checkpoint which it goes on from, or 0 where
// `checkpoint` is empty. Throws as read_head().
[[nodiscard]] std::int64_t first_phase_of(std::filesystem::path const& checkpoint);

// Of a complete checkpoint. The objects are not read, so that it is not known whether the file was
// changed. Throws InputError, which names the file, if there is none, or it was cut short.
[[nodiscard]] CheckpointHead read_head(std::filesystem::path const& checkpoint, int place);

// Of a complete checkpoint. Throws InputError, which names the file, if there is none, or it was
// cut short or changed.
[[nodiscard]] CheckpointPart read_part(std::filesystem::path const& checkpoint, int place);
// The same of a file's content of `bytes` bytes; `path` names it in messages.
[[nodiscard]] CheckpointPart read_part(std::istream& file, std::uint64_t bytes,
                                       std::filesystem::path const& path);

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/checkpoint_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

#include "makespan/base/configuration.hpp"
#include "makespan/base/durable_file.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/base/joined.hpp"
#include "makespan/pgas/message/code_address.hpp"

namespace makespan::graph {

namespace fs = std::filesystem;

namespace {

constexpr std::array<char, 24> magic{"makespan objects 3     "};
constexpr std::string_view prefix = "phase-";

// Without gaps, whose bytes would be anything.
struct FileHead {
  std::array<char, 24> magic;
  std::array<char, 64> build;  // of makespan
  std::int64_t phase;
  std::int64_t places;
  std::uint64_t collections;
  std::uint64_t bytes;
  std::uint64_t checksum;  // of this head with that of the objects here
};
static_assert(std::has_unique_object_representations_v<FileHead>);

// What the linker gave the program, or the library, that this is in; empty: nothing.
std::string linked_identity() {
  std::array<char, 8> digits{};
  try {
    pgas::CodeMap modules;
    std::uint64_t const code =
        modules.encode(reinterpret_cast<pgas::CodePointer>(&linked_identity));
    auto const end =
        std::to_chars(digits.data(), digits.data() + digits.size(), code >> 32U, 16).ptr;
    return {digits.data(), end};
  } catch (InputError const&) {
    return {};
  }
}

// Version and commit tell builds apart. A commit that is unknown, or that files differ from, does
// not: the linker's identity is added then.
std::string build_name() {
  Configuration const& built = configuration();
  bool const is_certain = built.git_commit != "unknown" && !built.git_commit.ends_with("-dirty");
  std::string const identity = is_certain ? std::string() : linked_identity();
  return joined(built.version, " (", built.git_commit, identity.empty() ? "" : ", linked as ",
                identity, ")");
}

std::array<char, 64> this_build() {
  static std::string const name = build_name();
  std::array<char, 64> text{};
  std::copy_n(name.begin(), std::min(name.size(), text.size() - 1), text.begin());
  return text;
}

std::uint64_t checksum_of(FileHead head, std::span<std::byte const> objects) {
  // The head's other numbers are in it, too: one that has changed there would send objects
  // elsewhere.
  head.checksum = fnv1a(objects);
  return fnv1a(std::as_bytes(std::span(&head, 1)));
}

// What a killed run leaves has this name, and is not taken for complete.
fs::path partial(fs::path const& folder, std::int64_t phase) {
  fs::path path = checkpoint_folder(folder, phase);
  path += ".partial";
  return path;
}

fs::path earlier(fs::path const& folder, std::int64_t phase) {
  fs::path path = checkpoint_folder(folder, phase);
  path += ".earlier";
  return path;
}

fs::path part_path(fs::path const& folder, int place) {
  return folder / ("place-" + std::to_string(place) + ".objects");
}

[[noreturn]] void refuse(fs::path const& path, std::string const& why) {
  throw InputError(path.string(), why,
                   "name the folder of a complete checkpoint, such as checkpoints/phase-20");
}

[[noreturn]] void cannot_write(fs::path const& path, std::error_code const& error) {
  throw InputError("checkpoint " + path.string(), "it cannot be written: " + error.message(),
                   "choose a folder that can be written to, with room for all objects");
}

// The folder's names are on the disk, and its own, which the first part of a run may have made.
std::error_code sync_names(fs::path const& folder) {
  if (std::error_code const error = sync_folder(folder)) return error;
  std::error_code error;
  fs::path const whole = fs::canonical(folder, error);
  return error ? error : sync_folder(whole.parent_path());
}

// Gives what is complete its name. One of an earlier run has it until then: where the file system
// cannot exchange names, it is `.earlier` for a moment.
std::error_code name_complete(fs::path const& folder, std::int64_t phase) {
  fs::path const from = partial(folder, phase);
  fs::path const complete = checkpoint_folder(folder, phase);
  std::error_code error;
  if (fs::exists(complete, error)) {
    if (!exchange_names(from, complete)) return sync_names(folder);
    fs::remove_all(earlier(folder, phase), error);
    fs::rename(complete, earlier(folder, phase), error);
  }
  fs::rename(from, complete, error);
  return error ? error : sync_names(folder);
}

std::int64_t phase_of(fs::path const& folder) {
  std::string const name = folder.filename().string();
  if (!name.starts_with(prefix)) return -1;
  std::string const digits = name.substr(prefix.size());
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  return digits.size() < 19 ? std::stoll(digits) : -1;
}

// --- reading

struct PartFile {
  PartFile(fs::path const& checkpoint, int place)
      : path(part_path(checkpoint, place)), file(path, std::ios::binary) {
    if (!file) refuse(path, "there is no such file");
    std::error_code error;
    bytes = fs::file_size(path, error);
    if (error) refuse(path, "it cannot be read: " + error.message());
  }

  fs::path path;
  std::ifstream file;
  std::uintmax_t bytes{};
};

[[noreturn]] void refuse_build(fs::path const& path, std::string const& build) {
  throw InputError(path.string(), build + " wrote it, this is " + std::string(this_build().data()),
                   "go on with the build that began, or begin anew");
}

// Format 2 has the version alone where later ones have the build.
[[noreturn]] void refuse_format(FileHead head, fs::path const& path) {
  constexpr std::string_view any{"makespan objects "};
  constexpr std::size_t version_size = 24;
  if (std::string_view(head.magic.data(), any.size()) != any) {
    refuse(path, "it is no part of a checkpoint");
  }
  if (head.magic[any.size()] != '2') refuse_build(path, "another build of makespan");
  head.build[version_size - 1] = '\0';
  refuse_build(path, "makespan " + std::string(head.build.data()));
}

// Of a file of `bytes` bytes, which is as long as its head says.
FileHead file_head(std::istream& file, std::uint64_t bytes, fs::path const& path) {
  FileHead head{};
  file.read(reinterpret_cast<char*>(&head), sizeof head);
  // One of another format may be shorter.
  if (head.magic != magic) refuse_format(head, path);
  if (!file) refuse(path, "it is no part of a checkpoint");
  if (head.build != this_build()) {
    head.build.back() = '\0';
    refuse_build(path, "makespan " + std::string(head.build.data()));
  }
  // Before memory is taken for it: the head may say any number.
  if (bytes < sizeof head || bytes - sizeof head != head.bytes) refuse(path, "it was cut short");
  return head;
}

CheckpointHead checked(FileHead const& head, fs::path const& path) {
  bool const is_counted =
      head.places >= 1 && head.places <= std::numeric_limits<std::int32_t>::max();
  if (!is_counted || head.phase < 0) refuse(path, "it is of a run that there cannot have been");
  return {.phase = head.phase,
          .places = static_cast<std::int32_t>(head.places),
          .collections = head.collections};
}

}  // namespace

fs::path checkpoint_folder(fs::path const& folder, std::int64_t phase) {
  return folder / (std::string(prefix) + std::to_string(phase));
}

void write_part(fs::path const& folder, int place, CheckpointPart const& part) {
  fs::path const into = partial(folder, part.head.phase);
  std::error_code error;
  // What went wrong here shows when the file is written.
  fs::create_directories(into, error);
  fs::path const path = part_path(into, place);
  FileHead head{.magic = magic,
                .build = this_build(),
                .phase = part.head.phase,
                .places = part.head.places,
                .collections = part.head.collections,
                .bytes = part.objects.size(),
                .checksum = 0};
  head.checksum = checksum_of(head, part.objects);
  error = write_durable_file(path, {std::as_bytes(std::span(&head, 1)), part.objects});
  // The file is on the disk; its name is in the folder, which is forced there by itself.
  if (!error) error = sync_folder(into);
  if (error) cannot_write(path, error);
}

void complete_checkpoint(fs::path const& folder, std::int64_t phase) {
  fs::path const complete = checkpoint_folder(folder, phase);
  std::error_code error;
  error = name_complete(folder, phase);
  if (error) {
    throw InputError("checkpoint " + complete.string(), "it cannot be named: " + error.message(),
                     "choose a folder in which folders can be renamed");
  }
  // Older ones go only now that this one has its name on disk: a crash before leaves them.
  // After an exchange of names this is what an earlier run had written for the phase.
  fs::remove_all(partial(folder, phase), error);
  fs::remove_all(earlier(folder, phase), error);
  std::vector<std::int64_t> older;
  for (fs::directory_entry const& entry : fs::directory_iterator(folder, error)) {
    std::int64_t const other = phase_of(entry.path());
    if (other >= 0 && other < phase) older.push_back(other);
  }
  std::ranges::sort(older);
  // The last one before this stays.
  if (!older.empty()) older.pop_back();
  for (std::int64_t const each : older) fs::remove_all(checkpoint_folder(folder, each), error);
}

CheckpointHead read_head(fs::path const& checkpoint, int place) {
  PartFile part(checkpoint, place);
  return checked(file_head(part.file, part.bytes, part.path), part.path);
}

CheckpointPart read_part(fs::path const& checkpoint, int place) {
  PartFile part(checkpoint, place);
  return read_part(part.file, part.bytes, part.path);
}

CheckpointPart read_part(std::istream& file, std::uint64_t bytes, fs::path const& path) {
  FileHead const head = file_head(file, bytes, path);
  CheckpointPart part;
  part.objects.resize(static_cast<std::size_t>(head.bytes));
  file.read(reinterpret_cast<char*>(part.objects.data()), std::ssize(part.objects));
  if (!file || checksum_of(head, part.objects) != head.checksum) refuse(path, "it was changed");
  part.head = checked(head, path);
  return part;
}

std::int64_t first_phase_of(fs::path const& checkpoint) {
  return checkpoint.empty() ? 0 : read_head(checkpoint, 0).phase;
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// A file of a checkpoint, also one whose checksum is right all the same.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <unistd.h>

#include "fuzz/fuzz_target.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/graph/object/detail/checkpoint_files.hpp"

namespace makespan::fuzz::checkpoint_part_target {
namespace {

// As checkpoint_files.cpp lays it out: the checksum of the objects takes the place of the head's
// own while that is made.
constexpr std::size_t build_at = 24;
constexpr std::size_t build_bytes = 64;
constexpr std::size_t checksum_at = 120;
constexpr std::size_t head_bytes = 128;

void put(Bytes& file, std::uint64_t number) {
  std::memcpy(file.data() + checksum_at, &number, sizeof number);
}

// A file that this build writes.
Bytes whole_file() {
  namespace fs = std::filesystem;
  fs::path const folder =
      fs::temp_directory_path() / ("makespan_fuzz_" + std::to_string(::getpid()));
  graph::write_part(folder, 0, {.head = {.phase = 20, .places = 2}, .objects = Bytes(40)});
  graph::complete_checkpoint(folder, 20);
  std::ifstream file(graph::checkpoint_folder(folder, 20) / "place-0.objects", std::ios::binary);
  Bytes content = bytes_of(std::string(std::istreambuf_iterator<char>(file), {}));
  fs::remove_all(folder);
  return content;
}

// Also as of this build: seeds are kept from one to the next.
void seal(Bytes& file) {
  static Bytes const good = whole_file();
  std::copy_n(good.begin() + build_at, build_bytes, file.begin() + build_at);
  std::span<std::byte const> const all = file;
  put(file, fnv1a(all.subspan(head_bytes)));
  put(file, fnv1a(all.first(head_bytes)));
}

// The first byte says whether to seal what follows.
void read(std::span<std::byte const> bytes) {
  if (bytes.empty()) return;
  Bytes file(bytes.begin() + 1, bytes.end());
  if (bytes.front() != std::byte{0} && file.size() >= head_bytes) seal(file);
  std::istringstream stream{std::string(text_of(file))};
  graph::CheckpointPart const part = graph::read_part(stream, file.size(), "file");
  MAKESPAN_ENSURE(part.head.places > 0);
  MAKESPAN_ENSURE(part.objects.size() + head_bytes == file.size());
}

std::vector<Bytes> seeds() {
  Bytes const content = whole_file();
  Bytes sealed{std::byte{1}};
  sealed.insert(sealed.end(), content.begin(), content.end());
  Bytes as_it_is = sealed;
  as_it_is.front() = std::byte{0};
  return {sealed, as_it_is};
}

FuzzTarget const target("checkpoint_part", &read, &seeds);

}  // namespace
}  // namespace makespan::fuzz::checkpoint_part_target

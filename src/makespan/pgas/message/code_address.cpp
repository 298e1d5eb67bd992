// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/message/code_address.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "makespan/base/error.hpp"
#include "makespan/pgas/message/registered_code.hpp"

namespace makespan::pgas {

namespace {

// FNV-1a: build ids are hashes themselves, 32 bits of one tell the modules of a process apart.
std::uint32_t hash(std::span<unsigned char const> bytes) {
  std::uint32_t value = 2166136261U;
  for (unsigned char const byte : bytes) value = (value ^ byte) * 16777619U;
  return value;
}

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + 3) / 4 * 4;
}

// The build id among the notes of one segment; empty when it is not there.
std::span<unsigned char const> find_build_id(std::span<unsigned char const> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    std::size_t const name = sizeof note;
    std::size_t const content = name + padded(note.n_namesz);
    std::size_t const next = content + padded(note.n_descsz);
    // The lengths are those in the file: the search ends where they lead past the segment.
    if (next > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes.data() + name, "GNU", 4) == 0) {
      return notes.subspan(content, note.n_descsz);
    }
    notes = notes.subspan(next);
  }
  return {};
}

struct Extent {
  std::uintptr_t begin{std::numeric_limits<std::uintptr_t>::max()};
  std::uintptr_t end{0};
  std::span<unsigned char const> build_id{};
};

Extent extent_of(dl_phdr_info const& info) {
  Extent extent;
  for (ElfW(Phdr) const& header : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
    std::uintptr_t const at = info.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD) {
      extent.begin = std::min(extent.begin, at);
      extent.end = std::max(extent.end, at + header.p_memsz);
    }
    if (header.p_type == PT_NOTE && extent.build_id.empty()) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells addresses as numbers
      extent.build_id = find_build_id({reinterpret_cast<unsigned char const*>(at), header.p_memsz});
    }
  }
  return extent;
}

}  // namespace

std::uint64_t CodeMap::encode(CodePointer code) {
  auto const address = reinterpret_cast<std::uintptr_t>(code);
  std::scoped_lock const lock(mutex_);
  if (auto const known = encoded_.find(address); known != encoded_.end()) return known->second;
  auto found = find_code(address);
  // A library may have been loaded since the modules were read.
  if (!found) {
    read_modules();
    found = find_code(address);
  }
  if (found) return encoded_[address] = *found;
  throw InputError("a remote call of a function without a name for other images",
                   "its executable or library has no build id, or was unloaded",
                   "link it with -Wl,--build-id");
}

CodePointer CodeMap::decode(std::uint64_t encoded, CodeKind kind) {
  std::scoped_lock const lock(mutex_);
  auto& decoded = decoded_[static_cast<std::size_t>(kind)];
  if (auto const known = decoded.find(encoded); known != decoded.end()) return known->second;
  // A refusal is not kept, since the library may be loaded later.
  CodePointer const code = decode_anew(encoded, kind);
  decoded[encoded] = code;
  return code;
}

CodePointer CodeMap::decode_anew(std::uint64_t encoded, CodeKind kind) {
  auto found = find_address(encoded);
  if (!found) {
    read_modules();
    found = find_address(encoded);
  }
  if (!found) {
    throw InputError("a remote call of a function that this image does not have",
                     "it runs another build, or has not loaded the library",
                     "start the same executable on all images");
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a function's address crossed the wire as a number
  auto const code = reinterpret_cast<CodePointer>(*found);
  // The number came from another process: one that was damaged or made up shall not be called.
  if (!is_registered_code(code, kind)) {
    throw InputError(
        "a remote call of what is no function that travels",
        "its address is in this program, and nothing of its kind was registered there",
        "start the same executable on all images, on a network of its own (SECURITY.md)");
  }
  return code;
}

std::optional<std::uint64_t> CodeMap::find_code(std::uintptr_t address) const {
  auto const found = std::ranges::find_if(modules_, [address](Module const& module) {
    return module.base <= address && address < module.end;
  });
  if (found == modules_.end()) return std::nullopt;
  return (std::uint64_t{found->identity} << 32U) | (address - found->base);
}

std::optional<std::uintptr_t> CodeMap::find_address(std::uint64_t encoded) const {
  auto const identity = static_cast<std::uint32_t>(encoded >> 32U);
  std::uintptr_t const offset = encoded & 0xffffffffU;
  auto const found = std::ranges::find(modules_, identity, &Module::identity);
  if (found == modules_.end() || offset >= found->end - found->base) return std::nullopt;
  return found->base + offset;
}

void CodeMap::read_modules() {
  modules_.clear();
  auto const note = [](dl_phdr_info* info, std::size_t, void* data) {
    Extent const extent = extent_of(*info);
    // An offset has 32 bits on its way.
    bool const fits = extent.end > extent.begin && (extent.end - extent.begin) >> 32U == 0;
    if (fits && !extent.build_id.empty()) {
      static_cast<std::vector<Module>*>(data)->push_back(
          {hash(extent.build_id), extent.begin, extent.end});
    }
    return 0;
  };
  dl_iterate_phdr(note, &modules_);
}

}  // namespace makespan::pgas

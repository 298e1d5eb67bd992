// SPDX-License-Identifier: Apache-2.0
#pragma once

// The address of a function as another process of the same build understands it.
//
// The executable and its libraries lie elsewhere in each process, so an address travels as which of
// them (a hash of the identity that the linker gave it) and how far into it.

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace makespan::pgas {

// What every remote call begins with on the far side; cast back before it is called.
using CodePointer = void (*)();

// What a function that messages name is called as: one called as the other would read what is not
// there.
enum class CodeKind : std::uint8_t {
  invoker,  // of a remote call
  reader,   // of what an object was sent
};

// The executable and the libraries that this process has loaded. Libraries that are loaded later
// (extensions of Python, say) are found when they are first met. Callable from any thread.
class CodeMap {
 public:
  // Throws InputError when the code lies in no module with an identity (linked without --build-id).
  [[nodiscard]] std::uint64_t encode(CodePointer code);

  // Throws InputError when no module of this process fits, so that the images run different builds,
  // and when what is there is no function that was registered as one of this kind
  // (registered_code.hpp).
  [[nodiscard]] CodePointer decode(std::uint64_t encoded, CodeKind kind = CodeKind::invoker);

 private:
  struct Module {
    std::uint32_t identity;  // hash of its build id
    std::uintptr_t base;
    std::uintptr_t end;
  };

  [[nodiscard]] CodePointer decode_anew(std::uint64_t encoded, CodeKind kind);
  // With the mutex held.
  [[nodiscard]] std::optional<std::uint64_t> find_code(std::uintptr_t address) const;
  [[nodiscard]] std::optional<std::uintptr_t> find_address(std::uint64_t encoded) const;
  void read_modules();

  std::mutex mutex_;
  std::vector<Module> modules_;
  // Those that were asked for before, both ways.
  std::unordered_map<std::uintptr_t, std::uint64_t> encoded_;
  std::array<std::unordered_map<std::uint64_t, CodePointer>, 2> decoded_;  // by kind
};

}  // namespace makespan::pgas

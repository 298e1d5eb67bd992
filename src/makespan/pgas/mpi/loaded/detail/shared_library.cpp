// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/loaded/detail/shared_library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace makespan::pgas {

namespace {

std::string last_error() {
  char const* const text = ::dlerror();
  return text == nullptr ? "the loader gives no reason" : text;
}

std::filesystem::path without_links(std::filesystem::path const& file) {
  std::error_code unknown;
  auto const real = std::filesystem::canonical(file, unknown);
  return unknown ? file : real;
}

// Empty where there is no such library.
std::string loaded_name(void* handle) {
  link_map* map = nullptr;
  if (handle == nullptr || ::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) {
    return {};
  }
  return map->l_name;
}

}  // namespace

SharedLibrary SharedLibrary::open(std::filesystem::path const& file, Symbols symbols) {
  int const visible = symbols == Symbols::for_all ? RTLD_GLOBAL : RTLD_LOCAL;
  SharedLibrary library{::dlopen(file.c_str(), RTLD_NOW | RTLD_NODELETE | visible)};
  if (!library.is_open()) library.error_ = last_error();
  return library;
}

SharedLibrary SharedLibrary::find_open(std::string const& soname) {
  return SharedLibrary{::dlopen(soname.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_LOCAL)};
}

void SharedLibrary::show_to_all() const {
  std::string const name = loaded_name(handle_);
  if (name.empty()) return;
  static_cast<void>(::dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE | RTLD_GLOBAL));
}

std::filesystem::path SharedLibrary::file() const {
  std::string const name = loaded_name(handle_);
  return name.empty() ? std::filesystem::path() : without_links(name);
}

void* SharedLibrary::find(char const* symbol) const {
  return handle_ == nullptr ? nullptr : ::dlsym(handle_, symbol);
}

std::filesystem::path folder_of_this_code() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&folder_of_this_code), &info) == 0) return {};
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

}  // namespace makespan::pgas

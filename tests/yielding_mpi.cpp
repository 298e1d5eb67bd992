// SPDX-License-Identifier: Apache-2.0
// Preloaded (LD_PRELOAD) to tests with more images than cores. MPICH over UCX looks at the network
// as fast as it can while it waits, and an image that its core is needed by gets that after
// milliseconds. Here MPI yields its core after a while without anything, as Open MPI does with
// mpi_yield_when_idle. Calls of UCX that are not MPI's are left as they are.
#include <dlfcn.h>
#include <link.h>
#include <sched.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using Progress = unsigned (*)(void* worker);

// UCX may have been loaded by a library that keeps it to itself, where RTLD_NEXT does not look.
Progress found_progress() {
  if (void* const next = dlsym(RTLD_NEXT, "ucp_worker_progress")) {
    return reinterpret_cast<Progress>(next);
  }
  // By whatever name it was loaded: wheels call it libucp-1a2b3c4d.so.
  void* found = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* out) {
        if (std::string_view(library->dlpi_name).find("libucp") == std::string_view::npos) return 0;
        void* const ucx = dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
        if (ucx == nullptr) return 0;
        *static_cast<void**>(out) = dlsym(ucx, "ucp_worker_progress");
        return 1;
      },
      static_cast<void*>(&found));
  if (found == nullptr) std::abort();  // none can have called
  return reinterpret_cast<Progress>(found);
}

bool is_in_mpi(void* address) {
  Dl_info about{};
  return dladdr(address, &about) != 0 && about.dli_fname != nullptr &&
         std::string_view(about.dli_fname).find("libmpi") != std::string_view::npos;
}

// dladdr() takes microseconds, and a thread that looks at its own network and at MPI's in turn asks
// each time: calls come from a few places, which are remembered.
bool is_of_mpi(void* address) {
  struct Known {
    void* address;
    bool is_mpis;
  };
  thread_local std::array<Known, 64> known{};
  Known& here = known[(reinterpret_cast<std::uintptr_t>(address) >> 2) % known.size()];
  if (here.address != address) here = {.address = address, .is_mpis = is_in_mpi(address)};
  return here.is_mpis;
}

}  // namespace

extern "C" unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  constexpr int looks = 200;  // at 50 ns, about, each
  static Progress const progress = found_progress();
  thread_local void* last_worker = nullptr;
  thread_local bool is_mpis = false;
  thread_local int idle = 0;
  if (worker != last_worker) {
    last_worker = worker;
    is_mpis = is_of_mpi(__builtin_return_address(0));
    idle = 0;
  }
  unsigned const happened = progress(worker);
  idle = happened == 0 ? idle + 1 : 0;
  if (is_mpis && idle > looks) sched_yield();
  return happened;
}

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_context.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include <ucs/config/global_opts.h>

#include "makespan/base/checked_cast.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_status.hpp"

namespace makespan::pgas {

namespace {

struct UcxConfigTraits {
  using Handle = ucp_config_t*;
  static Handle null() { return nullptr; }
  static bool is_null(Handle handle) { return handle == nullptr; }
  static void release(Handle handle) noexcept { ucp_config_release(handle); }
};

// UCX prints what it also returns, a lost image for instance. We report it in our own words, so it
// stays silent unless the user asked for its log. Refused only by another UCX than this one (1.13),
// which then is not silent.
void quieten_ucx() {
  if (std::getenv("UCX_LOG_LEVEL") == nullptr) {
    static_cast<void>(ucs_global_opts_set_value("LOG_LEVEL", "fatal"));
  }
}

UniqueHandle<UcxConfigTraits> read_config() {
  UniqueHandle<UcxConfigTraits> config;
  check_ucx(ucp_config_read(nullptr, nullptr, config.out()), "ucp_config_read");
  // Where heaps come from: these three give zeroed pages, and the first two pages that others can
  // map. The default ends with malloc.
  check_ucx(ucp_config_modify(config.get(), "ALLOC_PRIO", "md:posix,md:sysv,mmap"),
            "ucp_config_modify(ALLOC_PRIO)");
  return config;
}

// Transports through which messages go in shared memory (cma and knem carry bulk data only).
constexpr std::array<std::string_view, 3> shared_memory_transports{"posix/", "sysv/", "xpmem/"};

// UCX 1.13 has no call that lists what a context uses; it prints it. ("resource 3: … --
// posix/memory")
bool finds_shared_memory(ucp_context_h context) {
  char* text = nullptr;
  std::size_t size = 0;
  FILE* const stream = open_memstream(&text, &size);
  if (stream == nullptr) return false;
  ucp_context_print_info(context, stream);
  bool const is_complete = std::fclose(stream) == 0;
  std::unique_ptr<char, decltype(&std::free)> const owner{text, &std::free};
  if (!is_complete) return false;
  std::string_view const printed(text, size);
  return std::ranges::any_of(shared_memory_transports, [&](std::string_view name) {
    return printed.find(name) != std::string_view::npos;
  });
}

}  // namespace

UcxContext::UcxContext(int images, UcxWakeup wakeup) {
  quieten_ucx();
  auto const config = read_config();
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED |
                      UCP_PARAM_FIELD_ESTIMATED_NUM_EPS | UCP_PARAM_FIELD_NAME;
  // Not the atomics: a word is changed by its owner's CPU, never by a network card as well.
  params.features = UCP_FEATURE_AM | UCP_FEATURE_RMA;
  if (wakeup == UcxWakeup::events) params.features |= UCP_FEATURE_WAKEUP;
  params.mt_workers_shared = 1;  // links are used by threads of their own, at the same time
  params.estimated_num_eps = checked_cast<std::size_t>(images);
  params.name = "makespan";
  check_ucx(ucp_init(&params, config.get(), context_.out()), "ucp_init");
  has_shared_memory_ = finds_shared_memory(context_.get());
}

UcxHeap::UcxHeap(UcxContext const& context, std::int64_t bytes) : context_{context.get()} {
  ucp_mem_map_params_t params{};
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                      UCP_MEM_MAP_PARAM_FIELD_FLAGS;
  params.length = checked_cast<std::size_t>(bytes);
  // Pages come when they are first used, as with the job's own heap.
  params.flags = UCP_MEM_MAP_ALLOCATE | UCP_MEM_MAP_NONBLOCK;
  check_ucx(ucp_mem_map(context_, &params, &memory_), "ucp_mem_map");
  ucp_mem_attr_t attributes{};
  attributes.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS;
  ucs_status_t const status = ucp_mem_query(memory_, &attributes);
  if (status != UCS_OK) {
    static_cast<void>(ucp_mem_unmap(context_, memory_));
    check_ucx(status, "ucp_mem_query");
  }
  bytes_ = {static_cast<std::byte*>(attributes.address), params.length};
}

UcxHeap::UcxHeap(UcxContext const& context, std::span<std::byte> bytes)
    : context_{context.get()}, bytes_{bytes} {
  ucp_mem_map_params_t params{};
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                      UCP_MEM_MAP_PARAM_FIELD_FLAGS;
  params.address = bytes.data();
  params.length = bytes.size();
  params.flags = UCP_MEM_MAP_NONBLOCK;
  check_ucx(ucp_mem_map(context_, &params, &memory_), "ucp_mem_map");
}

UcxHeap::~UcxHeap() {
  // What cannot be given back goes with the process.
  static_cast<void>(ucp_mem_unmap(context_, memory_));
}

std::vector<std::byte> UcxHeap::pack_key() const {
  void* key = nullptr;
  std::size_t key_bytes = 0;
  check_ucx(ucp_rkey_pack(context_, memory_, &key, &key_bytes), "ucp_rkey_pack");
  auto const address = reinterpret_cast<std::uint64_t>(bytes_.data());
  std::vector<std::byte> packed(sizeof address + key_bytes);
  std::memcpy(packed.data(), &address, sizeof address);
  std::memcpy(packed.data() + sizeof address, key, key_bytes);
  ucp_rkey_buffer_release(key);
  return packed;
}

}  // namespace makespan::pgas

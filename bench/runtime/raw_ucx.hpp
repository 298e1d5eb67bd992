// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bare UCX between two images: a context with some memory, and lanes (worker, endpoint, key) into
// that of the other image. What our transport is made of, without our transport.

#include <ucp/api/ucp.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contestant.hpp"

namespace makespan::bench {

inline void check_ucx(ucs_status_t status, char const* call) {
  if (status != UCS_OK) {
    throw std::runtime_error{std::string(call) + ": " + ucs_status_string(status)};
  }
}

// Memory that the other image can use. `transports` as in UCX_TLS; only for this context, so that
// an MPI over UCX keeps its own.
class UcxContext {
 public:
  UcxContext(MpiSession const& session, std::string const& transports, std::size_t bytes)
      : session_(session) {
    ucp_config_t* config = nullptr;
    check_ucx(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
    check_ucx(ucp_config_modify(config, "TLS", transports.c_str()), "ucp_config_modify");
    ucp_params_t params{};
    params.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED;
    params.features = UCP_FEATURE_RMA | UCP_FEATURE_AMO64 | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
    params.mt_workers_shared = 1;
    check_ucx(ucp_init(&params, config, &context_), "ucp_init");
    ucp_config_release(config);
    allocate(bytes);
    exchange_keys();
  }
  UcxContext(UcxContext const&) = delete;
  UcxContext& operator=(UcxContext const&) = delete;
  ~UcxContext() {
    ucp_mem_unmap(context_, memory_);
    ucp_cleanup(context_);
  }

  [[nodiscard]] MpiSession const& session() const { return session_; }
  [[nodiscard]] ucp_context_h context() const { return context_; }
  [[nodiscard]] std::uint64_t remote_address() const { return remote_address_; }
  [[nodiscard]] void const* remote_key() const { return remote_key_.data(); }

 private:
  void allocate(std::size_t bytes) {
    ucp_mem_map_params_t params{};
    params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS |
                        UCP_MEM_MAP_PARAM_FIELD_ADDRESS;
    params.length = bytes;
    params.flags = UCP_MEM_MAP_ALLOCATE;
    check_ucx(ucp_mem_map(context_, &params, &memory_), "ucp_mem_map");
    ucp_mem_attr_t attributes{};
    attributes.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS;
    check_ucx(ucp_mem_query(memory_, &attributes), "ucp_mem_query");
    std::memset(attributes.address, 0, bytes);  // takes the pages now, not in a measurement
    address_ = reinterpret_cast<std::uint64_t>(attributes.address);
  }
  void exchange_keys() {
    void* key = nullptr;
    std::size_t length = 0;
    check_ucx(ucp_rkey_pack(context_, memory_, &key, &length), "ucp_rkey_pack");
    remote_key_ = session_.exchange(key, length);
    ucp_rkey_buffer_release(key);
    remote_address_ = session_.exchanged(address_);
  }

  MpiSession const& session_;
  ucp_context_h context_{};
  ucp_mem_h memory_{};
  std::uint64_t address_{};
  std::uint64_t remote_address_{};
  std::vector<std::byte> remote_key_;
};

// Stands for a mutex where one thread alone uses a lane, or UCX locks by itself.
struct NoMutex {
  void lock() {}
  void unlock() {}
};

// The messages that a lane knows. Their arrivals are counted, and that is all.
enum class UcxMessage : unsigned { end, ping, pong };

// One worker and its endpoint at the worker of the other image that was made at the same time.
// Calls of several threads are safe where `Mutex` is one, or with UCS_THREAD_MODE_MULTI.
template <class Mutex>
class UcxLane {
 public:
  // Collective.
  UcxLane(UcxContext const& context, ucs_thread_mode_t mode)
      : remote_address_(context.remote_address()) {
    ucp_worker_params_t params{};
    params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    params.thread_mode = mode;
    check_ucx(ucp_worker_create(context.context(), &params, &worker_), "ucp_worker_create");
    for (auto const message : {UcxMessage::end, UcxMessage::ping, UcxMessage::pong}) {
      set_counter(message);
    }
    connect(context);
  }
  UcxLane(UcxLane const&) = delete;
  UcxLane& operator=(UcxLane const&) = delete;
  // The other image must have stopped using it. Endpoints go with their worker.
  ~UcxLane() {
    ucp_rkey_destroy(key_);
    ucp_worker_destroy(worker_);
  }

  [[nodiscard]] ucp_worker_h worker() const { return worker_; }

  // Whether anything happened.
  bool progress() {
    std::lock_guard const guard(mutex_);
    return ucp_worker_progress(worker_) != 0;
  }

  std::uint64_t fetch_add(std::uint64_t offset) {
    std::uint64_t const one = 1;
    std::uint64_t old = 0;
    ucp_request_param_t params{};
    params.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER;
    params.datatype = ucp_dt_make_contig(sizeof one);
    params.reply_buffer = &old;
    wait(locked([&] {
      return ucp_atomic_op_nbx(endpoint_, UCP_ATOMIC_OP_ADD, &one, 1, remote_address_ + offset,
                               key_, &params);
    }));
    return old;
  }
  // `data` must last until flush().
  [[nodiscard]] ucs_status_ptr_t begin_put(void const* data, std::size_t bytes,
                                           std::uint64_t offset) {
    ucp_request_param_t const params{};
    return locked([&] {
      return ucp_put_nbx(endpoint_, data, bytes, remote_address_ + offset, key_, &params);
    });
  }
  void put(void const* data, std::size_t bytes, std::uint64_t offset) {
    wait(begin_put(data, bytes, offset));
  }
  [[nodiscard]] ucs_status_ptr_t begin_get(void* destination, std::size_t bytes,
                                           std::uint64_t offset) {
    ucp_request_param_t const params{};
    return locked([&] {
      return ucp_get_nbx(endpoint_, destination, bytes, remote_address_ + offset, key_, &params);
    });
  }
  void get(void* destination, std::size_t bytes, std::uint64_t offset) {
    wait(begin_get(destination, bytes, offset));
  }
  void flush() {
    ucp_request_param_t const params{};
    wait(locked([&] { return ucp_ep_flush_nbx(endpoint_, &params); }));
  }
  void send(UcxMessage message) {
    static constexpr std::int64_t word = 1;
    ucp_request_param_t const params{};
    wait(locked([&] {
      return ucp_am_send_nbx(endpoint_, static_cast<unsigned>(message), nullptr, 0, &word,
                             sizeof word, &params);
    }));
  }
  // How many of them have come.
  [[nodiscard]] std::int64_t received(UcxMessage message) const {
    return counts_[static_cast<std::size_t>(message)].load(std::memory_order_acquire);
  }

  // Sends a pong for each ping that has come. Whether there was one.
  bool answer_pings() {
    auto const pings = received(UcxMessage::ping);
    bool const some = pongs_sent_ < pings;
    for (; pongs_sent_ < pings; ++pongs_sent_) send(UcxMessage::pong);
    return some;
  }
  // Whether one more end has come, which then counts as seen.
  [[nodiscard]] bool take_end() {
    if (received(UcxMessage::end) == ends_taken_) return false;
    ++ends_taken_;
    return true;
  }

  // Until the request is done; makes progress.
  void wait(ucs_status_ptr_t request) {
    if (request == nullptr) return;
    if (UCS_PTR_IS_ERR(request)) check_ucx(UCS_PTR_STATUS(request), "a UCX operation");
    ucs_status_t status = UCS_INPROGRESS;
    while ((status = ucp_request_check_status(request)) == UCS_INPROGRESS) progress();
    locked([&] { ucp_request_free(request); });
    check_ucx(status, "a UCX operation");
  }

 private:
  using Count = std::atomic<std::int64_t>;

  template <class Call>
  auto locked(Call const& call) {
    std::lock_guard const guard(mutex_);
    return call();
  }

  static ucs_status_t count(void* counter, void const*, std::size_t, void*, std::size_t,
                            ucp_am_recv_param_t const*) {
    static_cast<Count*>(counter)->fetch_add(1, std::memory_order_release);
    return UCS_OK;
  }
  void set_counter(UcxMessage message) {
    auto const id = static_cast<unsigned>(message);
    ucp_am_handler_param_t handler{};
    handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                         UCP_AM_HANDLER_PARAM_FIELD_ARG;
    handler.id = id;
    handler.cb = &UcxLane::count;
    handler.arg = &counts_[id];
    check_ucx(ucp_worker_set_am_recv_handler(worker_, &handler), "ucp_worker_set_am_recv_handler");
  }
  void connect(UcxContext const& context) {
    ucp_address_t* own = nullptr;
    std::size_t length = 0;
    check_ucx(ucp_worker_get_address(worker_, &own, &length), "ucp_worker_get_address");
    auto const theirs = context.session().exchange(own, length);
    ucp_worker_release_address(worker_, own);
    ucp_ep_params_t params{};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = reinterpret_cast<ucp_address_t const*>(theirs.data());
    check_ucx(ucp_ep_create(worker_, &params, &endpoint_), "ucp_ep_create");
    check_ucx(ucp_ep_rkey_unpack(endpoint_, context.remote_key(), &key_), "ucp_ep_rkey_unpack");
  }

  std::uint64_t remote_address_;
  Mutex mutex_;
  ucp_worker_h worker_{};
  ucp_ep_h endpoint_{};
  ucp_rkey_h key_{};
  std::array<Count, 3> counts_{};
  std::int64_t pongs_sent_{0};
  std::int64_t ends_taken_{0};
};

// One block of operations that need the other image's progress. The end is told on the lane itself,
// so that the passive image polls this library and no other. It is not flushed: over TCP a flush
// waits for an answer, and no thread is left to give it.
template <class Mutex, class Operate>
Figures ucx_block(MpiSession const& session, UcxLane<Mutex>& lane, int operations,
                  Operate const& operate) {
  if (!session.is_active()) {
    while (!lane.take_end()) {
      lane.progress();
      lane.answer_pings();
    }
    return {};
  }
  double const seconds = seconds_of_each(operations, operate);
  lane.send(UcxMessage::end);
  return {{"seconds", seconds}};
}

inline void add_raw_ucx(std::vector<Contestant>& contestants, MpiSession const& session,
                        UcxLane<NoMutex>& lane, int operations) {
  auto const add = [&](std::string const& name, auto operate) {
    contestants.push_back(
        {name, [=, &session, &lane] { return ucx_block(session, lane, operations, operate); }});
  };
  add("ucx.fetch_add", [&lane] { lane.fetch_add(0); });
  add("ucx.put_flush", [&lane] {
    std::int64_t const value = 1;
    lane.put(&value, sizeof value, 64);
    lane.flush();
  });
  add("ucx.get", [&lane] {
    std::int64_t value = 0;
    lane.get(&value, sizeof value, 64);
  });
  add("ucx.ping_pong", [&lane] {
    auto const before = lane.received(UcxMessage::pong);
    lane.send(UcxMessage::ping);
    while (lane.received(UcxMessage::pong) == before) lane.progress();
  });
}

}  // namespace makespan::bench

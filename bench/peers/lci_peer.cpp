// SPDX-License-Identifier: Apache-2.0
// Puts of eight bytes and active messages by LCI, between two processes of one thread.
//
//   lci_peer --rounds 5 --block-ms 50
//
// put: one, until the network says that it is at the target (libfabric's delivery complete).
// put_many: without limit, and until the last is there. rpc: an active message whose handler's
// side answers with the value and one more. rpc_many: so many of them at a time. message_many:
// active messages without an answer, and until the last has run.

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <lci.hpp>

#include "peer_rounds.hpp"

namespace makespan::bench {
namespace {

constexpr int passive = 0;

enum Kind : std::size_t { call, answer, message, count_is, all_came, end, kinds };

// What handlers change: they run in lci::progress of the only thread.
struct Progress {
  std::deque<long> unanswered{};  // calls; a handler must not send
  long answers = 0;
  long sum = 0;
  long messages = 0;
  long messages_sent = 0;
  bool is_counted = false;
  bool is_over = false;
};
Progress progress;
std::array<lci::comp_t, kinds> handlers;
std::array<lci::rcomp_t, kinds> remote_handlers;

// A message's value; gives its packet back.
long take_value(lci::status_t const& status) {
  long value = 0;
  std::memcpy(&value, status.buffer, sizeof value);
  lci::put_upacket(status.buffer);
  return value;
}

void on_call(lci::status_t status) {
  progress.unanswered.push_back(take_value(status));
}
void on_answer(lci::status_t status) {
  progress.sum += take_value(status);
  ++progress.answers;
}
void on_message(lci::status_t status) {
  progress.sum += take_value(status);
  ++progress.messages;
}
void on_count(lci::status_t status) {
  progress.messages_sent = take_value(status);
}
void on_all_came(lci::status_t status) {
  take_value(status);
  progress.is_counted = true;
}
void on_end(lci::status_t status) {
  take_value(status);
  progress.is_over = true;
}

// Both processes in the same order, so that the handles are the same.
void register_handlers() {
  std::array<lci::comp_handler_t, kinds> const functions{on_call,  on_answer,   on_message,
                                                         on_count, on_all_came, on_end};
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    handlers[kind] = lci::alloc_handler_x(functions[kind]).zero_copy_am(true)();
    remote_handlers[kind] = lci::register_rcomp(handlers[kind]);
  }
}

// Blocks while there is no room.
void send(int to, Kind kind, long value) {
  while (lci::post_am(to, &value, sizeof value, lci::COMP_NULL_RETRY, remote_handlers[kind])
             .is_retry()) {
    lci::progress();
  }
}

// The passive process's words, and where the active one's values come from.
class Window {
 public:
  Window() {
    for (long word = 0; word < words; ++word) {
      source_[static_cast<std::size_t>(word)] = put_value(word);
    }
    lci::rmr_t const here = lci::get_rmr(memory_);
    std::array<lci::rmr_t, 2> all{};
    lci::allgather(&here, all.data(), sizeof here);
    there_ = all[passive];
  }
  Window(Window const&) = delete;
  Window& operator=(Window const&) = delete;
  ~Window() {
    lci::deregister_memory(&memory_);
    lci::deregister_memory(&source_memory_);
    lci::free_comp(&completed_);
  }

  // Word by word, `each` counting up.
  void put(long each) {
    auto const word = static_cast<std::size_t>(each % words);
    for (;;) {
      auto const status = lci::post_put_x(passive, &source_[word], sizeof(long), completed_,
                                          word * sizeof(long), there_)
                              .mr(source_memory_)
                              .comp_semantic(lci::comp_semantic_t::network)
                              .allow_done(false)();
      if (!status.is_retry()) break;
      lci::progress();
    }
    ++begun_;
  }
  void wait() const {
    while (lci::counter_get(completed_) < begun_) lci::progress();
  }
  [[nodiscard]] long const* values() const { return values_.data(); }

 private:
  std::vector<long> values_ = std::vector<long>(words);
  std::vector<long> source_ = std::vector<long>(words);
  lci::mr_t memory_ = lci::register_memory(values_.data(), words * sizeof(long));
  lci::mr_t source_memory_ = lci::register_memory(source_.data(), words * sizeof(long));
  lci::comp_t completed_ = lci::alloc_counter();
  lci::rmr_t there_{};
  int64_t begun_ = 0;
};

// Calls, of which no more than so many have no answer yet.
void call_many(long count, long under_way) {
  long const before = progress.answers;
  for (long each = 0; each < count; ++each) {
    while (each - (progress.answers - before) >= under_way) lci::progress();
    send(passive, call, each);
  }
  while (progress.answers - before < count) lci::progress();
}

void send_messages(long count) {
  for (long each = 0; each < count; ++each) send(passive, message, each);
  progress.messages_sent += count;
  progress.is_counted = false;
  send(passive, count_is, progress.messages_sent);
  while (!progress.is_counted) lci::progress();
}

void measure(PeerRounds& rounds, Window& window) {
  rounds.add("put", [&](long count) {
    for (long each = 0; each < count; ++each) {
      window.put(each);
      window.wait();
    }
  });
  rounds.add("put_many", [&](long count) {
    for (long each = 0; each < count; ++each) window.put(each);
    window.wait();
  });
  rounds.add("rpc", [](long count) { call_many(count, 1); });
  rounds.add("rpc_many", [](long count) { call_many(count, calls_under_way); });
  rounds.add("message_many", send_messages);
  rounds.run();
}

void serve() {
  long told = 0;
  while (!progress.is_over) {
    lci::progress();
    while (!progress.unanswered.empty()) {
      long const value = progress.unanswered.front();
      progress.unanswered.pop_front();
      send(1 - passive, answer, value + 1);
    }
    if (progress.messages_sent > told && progress.messages == progress.messages_sent) {
      told = progress.messages_sent;
      send(1 - passive, all_came, told);
    }
  }
}

void run_ranks(int argc, char** argv) {
  PeerRounds rounds{Arguments(argc, argv)};
  if (lci::get_rank_n() != 2) throw std::runtime_error{"lci_peer: two processes, please"};
  pin_to_core(lci::get_rank_me());
  register_handlers();
  Window window;
  lci::barrier();
  if (lci::get_rank_me() == passive) {
    serve();
  } else {
    measure(rounds, window);
    send(passive, end, 0);
  }
  lci::wait_drained();
  lci::barrier();
  if (lci::get_rank_me() == passive) check_words(window.values());
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    lci::deregister_rcomp(remote_handlers[kind]);
    lci::free_comp(&handlers[kind]);
  }
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  lci::g_runtime_init();
  int const code = exit_code_of([&] { run_ranks(argc, argv); });
  if (code != EXIT_SUCCESS) std::_Exit(code);  // the other process may wait: mpiexec ends it
  lci::g_runtime_fina();
  return code;
}

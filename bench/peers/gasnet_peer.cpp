// SPDX-License-Identifier: Apache-2.0
// Puts of eight bytes and active messages by GASNet-EX, between two processes, in SEQ mode.
//
//   gasnet_peer --rounds 5 --block-ms 50
//
// put: one, blocking. put_many: without limit, and wait. rpc: a short request whose handler answers
// with the value and one more. rpc_many: so many of them at a time. message_many: short requests
// without an answer, and until the last has run. Compiled for each conduit (one_sided.toml).

#include <gasnetex.h>

#include <bit>
#include <cstdint>

#include "peer_rounds.hpp"

namespace makespan::bench {
namespace {

constexpr gex_Rank_t passive = 0;
constexpr std::size_t segment_bytes = std::size_t{1} << 20;

enum Handler : gex_AM_Index_t {
  call = GEX_AM_INDEX_BASE,
  answer,
  message,
  count_is,
  all_came,
  end,
};

// What handlers change: they run in gasnet_AMPoll of the only thread.
struct Progress {
  long answers = 0;        // to calls
  long sum = 0;            // of what answers and messages brought
  long messages = 0;       // that came
  long messages_sent = 0;  // as the active process says
  bool is_counted = false;
  bool is_over = false;
};
Progress progress;
gex_TM_t team;

// A value of 64 bits as two arguments.
gex_AM_Arg_t high(long value) {
  return static_cast<gex_AM_Arg_t>(static_cast<std::uint64_t>(value) >> 32);
}
gex_AM_Arg_t low(long value) {
  return static_cast<gex_AM_Arg_t>(value);
}
long joined(gex_AM_Arg_t above, gex_AM_Arg_t below) {
  auto const bits = std::uint64_t{static_cast<std::uint32_t>(above)} << 32;
  return std::bit_cast<long>(bits | static_cast<std::uint32_t>(below));
}

void on_call(gex_Token_t token, gex_AM_Arg_t above, gex_AM_Arg_t below) {
  long const value = joined(above, below) + 1;
  gex_AM_ReplyShort2(token, answer, 0, high(value), low(value));
}
void on_answer(gex_Token_t /*token*/, gex_AM_Arg_t above, gex_AM_Arg_t below) {
  progress.sum += joined(above, below);
  ++progress.answers;
}
void on_message(gex_Token_t /*token*/, gex_AM_Arg_t above, gex_AM_Arg_t below) {
  progress.sum += joined(above, below);
  ++progress.messages;
}
void on_count(gex_Token_t /*token*/, gex_AM_Arg_t above, gex_AM_Arg_t below) {
  progress.messages_sent = joined(above, below);
}
void on_all_came(gex_Token_t /*token*/) {
  progress.is_counted = true;
}
void on_end(gex_Token_t /*token*/) {
  progress.is_over = true;
}

template <class Function>
gex_AM_Entry_t entry(Handler handler, Function* function, unsigned int arguments, bool is_reply) {
  gex_AM_Entry_t filled{};
  filled.gex_index = handler;
  filled.gex_fnptr = reinterpret_cast<gex_AM_Fn_t>(function);
  filled.gex_flags =
      (is_reply ? GEX_FLAG_AM_REPLY : GEX_FLAG_AM_REQUEST) | unsigned{GEX_FLAG_AM_SHORT};
  filled.gex_nargs = arguments;
  return filled;
}

void register_handlers(gex_EP_t endpoint) {
  gex_AM_Entry_t entries[] = {
      entry(call, on_call, 2, false),         entry(answer, on_answer, 2, true),
      entry(message, on_message, 2, false),   entry(count_is, on_count, 2, false),
      entry(all_came, on_all_came, 0, false), entry(end, on_end, 0, false),
  };
  gex_EP_RegisterHandlers(endpoint, entries, sizeof entries / sizeof *entries);
}

long* segment_of(gex_Rank_t rank) {
  void* address = nullptr;
  std::uintptr_t bytes = 0;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(team, rank, &address, nullptr, &bytes, 0));
  return static_cast<long*>(address);
}

// Calls, of which no more than so many have no answer yet.
void call_many(long count, long under_way) {
  long const before = progress.answers;
  for (long each = 0; each < count; ++each) {
    while (each - (progress.answers - before) >= under_way) gasnet_AMPoll();
    gex_AM_RequestShort2(team, passive, call, 0, high(each), low(each));
  }
  while (progress.answers - before < count) gasnet_AMPoll();
}

void send_messages(long count) {
  for (long each = 0; each < count; ++each) {
    gex_AM_RequestShort2(team, passive, message, 0, high(each), low(each));
  }
  progress.messages_sent += count;
  progress.is_counted = false;
  gex_AM_RequestShort2(team, passive, count_is, 0, high(progress.messages_sent),
                       low(progress.messages_sent));
  while (!progress.is_counted) gasnet_AMPoll();
}

void measure(PeerRounds& rounds) {
  long* const values = segment_of(passive);
  rounds.add("put", [=](long count) {
    for (long each = 0; each < count; ++each) {
      gex_RMA_PutBlockingVal(team, passive, &values[each % words],
                             static_cast<gex_RMA_Value_t>(put_value(each)), sizeof each, 0);
    }
  });
  rounds.add("put_many", [=](long count) {
    for (long each = 0; each < count; ++each) {
      gex_RMA_PutNBIVal(team, passive, &values[each % words],
                        static_cast<gex_RMA_Value_t>(put_value(each)), sizeof each, 0);
    }
    gex_NBI_Wait(GEX_EC_PUT, 0);
  });
  rounds.add("rpc", [](long count) { call_many(count, 1); });
  rounds.add("rpc_many", [](long count) { call_many(count, calls_under_way); });
  rounds.add("message_many", send_messages);
  rounds.run();
}

void serve() {
  long told = 0;
  while (!progress.is_over) {
    gasnet_AMPoll();
    if (progress.messages_sent > told && progress.messages == progress.messages_sent) {
      told = progress.messages_sent;
      gex_AM_RequestShort0(team, 1 - passive, all_came, 0);
    }
  }
}

void run_peer(gex_EP_t endpoint, int argc, char** argv) {
  PeerRounds rounds{Arguments(argc, argv)};
  if (gex_TM_QuerySize(team) != 2) throw std::runtime_error{"gasnet_peer: two processes, please"};
  gex_Rank_t const rank = gex_TM_QueryRank(team);
  gex_Segment_t segment = GEX_SEGMENT_INVALID;
  gex_Segment_Attach(&segment, team, segment_bytes);
  register_handlers(endpoint);
  std::fill_n(segment_of(rank), words, 0L);
  pin_to_core(static_cast<int>(rank));
  gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
  if (rank == passive) {
    serve();
  } else {
    measure(rounds);
    gex_AM_RequestShort0(team, passive, end, 0);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
  if (rank == passive) check_words(segment_of(rank));
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  gex_Client_t client = GEX_CLIENT_INVALID;
  gex_EP_t endpoint = GEX_EP_INVALID;
  gex_Client_Init(&client, &endpoint, &team, "makespan_peer", &argc, &argv, 0);
  gasnet_exit(exit_code_of([&] { run_peer(endpoint, argc, argv); }));
}

// SPDX-License-Identifier: Apache-2.0
#pragma once
// Our runtime as a contestant: one Runtime on the MPI of the session, memory on both images, and
// the passive image's part.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "contestant.hpp"
#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/runtime.hpp"
#include "optimizer_barrier.hpp"
#include "passive_target.hpp"
#include "raw_atomic_ref.hpp"
#include "thread_block.hpp"

namespace makespan::bench {

class Ours {
 public:
  static constexpr std::int64_t bytes_per_thread = std::int64_t{4} << 20;

  // Collective. The session ends after it.
  Ours(MpiSession const& session, pgas::RuntimeOptions const& options)
      : session_(session),
        runtime_(options),
        words_(runtime_.allocate_all<std::int64_t>(512, "words")),
        block_(runtime_.allocate_all<std::byte>(bytes_per_thread * options.threads, "block")) {}
  Ours(Ours const&) = delete;
  Ours& operator=(Ours const&) = delete;
  ~Ours() {
    if (std::uncaught_exceptions() == 0) runtime_.finish_all();
  }

  [[nodiscard]] MpiSession const& session() const { return session_; }
  [[nodiscard]] pgas::Runtime& runtime() { return runtime_; }
  [[nodiscard]] pgas::Endpoint& here(int thread = 0) { return runtime_.endpoint(thread); }

  // The passive image's counter, another word of it, and a long block of each thread's.
  static constexpr ImageId passive{0};
  [[nodiscard]] auto counter() const { return words_.at(passive, 0); }
  [[nodiscard]] auto word() const { return words_.at(passive, 64); }
  [[nodiscard]] auto block(ImageId image, int thread) const {
    return block_.at(image, bytes_per_thread * thread);
  }
  [[nodiscard]] auto block(int thread) const { return block(passive, thread); }
  // What a block's end is told by: counts blocks.
  [[nodiscard]] auto ends() const { return words_.at(passive, 128).reinterpret<std::uint64_t>(); }
  // What messages have come.
  [[nodiscard]] auto arrivals() const {
    return words_.at(passive, 192).reinterpret<std::uint64_t>();
  }

  // How many arrivals there are when `count` more have come. Call it on the passive image, before.
  [[nodiscard]] std::uint64_t take_arrivals(std::uint64_t count) { return arrivals_ += count; }

  void tell_end() {
    pgas::add(here(), ends(), 1);
    here().flush(passive);
  }
  // How many ends there are when the next has come. Call it on the passive image, before.
  [[nodiscard]] std::uint64_t take_end() { return ++ends_taken_; }
  void wait_for_end() { here().wait_until_word(ends(), pgas::Comparison::at_least, take_end()); }

  // The active image does `operate` so often; the passive one drives progress meanwhile.
  template <class Operate>
  Figures block_of(int operations, Operate const& operate) {
    if (!session_.is_active()) {
      wait_for_end();
      return {};
    }
    double const seconds = seconds_of_each(operations, operate);
    tell_end();
    return {{"seconds", seconds}};
  }

 private:
  MpiSession const& session_;
  pgas::Runtime runtime_;
  pgas::SymmetricArray<std::int64_t> words_;
  pgas::SymmetricArray<std::byte> block_;
  std::uint64_t ends_taken_{0};
  std::uint64_t arrivals_{0};
};

// Eight bytes on a node, while the passive image sleeps.
inline void add_ours_on_node(std::vector<Contestant>& contestants, Ours& ours, int operations) {
  auto const add = [&](std::string const& name, auto operate) {
    contestants.push_back(
        {name, [=, &ours] { return on_node_block(ours.session(), operations, operate); }});
  };
  pgas::Endpoint& here = ours.here();
  auto const counter = ours.counter();
  auto const word = ours.word();
  add("makespan.fetch_add", [=, &here] { keep(fetch_add(here, counter, 1)); });
  add("makespan.put", [=, &here] {
    here.put(word, std::int64_t{1});
    keep(&here);
  });
  add("makespan.get", [=, &here] { keep(here.get(word)); });
}

// The same between hosts, and a remote call there and back.
inline void add_ours_remote(std::vector<Contestant>& contestants, Ours& ours, int operations) {
  auto const add = [&](std::string const& name, auto operate) {
    contestants.push_back({name, [=, &ours] { return ours.block_of(operations, operate); }});
  };
  add("makespan.fetch_add", [&ours] { keep(fetch_add(ours.here(), ours.counter(), 1)); });
  add("makespan.put_flush", [&ours] {
    ours.here().put(ours.word(), std::int64_t{1});
    ours.here().flush(Ours::passive);
  });
  add("makespan.get", [&ours] { keep(ours.here().get(ours.word())); });
  add("makespan.rpc", [&ours] {
    auto const answer = ours.here().rpc(
        Ours::passive, [](std::int64_t value) { return value + 1; }, std::int64_t{1});
    keep(answer.get());
  });
}

inline PassiveWay ours_passive(Ours& ours) {
  MpiSession const& session = ours.session();
  return {.operate = [&ours] { keep(fetch_add(ours.here(), ours.counter(), 1)); },
          .tell_end = [&session] { session.send_end(); },
          .begin = [] {},
          .serve_to_end = [&session] { session.receive_end(); }};
}

// Threads of one image, all at the same thing.
class OursThreads {
 public:
  enum class Operation { put_flush, put_many, put_large };

  explicit OursThreads(Ours& ours) : ours_(ours) {}

  Figures block(ThreadBlock const& shape, Operation operation) {
    MpiSession const& session = ours_.session();
    if (!session.is_active()) {
      serve(shape);
      return {};
    }
    Figures const figures = run_threads(shape, [this, operation](int thread) {
      return [this, operation, thread] { return operate(operation, thread); };
    });
    if (shape.target == Target::sleeps) {
      session.send_end();
    } else {
      ours_.tell_end();
    }
    return figures;
  }

 private:
  int operate(Operation operation, int thread) {
    switch (operation) {
      case Operation::put_flush:
        return put_window<1>(thread, 8);
      case Operation::put_many:
        return put_window<64>(thread, 8);
      default:
        return put_window<16>(thread, large_put_bytes);
    }
  }

  template <int window>
  int put_window(int thread, std::size_t bytes) {
    static std::vector<std::byte> const data(large_put_bytes);
    pgas::Endpoint& here = ours_.here(thread);
    auto to = ours_.block(thread);
    for (int put = 0; put < window; ++put) {
      here.put(to, std::span(data).first(bytes));
      to += static_cast<std::int64_t>(bytes);
    }
    here.flush(Ours::passive);
    return window;
  }

  void serve(ThreadBlock const& shape) {
    MpiSession const& session = ours_.session();
    if (shape.target == Target::sleeps) {
      session.sleep_until_end();
      return;
    }
    // In the runtime's own wait, as threads of a program are that have nothing to do.
    std::uint64_t const ends = ours_.take_end();
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < shape.threads; ++thread) {
      threads.emplace_back([this, thread, ends] {
        ours_.here(thread).wait_until_word(ours_.ends(), pgas::Comparison::at_least, ends);
      });
    }
  }

  Ours& ours_;
};

}  // namespace makespan::bench

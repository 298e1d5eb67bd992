// SPDX-License-Identifier: Apache-2.0
// Puts and gets of all sizes, one at a time and many under way, one way and both ways: by messages,
// by UCX's own put and get, by the way that is chosen, by designs of endpoints, and by bare UCX.
//
//   mpiexec -n 2 transfer_bench --contestants message,rma,chosen,ucx --sizes 8,4096 --threads 1
//     --operations put,get,put_many --rounds 7 --block-ms 20 --transports tcp
//
// --window: how many may be under way (64). Operations rpc and rpc_many are of ours alone.

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "contestant.hpp"
#include "ours.hpp"
#include "raw_ucx.hpp"
#include "thread_block.hpp"

namespace makespan::bench {
namespace {

enum class Operation { put, get, put_many, get_many, put_both_ways, rpc, rpc_many };

// Of all operations that are under way at a time, at least four.
constexpr std::size_t window_bytes = std::size_t{1} << 20;
constexpr std::size_t bytes_most = std::size_t{4} << 20;

Operation operation_named(std::string const& name) {
  if (name == "put") return Operation::put;
  if (name == "get") return Operation::get;
  if (name == "put_many") return Operation::put_many;
  if (name == "get_many") return Operation::get_many;
  if (name == "put_both_ways") return Operation::put_both_ways;
  if (name == "rpc") return Operation::rpc;
  if (name == "rpc_many") return Operation::rpc_many;
  throw std::invalid_argument{"--operations " + name};
}

struct Shape {
  Operation operation;
  std::size_t bytes;
  int threads;
  double seconds;
  std::size_t window_most;  // operations under way at a time, of those that are many

  [[nodiscard]] bool is_one() const {
    return operation == Operation::put || operation == Operation::get ||
           operation == Operation::rpc;
  }
  [[nodiscard]] bool is_get() const {
    return operation == Operation::get || operation == Operation::get_many;
  }
  // How often a thread does a window before it looks at the clock.
  [[nodiscard]] int repeats() const { return is_one() && bytes <= 4096 ? 32 : 1; }
  [[nodiscard]] std::size_t window() const {
    return is_one() ? 1 : std::clamp<std::size_t>(window_bytes / bytes, 4, window_most);
  }
};

// Of operate(thread), which does a window.
template <class Operate>
Figures measure(Shape const& shape, Operate const& operate) {
  ThreadBlock const block{.threads = shape.threads, .seconds = shape.seconds, .target = {}};
  Figures figures = run_threads(block, [&](int thread) {
    return [&, thread] {
      for (int repeat = 0; repeat < shape.repeats(); ++repeat) operate(thread);
      return shape.repeats() * static_cast<int>(shape.window());
    };
  });
  double const per_second = figures[1].value;
  figures[2].value = per_second * static_cast<double>(shape.bytes);
  return figures;
}

// Our runtime with some options.
class OursTransfers {
 public:
  OursTransfers(MpiSession const& session, pgas::RuntimeOptions const& options)
      : ours_(session, options) {
    for (int thread = 0; thread < options.threads; ++thread) data_.emplace_back(bytes_most);
    calls_.resize(data_.size());
  }

  Figures block(Shape const& shape) {
    bool const both = shape.operation == Operation::put_both_ways;
    if (!both && !ours_.session().is_active()) {
      serve(shape);
      return {};
    }
    Figures figures = measure(shape, [&](int thread) { do_window(shape, thread); });
    if (both) {
      ours_.runtime().team().barrier_all();
    } else {
      ours_.tell_end();
    }
    return figures;
  }

 private:
  void do_window(Shape const& shape, int thread) {
    pgas::Endpoint& here = ours_.here(thread);
    ImageId const other{1 - ours_.runtime().image().value()};
    auto const place = ours_.block(other, thread);
    auto const mine = std::span(data_[static_cast<std::size_t>(thread)]).first(shape.bytes);
    if (shape.operation == Operation::rpc || shape.operation == Operation::rpc_many) {
      call(here, other, shape.window(), calls_[static_cast<std::size_t>(thread)]);
    } else if (shape.operation == Operation::get) {
      here.get(place, mine);
    } else if (shape.operation == Operation::get_many) {
      std::vector<pgas::Future<void>> under_way;
      for (std::size_t each = 0; each < shape.window(); ++each) {
        under_way.push_back(here.get_async(place, mine));
      }
      for (auto& each : under_way) each.get();
    } else {
      put_window(here, place, mine, shape.window());
      here.flush(other);
    }
  }

  static void put_window(pgas::Endpoint& here, pgas::GlobalPtr<std::byte> place,
                         std::span<std::byte const> mine, std::size_t puts) {
    if (mine.size() == sizeof(std::int64_t)) {
      // A word is put as a word, as in a program.
      auto const word = place.reinterpret<std::int64_t>();
      for (std::size_t each = 0; each < puts; ++each) {
        here.put(word, static_cast<std::int64_t>(each));
        keep(&here);
      }
    } else {
      for (std::size_t each = 0; each < puts; ++each) here.put(place, mine);
    }
  }

  using Calls = std::vector<pgas::Future<std::int64_t>>;

  // Remote calls with eight bytes, and until all have come back.
  static void call(pgas::Endpoint& here, ImageId other, std::size_t calls, Calls& under_way) {
    under_way.clear();
    for (std::size_t each = 0; each < calls; ++each) {
      under_way.push_back(
          here.rpc(other, [](std::int64_t value) { return value + 1; }, std::int64_t{1}));
    }
    for (auto& each : under_way) keep(each.get());
  }

  void serve(Shape const& shape) {
    std::uint64_t const ends = ours_.take_end();
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < shape.threads; ++thread) {
      threads.emplace_back([this, thread, ends] {
        ours_.here(thread).wait_until_word(ours_.ends(), pgas::Comparison::at_least, ends);
      });
    }
  }

  Ours ours_;
  std::vector<std::vector<std::byte>> data_;  // by thread
  std::vector<Calls> calls_{};                // by thread; memory that is used again
};

// Bare UCX: one worker for each thread.
class UcxTransfers {
 public:
  UcxTransfers(MpiSession const& session, std::string const& transports, int threads)
      : session_(session),
        context_(session, transports, bytes_most * static_cast<std::size_t>(threads)) {
    for (int thread = 0; thread < threads; ++thread) {
      lanes_.push_back(std::make_unique<UcxLane<NoMutex>>(context_, UCS_THREAD_MODE_SERIALIZED));
      data_.emplace_back(bytes_most);
    }
  }

  Figures block(Shape const& shape) {
    bool const both = shape.operation == Operation::put_both_ways;
    Figures figures;
    if (both || session_.is_active()) {
      figures = measure(shape, [&](int thread) { do_window(shape, thread); });
      for (auto const& lane : lanes_) lane->send(UcxMessage::end);
    }
    if (both || !session_.is_active()) serve();
    return figures;
  }

 private:
  void do_window(Shape const& shape, int thread) {
    UcxLane<NoMutex>& lane = *lanes_[static_cast<std::size_t>(thread)];
    std::byte* const mine = data_[static_cast<std::size_t>(thread)].data();
    std::uint64_t const offset = bytes_most * static_cast<std::uint64_t>(thread);
    std::vector<ucs_status_ptr_t> under_way;
    for (std::size_t each = 0; each < shape.window(); ++each) {
      under_way.push_back(shape.is_get() ? lane.begin_get(mine, shape.bytes, offset)
                                         : lane.begin_put(mine, shape.bytes, offset));
    }
    for (auto const each : under_way) lane.wait(each);
    if (!shape.is_get()) lane.flush();
  }

  void serve() {
    std::vector<std::jthread> threads;
    for (auto const& lane : lanes_) {
      threads.emplace_back([&lane] {
        while (!lane->take_end()) {
          if (!lane->progress()) std::this_thread::yield();
        }
      });
    }
  }

  MpiSession const& session_;
  UcxContext context_;
  std::vector<std::unique_ptr<UcxLane<NoMutex>>> lanes_{};
  std::vector<std::vector<std::byte>> data_{};  // by thread
};

// The options of one of ours, by its name.
pgas::RuntimeOptions options_named(std::string const& name, int threads) {
  pgas::RuntimeOptions options{.threads = threads,
                               .stealing = pgas::Stealing::off,
                               .heap_bytes = std::int64_t{8} * threads << 20};
  if (name == "message") {
    options.ucx_rma = pgas::RmaUse::never;
  } else if (name == "rma") {
    options.ucx_rma = pgas::RmaUse::always;
  } else if (name == "global_lock") {
    options.design = pgas::EndpointDesign::shared_global_lock;
  } else if (name == "fine_lock") {
    options.design = pgas::EndpointDesign::shared_fine_lock;
  } else if (name != "chosen") {
    throw std::invalid_argument{"--contestants " + name};
  }
  return options;
}

void run_transfers(MpiSession const& session, Arguments const& arguments) {
  int const threads = arguments.integer("threads");
  std::vector<std::pair<std::string, std::function<Figures(Shape const&)>>> ways;
  for (std::string const& name : arguments.texts("contestants")) {
    if (name == "ucx") {
      auto way = std::make_shared<UcxTransfers>(session, arguments.text("transports"), threads);
      ways.emplace_back(name, [way](Shape const& shape) { return way->block(shape); });
    } else {
      auto way = std::make_shared<OursTransfers>(session, options_named(name, threads));
      ways.emplace_back(name, [way](Shape const& shape) { return way->block(shape); });
    }
  }
  std::vector<Contestant> contestants;
  for (std::string const& operation : arguments.texts("operations")) {
    for (std::string const& bytes : arguments.texts("sizes")) {
      Shape const shape{.operation = operation_named(operation),
                        .bytes = std::stoul(bytes),
                        .threads = threads,
                        .seconds = 1e-3 * arguments.number("block-ms"),
                        .window_most = std::stoul(arguments.text_or("window", "64"))};
      if (shape.bytes == 0 || shape.bytes > bytes_most) {
        throw std::invalid_argument{"--sizes " + bytes + " (1 byte to 4 MiB)"};
      }
      for (auto const& [name, block] : ways) {
        contestants.push_back(
            {name + "." + operation + "." + bytes, [shape, &block] { return block(shape); }});
      }
    }
  }
  run_interleaved(session, contestants, arguments.integer("rounds"));
  session.barrier();
  // In the order that all images have.
  contestants.clear();
  while (!ways.empty()) ways.pop_back();
}

}  // namespace
}  // namespace makespan::bench

int main(int argc, char** argv) {
  using namespace makespan::bench;
  return run_bench(argc, argv, run_transfers);
}

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/uts/tree_search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "makespan/apps/uts/detail/shared_nodes.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/atomics.hpp"

namespace makespan::uts {

namespace {

using pgas::EndpointAddress;

constexpr std::int64_t ring_capacity = 4096;
// Nodes that are taken at once.
constexpr int taken_max = 1024;
// Nodes from one look at the endpoint to the next.
constexpr std::int64_t look_every = 128;
// A fixed division has so many subtrees for each thread.
constexpr std::size_t subtrees_each = 16;

// Instead of the number of idle threads; so far below 0 that later counts leave it there.
constexpr std::int64_t has_failed_somewhere = std::numeric_limits<std::int64_t>::min() / 2;

struct Counts {
  std::int64_t nodes{0};
  std::int64_t leaves{0};
  std::int64_t depth{0};
  std::int64_t steals{0};
  std::int64_t stolen{0};
};

// What all threads of an image share.
struct Shared {
  pgas::Runtime& runtime;
  Tree const& tree;
  SearchOptions const& options;
  NodeRings const& rings;
  pgas::SymmetricArray<std::int64_t>
      idle;  // on image 0: threads that have nothing and take nothing
  std::atomic<bool> has_failed{false};

  [[nodiscard]] std::int64_t threads_of_all() const {
    return static_cast<std::int64_t>(options.threads) * runtime.images();
  }
};

class Searcher {
 public:
  Searcher(Shared& shared, int thread)
      : shared_{shared},
        here_{shared.runtime.endpoint(thread)},
        others_{here_, shared.rings},
        // Another for each thread, and none is 0, where xorshift stays. The factor is 2^64 over the
        // golden ratio.
        random_{static_cast<std::uint64_t>(number()) * 0x9E37'79B9'7F4A'7C15U + 1} {}

  Counts run(std::vector<Node> begin) {
    nodes_ = std::move(begin);
    for (;;) {
      work();
      if (shared_.has_failed.load(std::memory_order_relaxed)) break;
      if (shared_.options.division == Division::fixed) break;
      // Others may be faster with what it has offered, and then there may be more.
      if (others_.available(here_.address()) > 0) {
        others_.take(here_.address(), taken_max, nodes_);
      } else if (!steal()) {
        break;
      }
    }
    // Counts of copied nodes (SharedNodes::take()) may still be under way, to rings that are freed
    // next.
    here_.flush_all();
    return counts_;
  }

  // Tells the threads of all images that they wait in vain, if it can be told.
  void fail() noexcept {
    shared_.has_failed.store(true, std::memory_order_relaxed);
    try {
      store(here_, shared_.idle.at(ImageId{0}), has_failed_somewhere);
      here_.flush(ImageId{0});
      // NOLINTNEXTLINE(bugprone-empty-catch)
    } catch (...) {
      // Image 0 is lost, which they notice by themselves.
    }
  }

 private:
  [[nodiscard]] std::int64_t number() const {
    EndpointAddress const own = here_.address();
    return own.image.value() * shared_.options.threads + own.thread;
  }

  void work() {
    Tree const& tree = shared_.tree;
    while (!nodes_.empty()) {
      Node const node = nodes_.back();
      nodes_.pop_back();
      ++counts_.nodes;
      counts_.depth = std::max<std::int64_t>(counts_.depth, node.depth);
      int const children = tree.children(node);
      if (children == 0) ++counts_.leaves;
      for (int child = 0; child < children; ++child) nodes_.push_back(Tree::child(node, child));
      if (counts_.nodes % look_every == 0) look_up();
    }
  }

  // Others may want something of this thread, or have nothing to do.
  void look_up() {
    here_.progress();
    if (shared_.options.division == Division::fixed) return;
    auto const chunk = static_cast<std::size_t>(shared_.options.chunk);
    // The oldest nodes are the nearest to the root, and have the largest subtrees as a rule.
    while (nodes_.size() >= 2 * chunk &&
           others_.available(here_.address()) < shared_.options.chunk) {
      if (!others_.offer(std::span(nodes_).first(chunk))) return;
      nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(chunk));
    }
  }

  // False when no thread has anything. A thread counts as idle only while its own ring is empty,
  // which no other thread fills, and takes its count back before it takes nodes. So when all are
  // counted no nodes are left, and none are on their way.
  bool steal() {
    bool is_idle = false;
    auto const note_idle = [&](bool now) {
      if (std::exchange(is_idle, now) == now) return;
      fetch_add(here_, shared_.idle.at(ImageId{0}), std::int64_t{now ? 1 : -1});
    };
    for (;;) {
      for (EndpointAddress const& victim : round()) {
        if (others_.available(victim) == 0) continue;
        // Before it takes: no thread may think that all are idle while nodes are on their way.
        note_idle(false);
        int const taken = others_.take(victim, taken_max, nodes_);
        if (taken == 0) continue;
        ++counts_.steals;
        counts_.stolen += taken;
        return true;
      }
      note_idle(true);
      here_.progress();
      std::int64_t const idle = load(here_, shared_.idle.at(ImageId{0}));
      // Below 0: a thread of some image has failed.
      if (idle == shared_.threads_of_all() || idle < 0) return false;
      if (shared_.has_failed.load(std::memory_order_relaxed)) return false;
      std::this_thread::yield();
    }
  }

  // Those of this image, then all others, each beginning somewhere.
  [[nodiscard]] std::vector<EndpointAddress> const& round() {
    EndpointAddress const own = here_.address();
    int const threads = shared_.options.threads;
    int const images = shared_.runtime.images();
    round_.clear();
    for (int next = 1; next < threads; ++next) {
      round_.push_back({.image = own.image, .thread = (own.thread + next) % threads});
    }
    if (images == 1) return round_;
    int const first = draw(images);
    for (int next = 0; next < images; ++next) {
      ImageId const image{(first + next) % images};
      if (image == own.image) continue;
      int const begin = draw(threads);
      for (int thread = 0; thread < threads; ++thread) {
        round_.push_back({.image = image, .thread = (begin + thread) % threads});
      }
    }
    return round_;
  }

  // Of xorshift (Marsaglia, 2003).
  int draw(int below) {
    random_ ^= random_ << 13U;
    random_ ^= random_ >> 7U;
    random_ ^= random_ << 17U;
    return static_cast<int>(random_ % static_cast<std::uint64_t>(below));
  }

  Shared& shared_;
  pgas::Endpoint& here_;
  SharedNodes others_;
  std::uint64_t random_;
  std::vector<Node> nodes_{};
  std::vector<EndpointAddress> round_{};
  Counts counts_{};
};

// Of the first level that has enough nodes every so-many-th one; what is above counts for thread 0.
// All threads of all images find the same.
struct Dealt {
  std::vector<std::vector<Node>> of_thread{};  // of this image
  Counts above{};                              // on image 0
};

Dealt deal_out(Shared const& shared) {
  std::vector<Node> level{shared.tree.root()};
  Dealt dealt{.of_thread =
                  std::vector<std::vector<Node>>(static_cast<std::size_t>(shared.options.threads))};
  auto const all = static_cast<std::size_t>(shared.threads_of_all());
  while (!level.empty() && level.size() < subtrees_each * all) {
    std::vector<Node> next;
    for (Node const& node : level) {
      int const children = shared.tree.children(node);
      ++dealt.above.nodes;
      dealt.above.leaves += children == 0 ? 1 : 0;
      dealt.above.depth = node.depth;
      for (int child = 0; child < children; ++child) next.push_back(Tree::child(node, child));
    }
    level = std::move(next);
  }
  auto const first =
      static_cast<std::size_t>(shared.runtime.image().value()) * dealt.of_thread.size();
  for (std::size_t at = 0; at < level.size(); ++at) {
    // Those of images before this one come out below 0, which is a very large number here.
    std::size_t const thread = at % all - first;
    if (thread < dealt.of_thread.size()) dealt.of_thread[thread].push_back(level[at]);
  }
  if (shared.runtime.image() != ImageId{0}) dealt.above = {};
  return dealt;
}

Dealt begin_of(Shared const& shared) {
  if (shared.options.division == Division::fixed) return deal_out(shared);
  Dealt dealt{.of_thread =
                  std::vector<std::vector<Node>>(static_cast<std::size_t>(shared.options.threads))};
  if (shared.runtime.image() == ImageId{0}) dealt.of_thread[0].push_back(shared.tree.root());
  return dealt;
}

void expect_options(SearchOptions const& options) {
  if (options.threads < 1) {
    throw InputError("threads = " + std::to_string(options.threads), "no thread searches",
                     "give 1 at least");
  }
  if (options.chunk < 1 || options.chunk > ring_capacity / 4) {
    throw InputError("chunk = " + std::to_string(options.chunk), "it is from 1 to 1024",
                     "20 is a good one");
  }
}

// By thread; throws what one has thrown.
std::vector<Counts> run_threads(Shared& shared) {
  Dealt dealt = begin_of(shared);
  std::vector<Counts> counts(dealt.of_thread.size());
  std::vector<std::exception_ptr> errors(counts.size());
  auto const run = [&](std::size_t thread) {
    Searcher searcher(shared, static_cast<int>(thread));
    try {
      counts[thread] = searcher.run(std::move(dealt.of_thread[thread]));
    } catch (...) {
      errors[thread] = std::current_exception();
      searcher.fail();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t thread = 1; thread < counts.size(); ++thread) {
        threads.emplace_back(run, thread);
      }
    } catch (...) {
      Searcher(shared, 0).fail();
      throw;
    }
    run(0);
  }
  for (std::exception_ptr const& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  counts[0].nodes += dealt.above.nodes;
  counts[0].leaves += dealt.above.leaves;
  counts[0].depth = std::max(counts[0].depth, dealt.above.depth);
  return counts;
}

// Collective. Throws on all images if a thread of one has failed: none waits for counts that do not
// come.
void expect_none_failed_all(pgas::Team& team, std::exception_ptr const& error) {
  std::int64_t failed = 0;
  try {
    failed = team.all_reduce_all(pgas::ReduceOp::sum, std::int64_t{error ? 1 : 0});
  } catch (...) {
    if (!error) throw;  // else that says more
  }
  if (error) std::rethrow_exception(error);
  if (failed == 0) return;
  throw std::runtime_error("a search of a tree: threads of " + std::to_string(failed) +
                           " other images have failed: what they print says why");
}

}  // namespace

SearchResult search_all(pgas::Runtime& runtime, Tree const& tree, SearchOptions const& options) {
  expect_options(options);
  // endpoint() throws where there are fewer: here the caller gets that, from a thread it would not.
  static_cast<void>(runtime.endpoint(options.threads - 1));
  NodeRings const rings(runtime, options.threads, ring_capacity);
  auto const idle = runtime.allocate_all<std::int64_t>(1, "idle threads");
  Shared shared{.runtime = runtime, .tree = tree, .options = options, .rings = rings, .idle = idle};
  pgas::Team& team = runtime.team();
  team.barrier_all();
  auto const begin = std::chrono::steady_clock::now();
  std::vector<Counts> counts;
  std::exception_ptr error;
  try {
    counts = run_threads(shared);
  } catch (...) {
    error = std::current_exception();
  }
  double const taken_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  expect_none_failed_all(team, error);
  Counts sum;
  std::int64_t most = 0;
  for (Counts const& each : counts) {
    sum.nodes += each.nodes;
    sum.leaves += each.leaves;
    sum.depth = std::max(sum.depth, each.depth);
    sum.steals += each.steals;
    sum.stolen += each.stolen;
    most = std::max(most, each.nodes);
  }
  SearchResult const result{
      .nodes = team.all_reduce_all(pgas::ReduceOp::sum, sum.nodes),
      .leaves = team.all_reduce_all(pgas::ReduceOp::sum, sum.leaves),
      .depth = static_cast<int>(team.all_reduce_all(pgas::ReduceOp::max, sum.depth)),
      .steals = team.all_reduce_all(pgas::ReduceOp::sum, sum.steals),
      .stolen = team.all_reduce_all(pgas::ReduceOp::sum, sum.stolen),
      .nodes_longest = team.all_reduce_all(pgas::ReduceOp::max, most),
      .time = Seconds{team.all_reduce_all(pgas::ReduceOp::max, taken_s)}};
  runtime.free_all(idle);
  rings.free_all(runtime);
  return result;
}

}  // namespace makespan::uts

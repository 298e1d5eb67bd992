// SPDX-License-Identifier: Apache-2.0
// Images that count the nodes of a tree of unknown shape: mpiexec -n 3 tree_search
//
// As in UTS, the Unbalanced Tree Search benchmark (Olivier et al., LCPC 2006), a node is a number
// from which its children follow, so some subtrees are thousands of times larger than others and no
// division in advance is fair. An image with nothing to do asks another for nodes by a remote call.
// The search with UTS's own trees, between threads too, is `make bench-uts`.
//
// What to notice: how the end is found. A counter says how many images may have nodes; a thief
// counts itself before it asks, so nodes on their way are never uncounted. An image that counts, or
// looks for nodes, runs the calls of others now and then (help); one that waits does so by itself.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <makespan/pgas.hpp>

namespace {

using namespace makespan::pgas;
using makespan::ImageId;

struct Node {
  std::uint64_t state;
  std::int64_t depth;
};

// This image's nodes that were not looked at: used by its only thread, which runs calls too.
std::vector<Node> open_nodes;

struct Counts {
  std::int64_t nodes{0};
  std::int64_t depth{0};
  std::int64_t got{0};  // nodes, of other images
};

// SplitMix64's step: well mixed numbers from neighbouring ones.
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15U;
  number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
  number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
  return number ^ (number >> 31U);
}

// Two children with a probability of 0.495, else none; the root has 2000. So a subtree has 100
// nodes on average, and may have any number.
void expand(Node const& node) {
  double const drawn = static_cast<double>(node.state >> 11U) * 0x1p-53;
  int const children = node.depth == 0 ? 2000 : drawn < 0.495 ? 2 : 0;
  for (int child = 0; child < children; ++child) {
    open_nodes.push_back({mixed(node.state + static_cast<std::uint64_t>(child)), node.depth + 1});
  }
}

// Runs on the image that is asked: half of its nodes, the oldest, which lead to most others.
std::vector<Node> give_nodes() {
  auto const middle = open_nodes.begin() + std::min<std::ptrdiff_t>(std::ssize(open_nodes) / 2, 64);
  std::vector<Node> const given(open_nodes.begin(), middle);
  open_nodes.erase(open_nodes.begin(), middle);
  return given;
}

// Words of the symmetric heap.
struct Board {
  GlobalPtr<std::int64_t> having;      // on image 0: how many images may have nodes
  SymmetricArray<std::int64_t> nodes;  // of each image: how many it has, or had a moment ago
};

void count_open(Endpoint& here, Board const& board, Counts& counts) {
  auto const own = board.nodes.at(here.address().image);
  while (!open_nodes.empty()) {
    Node const node = open_nodes.back();
    open_nodes.pop_back();
    expand(node);
    counts.depth = std::max(counts.depth, node.depth);
    if (++counts.nodes % 100 != 0) continue;
    store(here, own, static_cast<std::int64_t>(std::ssize(open_nodes)));
    here.help();
  }
  store(here, own, 0);
}

// False when no image has any node. Looks to one image after the other, without its help; asks, and
// counts itself, only where there was something.
bool find_nodes(Runtime& runtime, Board const& board, Counts& counts) {
  Endpoint& here = runtime.endpoint(0);
  fetch_add(here, board.having, -1);
  for (std::int64_t next = 1; load(here, board.having) > 0; ++next) {
    ImageId const victim{(runtime.image().value() + next) % runtime.images()};
    here.help();
    if (load(here, board.nodes.at(victim)) == 0) continue;
    fetch_add(here, board.having, 1);
    open_nodes = here.rpc(victim, function<&give_nodes>).get();
    counts.got += std::ssize(open_nodes);
    if (!open_nodes.empty()) return true;
    fetch_add(here, board.having, -1);
  }
  return false;
}

}  // namespace

int main() {
  return run_job([] {
    Runtime runtime;
    auto const having = runtime.allocate_all<std::int64_t>(1, "images that may have nodes");
    Board const board{.having = having.at(ImageId{0}),
                      .nodes = runtime.allocate_all<std::int64_t>(1, "nodes of an image")};
    if (runtime.image() == ImageId{0}) {
      runtime.local(having)[0] = runtime.images();
      open_nodes.push_back({mixed(7), 0});
    }
    runtime.team().barrier_all();
    Counts counts;
    do {
      count_open(runtime.endpoint(0), board, counts);
    } while (find_nodes(runtime, board, counts));
    auto const nodes = runtime.team().all_reduce_all(ReduceOp::sum, counts.nodes);
    auto const depth = runtime.team().all_reduce_all(ReduceOp::max, counts.depth);
    std::printf("image %lld counted %lld nodes and got %lld\n",
                static_cast<long long>(runtime.image().value()),
                static_cast<long long>(counts.nodes), static_cast<long long>(counts.got));
    if (runtime.image() == ImageId{0}) {
      std::printf("%lld nodes, depth %lld\n", static_cast<long long>(nodes),
                  static_cast<long long>(depth));
    }
    runtime.finish_all();
    return EXIT_SUCCESS;
  });
}

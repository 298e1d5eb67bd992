// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/detail/arc_exchange.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::graph500 {

namespace {

// Arcs of one put: 4 KiB, above which a put costs what its bytes cost.
constexpr std::size_t arcs_at_once = 512;
constexpr std::int64_t edges_at_once = 16384;

// What a thread has for each image, until it is worth a put.
class Outboxes {
 public:
  Outboxes(pgas::Endpoint& here, pgas::SymmetricArray<Arc> const& inbox, std::int64_t begin,
           std::vector<std::atomic<std::int64_t>>& sent)
      : here_{here}, inbox_{inbox}, begin_{begin}, sent_{sent}, of_image_(sent.size()) {
    for (std::vector<Arc>& arcs : of_image_) arcs.reserve(arcs_at_once);
  }

  void add(int image, Arc const& arc) {
    std::vector<Arc>& arcs = of_image_[static_cast<std::size_t>(image)];
    arcs.push_back(arc);
    if (arcs.size() == arcs_at_once) put(image);
  }
  void put_rest() {
    for (std::size_t image = 0; image < of_image_.size(); ++image) put(static_cast<int>(image));
  }

 private:
  void put(int image) {
    std::vector<Arc>& arcs = of_image_[static_cast<std::size_t>(image)];
    if (arcs.empty()) return;
    // Relaxed: this hands out places and publishes nothing. Counts are put when all threads are
    // through.
    std::int64_t const at = begin_ + sent_[static_cast<std::size_t>(image)].fetch_add(
                                         std::ssize(arcs), std::memory_order_relaxed);
    here_.put(inbox_.at(ImageId{image}, at), arcs);
    arcs.clear();
  }

  pgas::Endpoint& here_;
  pgas::SymmetricArray<Arc> inbox_;
  std::int64_t begin_;  // of this image's part of each inbox
  std::vector<std::atomic<std::int64_t>>& sent_;
  std::vector<std::vector<Arc>> of_image_;
};

}  // namespace

ArcExchange::ArcExchange(ThreadPool& pool, VertexBlocks const& blocks, std::int64_t capacity)
    : pool_{pool},
      blocks_{blocks},
      share_{capacity / blocks.images()},
      inbox_{pool.runtime().allocate_all<Arc>(capacity, "inbox of arcs")},
      received_{pool.runtime().allocate_all<std::int64_t>(blocks.images(), "arcs in the inbox")} {
  MAKESPAN_EXPECT(share_ >= 2);
}

void ArcExchange::free_all() {
  pool_.runtime().free_all(received_);
  pool_.runtime().free_all(inbox_);
}

std::vector<Arc> ArcExchange::exchange_all(std::span<Edge const> edges) {
  pgas::Team& team = pool_.runtime().team();
  // An edge is two arcs, which may both be for one image.
  std::int64_t const at_once = share_ / 2;
  std::int64_t const most = team.all_reduce_all(pgas::ReduceOp::max, std::ssize(edges));
  std::vector<Arc> received;
  // As many as it sends, on average, and some more: blocks are not quite even.
  received.reserve(2 * edges.size() + edges.size() / 8);
  for (std::int64_t begin = 0; begin < most; begin += at_once) {
    auto const first = static_cast<std::size_t>(std::min(begin, std::ssize(edges)));
    send(edges.subspan(first, std::min(static_cast<std::size_t>(at_once), edges.size() - first)));
    team.barrier_all();
    // The second barrier: no image puts again before all inboxes have been emptied.
    receive(received);
    team.barrier_all();
  }
  return received;
}

void ArcExchange::send(std::span<Edge const> edges) {
  pgas::Runtime& runtime = pool_.runtime();
  std::int64_t const own = runtime.image().value();
  std::vector<std::atomic<std::int64_t>> sent(static_cast<std::size_t>(blocks_.images()));
  pool_.each_chunk(std::ssize(edges), edges_at_once,
                   [&](pgas::Endpoint& here, std::int64_t begin, std::int64_t end) {
                     Outboxes outboxes(here, inbox_, own * share_, sent);
                     for (std::int64_t at = begin; at < end; ++at) {
                       Edge const edge = edges[static_cast<std::size_t>(at)];
                       if (edge.from == edge.to) continue;
                       outboxes.add(blocks_.owner(edge.from), {edge.from, edge.to});
                       outboxes.add(blocks_.owner(edge.to), {edge.to, edge.from});
                     }
                     outboxes.put_rest();
                   });
  // After the arcs, which each thread has flushed by now; receivers read both after a barrier.
  pgas::Endpoint& here = runtime.endpoint(0);
  for (int image = 0; image < blocks_.images(); ++image) {
    here.put(received_.at(ImageId{image}, own), sent[static_cast<std::size_t>(image)].load());
  }
  here.flush_all();
}

void ArcExchange::receive(std::vector<Arc>& received) {
  std::span<Arc const> const inbox = pool_.runtime().local(inbox_);
  std::span<std::int64_t const> const counts = pool_.runtime().local(received_);
  for (std::size_t sender = 0; sender < counts.size(); ++sender) {
    auto const part = inbox.subspan(sender * static_cast<std::size_t>(share_),
                                    static_cast<std::size_t>(counts[sender]));
    received.insert(received.end(), part.begin(), part.end());
  }
}

}  // namespace makespan::graph500

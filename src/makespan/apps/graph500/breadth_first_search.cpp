// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/breadth_first_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <string>

#include "makespan/apps/graph500/detail/bits.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph500 {

namespace {

// Instead of a parent, until it is fetched from the image that found the vertex.
constexpr Vertex found_by = 0x8000'0000U;
// Parents that are fetched at once: 16 KiB.
constexpr std::int64_t parents_at_once = 4096;
// Of each thread, so that the last one is late by little.
constexpr std::int64_t chunks_each = 16;

SearchOptions checked_options(SearchOptions const& options) {
  if (!(options.alpha > 0.0 && options.beta > 0.0)) {
    throw InputError("alpha and beta of a search", "they say when its direction changes",
                     "give some above 0; 14 and 24 are good ones");
  }
  return options;
}

}  // namespace

std::int64_t search_heap_bytes(std::int64_t vertices) {
  // Three bitmaps, candidates, parents and a bitmap of validate_all(), which a single image needs
  // most of; before, the inbox of DistributedGraph and degrees. And room between them.
  constexpr std::int64_t inbox_and_room = std::int64_t{24} << 20U;
  return inbox_and_room + 9 * vertices;
}

BreadthFirstSearch::BreadthFirstSearch(ThreadPool& pool, DistributedGraph const& graph,
                                       SearchOptions const& options)
    : pool_{pool},
      graph_{graph},
      options_{checked_options(options)},
      memory_{pool.runtime(), graph.blocks()},
      parents_{
          pool.runtime().local(memory_.parents).first(static_cast<std::size_t>(graph.count()))},
      first_word_{graph.blocks().block_words() * pool.runtime().image().value()},
      reached_(static_cast<std::size_t>(graph.blocks().words())),
      connected_(static_cast<std::size_t>(graph.blocks().block_words())),
      hubs_(static_cast<std::size_t>(graph.count()), no_vertex) {
  for (std::int64_t own = 0; own < graph.count(); ++own) {
    auto const vertex = static_cast<Vertex>(own);
    if (graph.degree(own) == 0) continue;
    connected_[vertex / word_bits] |= bit_of(vertex);
    hubs_[vertex] = graph.neighbours(own).front();
  }
  pgas::Endpoint& here = pool.runtime().endpoint(0);
  for (int image = 0; image < graph.blocks().images(); ++image) {
    if (here.direct(memory_.parents.at(ImageId{image})) == nullptr) are_all_mapped_ = false;
  }
}

SearchResult BreadthFirstSearch::run_all(Vertex root) {
  if (root >= graph_.blocks().vertices()) {
    throw InputError("root " + std::to_string(root),
                     "the graph has " + std::to_string(graph_.blocks().vertices()) + " vertices",
                     "give one of them, from 0 on");
  }
  pgas::Team& team = pool_.runtime().team();
  // All begin at once: the slowest one's time is that of the search.
  team.barrier_all();
  auto const start = std::chrono::steady_clock::now();
  begin(root);
  std::int64_t const own_root = std::int64_t{root} - graph_.first();
  bool const is_own = own_root >= 0 && own_root < graph_.count();
  LevelCounts frontier =
      sum_all({.vertices = is_own ? 1 : 0, .arcs = is_own ? graph_.degree(own_root) : 0});
  DirectionSwitch directions(options_, graph_.connected_of_all());
  std::int64_t arcs_left = graph_.arcs_of_all();
  SearchResult result;
  while (frontier.vertices > 0) {
    ++result.levels;
    result.reached += frontier.vertices;
    arcs_left -= frontier.arcs;
    // Nothing else can be reached.
    if (arcs_left == 0) break;
    if (directions.next(frontier, arcs_left) == Direction::bottom_up) {
      ++result.levels_bottom_up;
      frontier = level_bottom_up();
    } else {
      frontier = level_top_down();
    }
    now_ = 1 - now_;
    mark_reached();
  }
  if (!are_all_mapped_) fetch_parents();
  double const taken_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.time = Seconds{team.all_reduce_all(pgas::ReduceOp::max, taken_s)};
  return result;
}

void BreadthFirstSearch::begin(Vertex root) {
  now_ = 0;
  std::ranges::fill(parents_, no_vertex);
  std::ranges::fill(reached_, 0);
  // This one alone: of the other, each level writes every word, its own here and the rest by puts.
  std::span<std::uint64_t> const frontier = pool_.runtime().local(memory_.frontiers[0]);
  std::ranges::fill(frontier, 0);
  frontier[root / word_bits] = bit_of(root);
  reached_[root / word_bits] = bit_of(root);
  std::int64_t const own = std::int64_t{root} - graph_.first();
  if (own >= 0 && own < graph_.count()) parents_[static_cast<std::size_t>(own)] = root;
}

LevelCounts BreadthFirstSearch::level_top_down() {
  // With what is reached already, so that set_bit() says which vertices are new to this image.
  std::span<std::uint64_t> const discovered = pool_.runtime().local(memory_.discovered);
  std::ranges::copy(reached_, discovered.begin());
  std::int64_t const words = graph_.blocks().block_words();
  pool_.each_chunk(words, words_of_chunk(words),
                   [&](pgas::Endpoint&, std::int64_t from, std::int64_t to) { push(from, to); });
  // Owners read these bitmaps next, and candidates: all images are through with them.
  pool_.runtime().team().barrier_all();
  pool_.each_chunk(words, words_of_chunk(words),
                   [&](pgas::Endpoint& here, std::int64_t from, std::int64_t to) {
                     gather(here, from, to);
                     publish(here, from, to);
                   });
  return counted_all();
}

LevelCounts BreadthFirstSearch::level_bottom_up() {
  std::int64_t const words = graph_.blocks().block_words();
  pool_.each_chunk(words, words_of_chunk(words),
                   [&](pgas::Endpoint& here, std::int64_t from, std::int64_t to) {
                     pull(from, to);
                     publish(here, from, to);
                   });
  return counted_all();
}

// From own vertices of the frontier; words are those of own vertices.
void BreadthFirstSearch::push(std::int64_t begin, std::int64_t end) {
  pgas::Runtime& runtime = pool_.runtime();
  std::uint64_t const* const frontier = runtime.local(memory_.frontiers[now_]).data() + first_word_;
  std::uint64_t* const discovered = runtime.local(memory_.discovered).data();
  Vertex* const candidates = runtime.local(memory_.candidates).data();
  for (std::int64_t word = begin; word < end; ++word) {
    each_bit(frontier[word], word * word_bits, [&](std::int64_t own) {
      auto const vertex = static_cast<Vertex>(graph_.first() + own);
      for (Vertex const neighbour : graph_.neighbours(own)) {
        // One thread alone has set the bit, and so one alone writes the candidate.
        if (set_bit(discovered, neighbour)) candidates[neighbour] = vertex;
      }
    });
  }
}

// What all images have found of own vertices; this one's comes first.
void BreadthFirstSearch::gather(pgas::Endpoint& here, std::int64_t begin, std::int64_t end) {
  std::fill(next_words() + begin, next_words() + end, 0);
  std::int64_t const images = graph_.blocks().images();
  std::int64_t const own = pool_.runtime().image().value();
  std::vector<std::uint64_t> copied;
  for (std::int64_t step = 0; step < images; ++step) {
    ImageId const image{(own + step) % images};
    auto const at = memory_.discovered.at(image, first_word_ + begin);
    std::uint64_t const* found = here.direct(at, end - begin);
    if (found == nullptr) {
      copied.resize(static_cast<std::size_t>(end - begin));
      here.get(at, copied);
      found = copied.data();
    }
    adopt(here, image, begin, {found, static_cast<std::size_t>(end - begin)});
  }
}

void BreadthFirstSearch::adopt(pgas::Endpoint& here, ImageId from, std::int64_t begin,
                               std::span<std::uint64_t const> found) {
  Vertex const* const candidates =
      here.direct(memory_.candidates.at(from, graph_.first()), graph_.blocks().block());
  Vertex const to_fetch = found_by | static_cast<Vertex>(from.value());
  std::uint64_t const* const reached = reached_.data() + first_word_ + begin;
  std::uint64_t* const next = next_words() + begin;
  LevelCounts count;
  for (std::size_t word = 0; word < found.size(); ++word) {
    // Where several images have found a vertex the first that is asked gives the parent.
    std::uint64_t const fresh = found[word] & ~reached[word] & ~next[word];
    next[word] |= fresh;
    each_bit(fresh, (begin + static_cast<std::int64_t>(word)) * word_bits, [&](std::int64_t own) {
      parents_[static_cast<std::size_t>(own)] = candidates != nullptr ? candidates[own] : to_fetch;
      ++count.vertices;
      count.arcs += graph_.degree(own);
    });
  }
  // Relaxed: they are read behind the end of the phase, which orders all that threads did in it.
  vertices_.fetch_add(count.vertices, std::memory_order_relaxed);
  arcs_.fetch_add(count.arcs, std::memory_order_relaxed);
}

// First the neighbours of most edges, which lie in a row for all vertices: most that are reached at
// all have their parent there. The rest costs a miss of the cache for each vertex.
void BreadthFirstSearch::pull(std::int64_t begin, std::int64_t end) {
  std::uint64_t const* const frontier = pool_.runtime().local(memory_.frontiers[now_]).data();
  std::uint64_t const* const reached = reached_.data() + first_word_;
  std::uint64_t* const next = next_words();
  LevelCounts count;
  for (std::int64_t word = begin; word < end; ++word) {
    std::uint64_t const open = connected_[static_cast<std::size_t>(word)] & ~reached[word];
    std::uint64_t fresh = 0;
    each_bit(open, word * word_bits, [&](std::int64_t own) {
      Vertex const hub = hubs_[static_cast<std::size_t>(own)];
      std::uint64_t const is_parent = has_bit(frontier, hub) ? 1 : 0;
      fresh |= is_parent << (static_cast<std::uint64_t>(own) % word_bits);
    });
    each_bit(fresh, word * word_bits, [&](std::int64_t own) {
      parents_[static_cast<std::size_t>(own)] = hubs_[static_cast<std::size_t>(own)];
    });
    each_bit(open & ~fresh, word * word_bits, [&](std::int64_t own) {
      std::span<Vertex const> const neighbours = graph_.neighbours(own);
      auto const parent =
          std::find_if(neighbours.begin() + 1, neighbours.end(),
                       [&](Vertex neighbour) { return has_bit(frontier, neighbour); });
      if (parent == neighbours.end()) return;
      parents_[static_cast<std::size_t>(own)] = *parent;
      fresh |= bit_of(static_cast<Vertex>(own));
    });
    each_bit(fresh, word * word_bits, [&](std::int64_t own) { count.arcs += graph_.degree(own); });
    count.vertices += std::popcount(fresh);
    next[word] = fresh;
  }
  vertices_.fetch_add(count.vertices, std::memory_order_relaxed);
  arcs_.fetch_add(count.arcs, std::memory_order_relaxed);
}

// Own words of the next frontier, to all other images.
void BreadthFirstSearch::publish(pgas::Endpoint& here, std::int64_t begin, std::int64_t end) {
  std::span<std::uint64_t const> const words(next_words() + begin,
                                             static_cast<std::size_t>(end - begin));
  for (int image = 0; image < graph_.blocks().images(); ++image) {
    if (ImageId{image} == pool_.runtime().image()) continue;
    // Flushed by each_chunk(), before counted_all() meets the others.
    here.put(memory_.frontiers[1 - now_].at(ImageId{image}, first_word_ + begin), words);
  }
}

void BreadthFirstSearch::mark_reached() {
  std::span<std::uint64_t const> const frontier = pool_.runtime().local(memory_.frontiers[now_]);
  for (std::size_t word = 0; word < reached_.size(); ++word) reached_[word] |= frontier[word];
}

// From images whose memory is not mapped: a run of candidates for all of a chunk that one found.
void BreadthFirstSearch::fetch_parents() {
  pool_.each_chunk(graph_.count(), parents_at_once,
                   [&](pgas::Endpoint& here, std::int64_t begin, std::int64_t end) {
                     std::array<Vertex, parents_at_once> fetched;
                     auto const chunk = parents_.subspan(static_cast<std::size_t>(begin),
                                                         static_cast<std::size_t>(end - begin));
                     for (int image = 0; image < graph_.blocks().images(); ++image) {
                       Vertex const marked = found_by | static_cast<Vertex>(image);
                       auto const from = std::ranges::find(chunk, marked);
                       if (from == chunk.end()) continue;
                       auto const at = from - chunk.begin();
                       auto const candidates =
                           std::span(fetched).first(static_cast<std::size_t>(chunk.end() - from));
                       here.get(memory_.candidates.at(ImageId{image}, graph_.first() + begin + at),
                                candidates);
                       for (std::size_t place = 0; place < candidates.size(); ++place) {
                         Vertex& parent = from[static_cast<std::ptrdiff_t>(place)];
                         if (parent == marked) parent = candidates[place];
                       }
                     }
                   });
}

std::int64_t BreadthFirstSearch::words_of_chunk(std::int64_t words) const {
  return std::max<std::int64_t>(8, words / (chunks_each * pool_.threads()));
}

std::uint64_t* BreadthFirstSearch::next_words() const {
  return pool_.runtime().local(memory_.frontiers[1 - now_]).data() + first_word_;
}

LevelCounts BreadthFirstSearch::sum_all(LevelCounts const& own) {
  std::array<std::int64_t, 2> const mine{own.vertices, own.arcs};
  std::array<std::int64_t, 2> all{};
  pool_.runtime().team().all_reduce_all(pgas::ReduceOp::sum, std::span<std::int64_t const>(mine),
                                        std::span<std::int64_t>(all));
  return {.vertices = all[0], .arcs = all[1]};
}

LevelCounts BreadthFirstSearch::counted_all() {
  // The reduction is a barrier, too: when it returns, all have put their words, and none reads the
  // frontier of this level any more, into which the next one puts.
  return sum_all({.vertices = vertices_.exchange(0), .arcs = arcs_.exchange(0)});
}

}  // namespace makespan::graph500

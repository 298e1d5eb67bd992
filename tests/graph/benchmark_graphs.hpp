// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmarks that balancers for uneven machines were published with, as graphs of one phase,
// and machines like those of the publication (Pilla et al., "A hierarchical approach for load
// balancing on parallel multi-core systems", ICPP 2012), modelled: see docs/explanation/graph.md.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Objects in the order of their numbers, dealt out in blocks, as runtimes do without a balancer.
inline Mapping block_map(int objects, int places) {
  Mapping mapping;
  for (std::int64_t object = 0; object < objects; ++object) {
    mapping.push_back(static_cast<std::int32_t>(object * places / objects));
  }
  return mapping;
}

namespace benchmark {

struct Send {
  int from;
  int to;
  double messages;
  double bytes;  // of all of them
};

inline void add(GraphColumns& columns, Send const& send) {
  columns.from.push_back(send.from);
  columns.to.push_back(send.to);
  columns.messages.push_back(send.messages);
  columns.edge_bytes.push_back(send.bytes);
}

}  // namespace benchmark

// kNeighbor (Mei, Bhatele): a ring of objects; each sends 8 KiB to its neighbours at ±5, ±10, …,
// ±35, which send them back, 100 times an iteration, 10 iterations a phase. Work of 10 us times 1
// to 8 before each sending.
inline GraphColumns kneighbor(int objects, int places) {
  constexpr int reach = 7;
  constexpr int stride = 5;
  constexpr double rounds = 1000;
  constexpr double message_bytes = 8192;
  std::mt19937_64 random{400};
  GraphColumns columns;
  for (int object = 0; object < objects; ++object) {
    columns.work.push_back(rounds * 10e-6 * static_cast<double>(1 + random() % 8));
    columns.bytes.push_back(2 * message_bytes);
    for (int hop = -reach; hop <= reach; ++hop) {
      if (hop == 0) continue;
      int const other = ((object + hop * stride) % objects + objects) % objects;
      // What it sends, and its answer to what the other sent.
      benchmark::add(columns, {object, other, 2 * rounds, 2 * rounds * message_bytes});
    }
  }
  columns.place = block_map(objects, places);
  return columns;
}

// stencil4d (Bhatele): side⁴ blocks of 32⁴ doubles, periodic; eight faces of 256 KiB a step, 10
// steps a phase; 2 ns for a point, times 1 to 5 by block. A block is two arrays with borders.
inline GraphColumns stencil4d(int side, int places) {
  constexpr double steps = 10;
  constexpr double edge = 32;
  std::mt19937_64 random{4};
  GraphColumns columns;
  int const objects = side * side * side * side;
  for (int object = 0; object < objects; ++object) {
    columns.work.push_back(steps * edge * edge * edge * edge * 2e-9 *
                           static_cast<double>(1 + random() % 5));
    columns.bytes.push_back(2 * 34.0 * 34.0 * 34.0 * 34.0 * sizeof(double));
    for (int stride = 1; stride < objects; stride *= side) {
      int const here = object / stride % side;
      for (int const step : {1, side - 1}) {
        int const other = object + ((here + step) % side - here) * stride;
        benchmark::add(columns,
                       {object, other, steps, steps * edge * edge * edge * sizeof(double)});
      }
    }
  }
  columns.place = block_map(objects, places);
  return columns;
}

// LeanMD: x·y·z periodic cells of 100 to 250 particles, rising with the cell, which stay; a compute
// for each pair of neighbouring cells and for each cell with itself, 4 ns for a pair of particles.
// A step sends positions to computes and forces back, 24 bytes for a particle; 20 steps a phase. At
// least 3 cells a side.
inline GraphColumns leanmd(std::array<int, 3> sides, int places) {
  constexpr double steps = 20;
  constexpr double pair_s = 4e-9;
  constexpr double particle_bytes = 24;
  int const cells = sides[0] * sides[1] * sides[2];
  GraphColumns columns;
  std::vector<double> particles;
  for (int cell = 0; cell < cells; ++cell) {
    particles.push_back(100 + 150 * cell / cells);
    columns.work.push_back(steps * particles.back() * 100e-9);
    columns.bytes.push_back(particles.back() * 3 * particle_bytes);
    columns.is_fixed.push_back(1);
  }
  auto const number = [&](int x, int y, int z) {
    auto const wrap = [](int i, int side) { return (i + side) % side; };
    return (wrap(x, sides[0]) * sides[1] + wrap(y, sides[1])) * sides[2] + wrap(z, sides[2]);
  };
  auto const add_compute = [&](int a, int b) {
    double const n = particles[static_cast<std::size_t>(a)];
    double const m = particles[static_cast<std::size_t>(b)];
    auto const compute = static_cast<int>(columns.work.size());
    columns.work.push_back(steps * pair_s * (a == b ? n * (n - 1) / 2 : n * m));
    columns.bytes.push_back(1024);
    columns.is_fixed.push_back(0);
    for (int const cell : {a, b}) {
      double const bytes = steps * particle_bytes * particles[static_cast<std::size_t>(cell)];
      benchmark::add(columns, {cell, compute, steps, bytes});
      benchmark::add(columns, {compute, cell, steps, bytes});
      if (a == b) break;
    }
  };
  for (int x = 0; x < sides[0]; ++x) {
    for (int y = 0; y < sides[1]; ++y) {
      for (int z = 0; z < sides[2]; ++z) {
        for (int hop = 13; hop < 27; ++hop) {  // itself, and the upper half of its neighbours
          add_compute(number(x, y, z),
                      number(x + hop / 9 - 1, y + hop / 3 % 3 - 1, z + hop % 3 - 1));
        }
      }
    }
  }
  // Cells and computes are two arrays, each dealt out in blocks.
  columns.place = block_map(cells, places);
  Mapping const computes = block_map(static_cast<int>(columns.work.size()) - cells, places);
  columns.place.insert(columns.place.end(), computes.begin(), computes.end());
  return columns;
}

// lb_test (Charm++): objects of 50 to 200 ms that each say a kilobyte to four others at random; a
// step is a phase.
inline GraphColumns lb_test(int objects, int places) {
  std::mt19937_64 random{200};
  GraphColumns columns;
  for (int object = 0; object < objects; ++object) {
    columns.work.push_back(std::uniform_real_distribution{0.05, 0.2}(random));
    columns.bytes.push_back(1024);
    for (int i = 0; i < 4; ++i) {
      auto const other = static_cast<int>(random() % static_cast<std::uint64_t>(objects));
      benchmark::add(columns, {object, other, 1, 1024});
    }
  }
  columns.place = block_map(objects, places);
  return columns;
}

// A cube of side³ objects that talk to their six neighbours, of random work: for decision times.
inline GraphColumns stencil3d(int side, int places) {
  std::mt19937_64 random{3};
  GraphColumns columns;
  int const objects = side * side * side;
  for (int object = 0; object < objects; ++object) {
    columns.work.push_back(std::uniform_real_distribution{1e-3, 5e-3}(random));
    columns.bytes.push_back(1e5);
    for (int stride = 1; stride < objects; stride *= side) {
      int const here = object / stride % side;
      if (here > 0) benchmark::add(columns, {object, object - stride, 10, 1e5});
      if (here < side - 1) benchmark::add(columns, {object, object + stride, 10, 1e5});
    }
  }
  columns.place = block_map(objects, places);
  return columns;
}

// `domains` domains of `cores` equal cores; between two of them `factor(a, b)` times the latency
// and a bandwidth less by as much; `each` domains to a package. A message of the runtime is some
// twenty cache lines' latency, each of `line_s` within a domain.
template <class Factor>
Places numa_machine(int domains, int each, int cores, double line_s, Factor const& factor) {
  double const local_s = 20 * line_s;
  constexpr double local_bytes_s = 5e9;
  std::vector<Place> places;
  std::vector<Domain> all;
  DomainCosts costs;
  for (int a = 0; a < domains; ++a) {
    all.push_back({.groups = {a / each}});
    for (int i = 0; i < cores; ++i) places.push_back({.domain = a});
    for (int b = 0; b < domains; ++b) {
      costs.latency_s.push_back(local_s * factor(a, b));
      costs.bandwidth_bytes_s.push_back(local_bytes_s / factor(a, b));
    }
  }
  return Places(std::move(places), std::move(all), std::move(costs));
}

// Of a cache line from memory nearby, where no source tells.
inline constexpr double assumed_line_s = 90e-9;

// Four packages of eight cores (Xeon X7560): NUMA factors 1.36 to 1.49.
inline Places numa32() {
  return numa_machine(4, 1, 8, assumed_line_s, [](int a, int b) {
    if (a == b) return 1.0;
    return (a ^ b) == 3 ? 1.49 : 1.36;
  });
}

// Four packages of two dies of six cores (Opteron 6174), each die a domain, with the latencies
// between dies that L. L. Pilla's slides print ("Latency matrix for NUMA nodes (ns)", Load
// balancing for parallel multi-core machines with non-uniform communication costs, 2012): by row
// the die of the core that reads, by column that of the memory. Bandwidths are ours.
inline Places numa48() {
  static constexpr double latency_ns[8][8] = {
      {57.67, 121.8, 126.9, 167.4, 126.7, 166.3, 125.8, 165.2},
      {122.4, 57.22, 126.7, 166.8, 167.6, 126.6, 166.2, 124.3},
      {127.0, 125.9, 57.86, 121.8, 125.2, 124.3, 127.1, 166.0},
      {167.6, 165.5, 121.6, 57.05, 126.0, 124.9, 167.5, 125.6},
      {126.4, 165.5, 124.9, 125.3, 57.46, 121.3, 126.3, 126.1},
      {167.6, 126.2, 124.7, 125.1, 122.2, 57.18, 167.2, 166.0},
      {125.6, 165.4, 127.0, 165.6, 126.4, 165.9, 58.40, 121.7},
      {165.4, 124.3, 168.5, 126.2, 127.2, 168.0, 122.6, 57.17}};
  // Who receives reads.
  return numa_machine(8, 2, 6, 57.5e-9,
                      [](int from, int to) { return latency_ns[to][from] / latency_ns[to][to]; });
}

// 20 nodes of two packages of two cores on a gigabit network.
inline Places cluster20x4() {
  constexpr int nodes = 20;
  std::vector<Place> places;
  std::vector<Domain> domains;
  DomainCosts costs;
  for (int a = 0; a < 2 * nodes; ++a) {
    domains.push_back({.node = a / 2});
    for (int i = 0; i < 2; ++i) places.push_back({.domain = a});
    for (int b = 0; b < 2 * nodes; ++b) {
      bool const is_far = a / 2 != b / 2;
      double const factor = a == b ? 1.0 : 1.5;
      costs.latency_s.push_back(is_far ? 50e-6 : 20 * assumed_line_s * factor);
      costs.bandwidth_bytes_s.push_back(is_far ? 112e6 : 3e9 / factor);
    }
  }
  return Places(std::move(places), std::move(domains), std::move(costs));
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// The usual program for several nodes: a slab for each MPI process, OpenMP threads inside of it.
//
//   halo_mpi_openmp PROBLEM X Y Z THREADS BLOCK STEPS ROUNDS
//
// run by mpiexec. In each step layers that the neighbours need are packed and given to MPI_Isend,
// theirs to MPI_Irecv; threads compute the points that need none of them; MPI_Waitall; what came is
// unpacked, and the remaining points are computed. That is how such programs are usually written.
// X. Dong, M. Wen, J. Chai, X. Cai, M. Zhao, C. Zhang, "Communication-hiding programming for
// clusters with multi-coprocessor nodes" (2015), compare with an MPI-OpenMP program whose transfers
// are asynchronous (table II), and do not describe it further. Slabs are cut along z, where layers
// lie in one piece, rows in blocks of BLOCK along y; 0: the fastest of some, tried first.
//
// Process 0 prints a line of JSON for each round: points_per_s, and the block; with 0 rounds the
// sum of bench/grid/problems.hpp after the steps.
#include <mpi.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Run {
  std::string problem;
  long x, y, z;  // of the whole grid
  int threads;
  long block;
  long steps;
  int rounds;
};

// A process's part, with a layer as thick as the radius around it.
struct Slab {
  long nx, ny, nz, first_z, radius;
  [[nodiscard]] long row() const { return nx + 2 * radius; }
  [[nodiscard]] long plane() const { return row() * (ny + 2 * radius); }
  [[nodiscard]] long size() const { return plane() * (nz + 2 * radius); }
  [[nodiscard]] long at(long y, long z) const {
    return (z + radius) * plane() + (y + radius) * row() + radius;
  }
};

// Touched first by the threads that compute there.
using Memory = std::unique_ptr<double, void (*)(void*)>;
Memory zeros(Slab const& slab) {
  auto const bytes = static_cast<std::size_t>((slab.size() * 8 + 4095) / 4096 * 4096);
  Memory memory(static_cast<double*>(std::aligned_alloc(4096, bytes)), &std::free);
  long const layers = slab.nz + 2 * slab.radius;
  double* const first = memory.get();
#pragma omp parallel for schedule(static)
  for (long z = 0; z < layers; ++z) {
    std::fill_n(first + z * slab.plane(), slab.plane(), 0.0);
  }
  return memory;
}

// Rows of a step. `now` and `next` by field; strides to the next row and plane.
struct Diffusion {
  static constexpr long radius = 1;
  static constexpr int fields = 1;
  static void row(double* const* now, double* const* next, long at, long n, long y, long z) {
    double const* const u = now[0] + at;
    double* const out = next[0] + at;
    constexpr double a = 1 - 6 * 0.1;
    constexpr double b = 0.1;
#pragma omp simd
    for (long x = 0; x < n; ++x) {
      out[x] = a * u[x] + b * (u[x - 1] + u[x + 1] + u[x - y] + u[x + y] + u[x - z] + u[x + z]);
    }
  }
};

// `next` has the step before, and gets the one after.
struct Wave {
  static constexpr long radius = 4;
  static constexpr int fields = 1;
  static void row(double* const* now, double* const* next, long at, long n, long y, long z) {
    double const* const u = now[0] + at;
    double* const out = next[0] + at;
    constexpr double c = 0.1;
#pragma omp simd
    for (long x = 0; x < n; ++x) {
      double const sum =
          3 * (-205.0 / 72) * u[x] +
          8.0 / 5 * (u[x - 1] + u[x + 1] + u[x - y] + u[x + y] + u[x - z] + u[x + z]) +
          -1.0 / 5 *
              (u[x - 2] + u[x + 2] + u[x - 2 * y] + u[x + 2 * y] + u[x - 2 * z] + u[x + 2 * z]) +
          8.0 / 315 *
              (u[x - 3] + u[x + 3] + u[x - 3 * y] + u[x + 3 * y] + u[x - 3 * z] + u[x + 3 * z]) +
          -1.0 / 560 *
              (u[x - 4] + u[x + 4] + u[x - 4 * y] + u[x + 4 * y] + u[x - 4 * z] + u[x + 4 * z]);
      out[x] = 2 * u[x] - out[x] + c * sum;
    }
  }
};

struct GrayScott {
  static constexpr long radius = 1;
  static constexpr int fields = 2;
  static void row(double* const* now, double* const* next, long at, long n, long y, long z) {
    double const* const u = now[0] + at;
    double const* const v = now[1] + at;
    double* const out_u = next[0] + at;
    double* const out_v = next[1] + at;
    constexpr double feed = 0.035;
    constexpr double kill = 0.065;
#pragma omp simd
    for (long x = 0; x < n; ++x) {
      double const around_u = u[x - 1] + u[x + 1] + u[x - y] + u[x + y] + u[x - z] + u[x + z];
      double const around_v = v[x - 1] + v[x + 1] + v[x - y] + v[x + y] + v[x - z] + v[x + z];
      double const reaction = u[x] * v[x] * v[x];
      out_u[x] = u[x] + 0.16 * (around_u - 6 * u[x]) - reaction + feed * (1 - u[x]);
      out_v[x] = v[x] + 0.08 * (around_v - 6 * v[x]) + reaction - (feed + kill) * v[x];
    }
  }
};

template <class Problem>
class Program {
 public:
  Program(Run const& run, int process, int processes)
      : slab_{run.x, run.y, run.z * (process + 1) / processes - run.z * process / processes,
              run.z * process / processes, Problem::radius},
        below_{process > 0 ? process - 1 : MPI_PROC_NULL},
        above_{process + 1 < processes ? process + 1 : MPI_PROC_NULL},
        layer_{static_cast<std::size_t>(Problem::radius * slab_.plane())} {
    for (int f = 0; f < Problem::fields; ++f) {
      memory_.push_back(zeros(slab_));
      memory_.push_back(zeros(slab_));
      now_[f] = memory_[memory_.size() - 2].get();
      next_[f] = memory_.back().get();
    }
    for (auto* buffers : {&out_, &in_}) {
      for (auto& buffer : *buffers) buffer.resize(Problem::fields * layer_);
    }
  }

  void fill(double (*first)(int field, long x, long y, long z)) {
    for (int f = 0; f < Problem::fields; ++f) {
      for (long z = 0; z < slab_.nz; ++z) {
        for (long y = 0; y < slab_.ny; ++y) {
          for (long x = 0; x < slab_.nx; ++x) {
            double const value = first(f, x, y, z + slab_.first_z);
            now_[f][slab_.at(y, z) + x] = value;
            // A wave begins at rest.
            if (Problem::radius == 4) next_[f][slab_.at(y, z) + x] = value;
          }
        }
      }
    }
  }

  void step(long block) {
    MPI_Request requests[4];
    bool const has_below = below_ != MPI_PROC_NULL;
    bool const has_above = above_ != MPI_PROC_NULL;
    pack(out_[0], has_below, 0);
    pack(out_[1], has_above, slab_.nz - Problem::radius);
    auto const count = static_cast<int>(Problem::fields * layer_);
    MPI_Irecv(in_[0].data(), count, MPI_DOUBLE, below_, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in_[1].data(), count, MPI_DOUBLE, above_, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out_[0].data(), count, MPI_DOUBLE, below_, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out_[1].data(), count, MPI_DOUBLE, above_, 0, MPI_COMM_WORLD, &requests[3]);
    long const begin = has_below ? Problem::radius : 0;
    long const end = has_above ? slab_.nz - Problem::radius : slab_.nz;
    compute(begin, end, block);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    unpack(in_[0], has_below, -Problem::radius);
    unpack(in_[1], has_above, slab_.nz);
    if (has_below) compute(0, begin, block);
    if (has_above) compute(end, slab_.nz, block);
    for (int f = 0; f < Problem::fields; ++f) std::swap(now_[f], next_[f]);
  }

  // Of this process.
  [[nodiscard]] double sum() const {
    double sum = 0;
    // A wave's sum is of both its steps.
    int const both = Problem::radius == 4 ? 2 : 1;
    for (int f = 0; f < Problem::fields * both; ++f) {
      double const* const field = f < Problem::fields ? now_[f] : next_[f - Problem::fields];
      for (long z = 0; z < slab_.nz; ++z) {
        for (long y = 0; y < slab_.ny; ++y) {
          for (long x = 0; x < slab_.nx; ++x) {
            long const weight = 1 + (3 * x + 5 * y + 11 * (z + slab_.first_z)) % 17;
            sum += static_cast<double>(weight) * field[slab_.at(y, z) + x];
          }
        }
      }
    }
    return sum;
  }

 private:
  void pack(std::vector<double>& buffer, bool is_needed, long z) {
    if (!is_needed) return;
    copy_layers([&](int f, long from) {
      std::copy_n(now_[f] + slab_.at(-slab_.radius, z) - slab_.radius + from, slab_.plane(),
                  buffer.data() + f * static_cast<long>(layer_) + from);
    });
  }
  void unpack(std::vector<double> const& buffer, bool is_needed, long z) {
    if (!is_needed) return;
    copy_layers([&](int f, long from) {
      std::copy_n(buffer.data() + f * static_cast<long>(layer_) + from, slab_.plane(),
                  now_[f] + slab_.at(-slab_.radius, z) - slab_.radius + from);
    });
  }
  template <class Copy>
  void copy_layers(Copy const& copy) const {
#pragma omp parallel for collapse(2) schedule(static)
    for (int f = 0; f < Problem::fields; ++f) {
      for (long layer = 0; layer < Problem::radius; ++layer) copy(f, layer * slab_.plane());
    }
  }
  // Each thread has planes of its own, and goes up through them block by block.
  void compute(long begin, long end, long block) {
#pragma omp parallel
    {
      long const threads = omp_get_num_threads();
      long const thread = omp_get_thread_num();
      long const first = begin + (end - begin) * thread / threads;
      long const last = begin + (end - begin) * (thread + 1) / threads;
      for (long y_first = 0; y_first < slab_.ny; y_first += block) {
        long const y_last = std::min(y_first + block, slab_.ny);
        for (long z = first; z < last; ++z) {
          for (long y = y_first; y < y_last; ++y) {
            Problem::row(now_, next_, slab_.at(y, z), slab_.nx, slab_.row(), slab_.plane());
          }
        }
      }
    }
  }

  Slab slab_;
  int below_;
  int above_;
  std::size_t layer_;
  std::vector<Memory> memory_;
  double* now_[Problem::fields];
  double* next_[Problem::fields];
  std::vector<double> out_[2];
  std::vector<double> in_[2];
};

template <class Problem>
double seconds_of(Program<Problem>& program, long steps, long block) {
  MPI_Barrier(MPI_COMM_WORLD);
  double const begin = MPI_Wtime();
  for (long step = 0; step < steps; ++step) program.step(block);
  double mine = MPI_Wtime() - begin;
  double longest = 0;
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

template <class Problem>
long best_block(Program<Problem>& program, Run const& run) {
  if (run.block > 0) return run.block;
  static_cast<void>(seconds_of(program, 2, run.y));
  long best = run.y;
  double least = seconds_of(program, 2, best);
  for (long const block : {8, 16, 32, 64, 128}) {
    double const seconds = seconds_of(program, 2, block);
    if (seconds < least) {
      least = seconds;
      best = block;
    }
  }
  return best;
}

double hashed(long x, long y, long z) {
  return static_cast<double>((7 * x + 13 * y + 29 * z) % 64) / 64;
}
double first_value(int, long x, long y, long z) {
  return hashed(x, y, z);
}
double first_gray_scott(int field, long x, long y, long z) {
  return field == 0 ? 1 - hashed(x, y, z) / 2 : hashed(x, y, z) / 4;
}

template <class Problem>
void go(Run const& run, double (*first)(int, long, long, long)) {
  int process = 0;
  int processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (run.z / processes < 2 * Problem::radius) {
    if (process == 0) std::fprintf(stderr, "slabs are too thin for %d processes\n", processes);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  Program<Problem> program(run, process, processes);
  if (run.rounds == 0) {
    program.fill(first);
    static_cast<void>(seconds_of(program, run.steps, std::max(run.block, 8L)));
    double const mine = program.sum();
    double sum = 0;
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (process == 0) std::printf("{\"contestant\": \"MPI + OpenMP\", \"sum\": %.17g}\n", sum);
    return;
  }
  long const block = best_block(program, run);
  static_cast<void>(seconds_of(program, 2, block));  // memory is touched, as ours is
  for (int round = 0; round < run.rounds; ++round) {
    double const seconds = seconds_of(program, run.steps, block);
    if (process > 0) continue;
    double const points = static_cast<double>(run.x * run.y * run.z * run.steps);
    std::printf("{\"contestant\": \"MPI + OpenMP\", \"points_per_s\": %.6g, \"block\": %ld}\n",
                points / seconds, block);
  }
}

// A core for each thread of each process.
void tie_threads(int threads) {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  omp_set_num_threads(threads);
#pragma omp parallel
  {
    auto const mine = static_cast<std::size_t>(process * threads + omp_get_thread_num());
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cores[mine % cores.size()], &one);
    sched_setaffinity(0, sizeof one, &one);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (argc != 9) {
    std::fprintf(stderr, "usage: %s PROBLEM X Y Z THREADS BLOCK STEPS ROUNDS\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  Run const run{argv[1],
                std::stol(argv[2]),
                std::stol(argv[3]),
                std::stol(argv[4]),
                std::stoi(argv[5]),
                std::stol(argv[6]),
                std::stol(argv[7]),
                std::stoi(argv[8])};
  tie_threads(run.threads);
  if (run.problem == "diffusion") {
    go<Diffusion>(run, &first_value);
  } else if (run.problem == "wave") {
    go<Wave>(run, &first_value);
  } else if (run.problem == "gray_scott") {
    go<GrayScott>(run, &first_gray_scott);
  } else {
    std::fprintf(stderr, "unknown problem %s\n", run.problem.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
}

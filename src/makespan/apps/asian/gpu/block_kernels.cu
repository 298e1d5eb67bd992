// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/one_lane.hpp"
// (first: it says what the programs are written in)
#include "makespan/cuda/runtime_api.hpp"

#include "makespan/apps/asian/gpu/detail/block_kernels.hpp"
#include "makespan/apps/asian/gpu/detail/block_program-inl.hpp"
#include "makespan/apps/asian/gpu/detail/model_program-inl.hpp"
#include "makespan/cuda/error.hpp"

namespace makespan::asian {

namespace {

constexpr std::size_t scratch_alignment = 256;

constexpr std::size_t rows_size(std::size_t value, int rows) {
  return static_cast<std::size_t>(rows) * slab_samples * value;
}

template <class T>
__device__ BlockScratch<T> scratch_of_this_block(BlockArguments const& arguments,
                                                 std::size_t bytes_each) {
  ScratchShape const& shape = arguments.shape;
  // Rows come first and words last, so that all are aligned.
  std::byte* const begin = arguments.scratch + blockIdx.x * bytes_each;
  std::byte* const functionals = begin + rows_size(sizeof(T), shape.normals);
  std::byte* const state = functionals + rows_size(sizeof(T), shape.functionals);
  auto* const words = reinterpret_cast<std::uint32_t*>(state + rows_size(sizeof(T), shape.state));
  return {.normals = reinterpret_cast<T*>(begin),
          .base = words,
          .scramble = words + shape.dimensions,
          .functionals = reinterpret_cast<T*>(functionals),
          .state = reinterpret_cast<T*>(state)};
}

// The threads of a block.
template <class Thread>
class CudaThreadTeam {
 public:
  template <class Part>
  __device__ __forceinline__ void phase(Part part) {
    part(static_cast<int>(threadIdx.x), kept_);
    __syncthreads();
  }

 private:
  Thread kept_;
};

// Prices run from registers: half of the threads that a multiprocessor could have, of which each
// has 64. Greeks keep 2.7 times as much of a path, and the terms of a sample in shared memory.
template <PathModel model, bool greeks>
constexpr int blocks_wanted = greeks || model != PathModel::lognormal ? 2 : 4;

template <class T, PathModel model, Estimator estimator, bool greeks>
struct ProgramOf {
  using type = one_lane::ModelProgram<model, estimator, greeks>;
};
template <class T, Estimator estimator, bool greeks>
struct ProgramOf<T, PathModel::lognormal, estimator, greeks> {
  using type = one_lane::BlockProgram<T, estimator, greeks>;
};

template <class T, PathModel model, Estimator estimator, bool greeks>
__global__ void __launch_bounds__(one_lane::block_threads, (blocks_wanted<model, greeks>))
    run_blocks(BlockArguments arguments, std::size_t scratch_bytes_each) {
  using Program = typename ProgramOf<T, model, estimator, greeks>::type;
  extern __shared__ __align__(16) unsigned char shared[];
  __shared__ int taken;
  auto& memory = *reinterpret_cast<typename Program::Memory*>(shared);
  BlockScratch<T> const scratch = scratch_of_this_block<T>(arguments, scratch_bytes_each);
  constexpr int moments = moment_count(estimator, greeks);
  for (;;) {
    // Between the barriers every thread reads what the first one has taken; behind the second the
    // first may take again. All threads of a block leave in the same turn.
    if (threadIdx.x == 0) taken = atomicAdd(arguments.taken, 1);
    __syncthreads();
    int const at = taken;
    __syncthreads();
    if (at >= arguments.count) return;
    BlockItem const item = arguments.items[at];
    CudaThreadTeam<typename Program::Thread> team;
    Program::Run(team, arguments.options[item.option], item, scratch, memory,
                 arguments.moments + static_cast<std::ptrdiff_t>(at) * moments);
  }
}

constexpr int node_threads = 256;

// One node for each block of threads. Level by level: each pair's sum takes the place of its left
// half.
__global__ void __launch_bounds__(node_threads)
    add_up_nodes(BlockNode const* nodes, int per_block, double* moments, double* sums) {
  BlockNode const node = nodes[blockIdx.x];
  double* const first = moments + static_cast<std::ptrdiff_t>(node.first) * per_block;
  // The node is the block's, so that all its threads come to the same number of barriers.
  for (int width = 1; width < node.blocks; width *= 2) {
    int const pairs = node.blocks / (2 * width);
    for (int at = static_cast<int>(threadIdx.x); at < pairs * per_block; at += node_threads) {
      int const left = at / per_block * 2 * width * per_block + at % per_block;
      first[left] = first[left] + first[left + width * per_block];
    }
    __syncthreads();
  }
  double* const sum = sums + static_cast<std::ptrdiff_t>(blockIdx.x) * per_block;
  for (int at = static_cast<int>(threadIdx.x); at < per_block; at += node_threads) {
    sum[at] = first[at];
  }
}

// A program as the CUDA runtime knows it: by the address of its kernel, the type of which is not
// the same in every compiler of CUDA.
struct Kernel {
  void const* address;
  std::size_t shared_bytes;
};

template <class T, PathModel model, Estimator estimator, bool greeks>
Kernel kernel_of() {
  using Program = typename ProgramOf<T, model, estimator, greeks>::type;
  return {reinterpret_cast<void const*>(run_blocks<T, model, estimator, greeks>),
          sizeof(typename Program::Memory)};
}

template <class T, PathModel model>
Kernel kernel_of(BlockKind kind) {
  constexpr auto plain = Estimator::plain;
  constexpr auto controlled = Estimator::controlled;
  if (kind.estimator == plain) {
    return kind.greeks ? kernel_of<T, model, plain, true>() : kernel_of<T, model, plain, false>();
  }
  return kind.greeks ? kernel_of<T, model, controlled, true>()
                     : kernel_of<T, model, controlled, false>();
}

Kernel kernel_of(BlockKind kind) {
  if (kind.model == PathModel::heston) return kernel_of<double, PathModel::heston>(kind);
  if (kind.model == PathModel::basket) return kernel_of<double, PathModel::basket>(kind);
  return kind.precision == Precision::fp32 ? kernel_of<float, PathModel::lognormal>(kind)
                                           : kernel_of<double, PathModel::lognormal>(kind);
}

}  // namespace

std::size_t scratch_bytes(Precision precision, ScratchShape const& shape) {
  std::size_t const value = precision == Precision::fp32 ? sizeof(float) : sizeof(double);
  std::size_t const words = 2 * static_cast<std::size_t>(shape.dimensions) * sizeof(std::uint32_t);
  int const rows = shape.normals + shape.functionals + shape.state;
  std::size_t const bytes = rows_size(value, rows) + words;
  return (bytes + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
}

int blocks_per_multiprocessor(BlockKind kind) {
  Kernel const kernel = kernel_of(kind);
  cuda::check(cudaFuncSetAttribute(kernel.address, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(kernel.shared_bytes)),
              "cudaFuncSetAttribute");
  int blocks = 0;
  cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                  &blocks, kernel.address, one_lane::block_threads, kernel.shared_bytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

void launch_blocks(BlockKind kind, BlockArguments const& arguments, int blocks,
                   cuda::Stream const& stream) {
  Kernel const kernel = kernel_of(kind);
  BlockArguments job = arguments;
  std::size_t bytes =
      arguments.scratch == nullptr ? 0 : scratch_bytes(kind.precision, arguments.shape);
  void* values[] = {&job, &bytes};
  cuda::check(
      cudaLaunchKernel(kernel.address, dim3(static_cast<unsigned>(blocks)),
                       dim3(one_lane::block_threads), values, kernel.shared_bytes, stream.get()),
      "launch of blocks");
}

void launch_nodes(BlockNode const* nodes, int count, int per_block, double* moments, double* sums,
                  cuda::Stream const& stream) {
  add_up_nodes<<<count, node_threads, 0, stream.get()>>>(nodes, per_block, moments, sums);
  cuda::check(cudaGetLastError(), "launch of nodes");
}

}  // namespace makespan::asian

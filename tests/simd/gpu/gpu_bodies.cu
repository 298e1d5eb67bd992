// SPDX-License-Identifier: Apache-2.0
// The bodies of src/makespan/simd on a GPU: a thread for each value.
#include "makespan/simd/one_lane.hpp"
// (first: it says what the bodies are written in)
#include <algorithm>

#include "makespan/cuda/error.hpp"
#include "makespan/cuda/gpu.hpp"
#include "makespan/cuda/memory.hpp"
#include "makespan/cuda/runtime_api.hpp"
#include "makespan/cuda/stream.hpp"
#include "simd/body_table-inl.hpp"

namespace makespan::simd {

namespace {

namespace lane = one_lane;

// An array of the GPU, and its way there and back.
template <class T>
class GpuArray {
 public:
  explicit GpuArray(std::size_t count) : count_{count} {
    memory_.reserve_exactly(std::max<std::size_t>(count, 1) * sizeof(T));
  }
  explicit GpuArray(std::span<T const> values) : GpuArray(values.size()) {
    stream_.upload(data(), values.data(), values.size_bytes());
    stream_.wait();
  }

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  void copy_to(T* to) const {
    stream_.download(to, data(), count_ * sizeof(T));
    stream_.wait();
  }

 private:
  std::size_t count_;
  cuda::Memory memory_{cuda::MemorySpace::gpu};
  cuda::Stream stream_;
};

template <class Part>
__global__ void run_parts(Part part, std::size_t count) {
  std::size_t const i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) part(i);
}

// Calls part(i) on the GPU for each i below `count`.
template <class Part>
void run_on_gpu(Part const& part, std::size_t count) {
  constexpr std::size_t threads = 64;
  if (count == 0) return;
  run_parts<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(part, count);
  cuda::check(cudaGetLastError(), "launch of bodies");
  cuda::check(cudaDeviceSynchronize(), "bodies on the GPU");
}

// A body of one value: `To Of(From)`.
template <class Body, class From, class To>
struct MapPart {
  From const* from;
  To* to;
  MAKESPAN_BODY void operator()(std::size_t i) const { to[i] = Body::Of(from[i]); }
};
template <class Body, class From, class To>
void map_on_gpu(std::span<From const> from, To* to) {
  GpuArray<From> const in(from);
  GpuArray<To> const out(from.size());
  run_on_gpu(MapPart<Body, From, To>{in.data(), out.data()}, from.size());
  out.copy_to(to);
}

#define MAKESPAN_BODY_OF_ONE(Name, From, To, expression) \
  struct Name {                                          \
    static MAKESPAN_BODY To Of(From x) {                 \
      return lane::expression;                           \
    }                                                    \
  };
MAKESPAN_BODY_OF_ONE(ExpF32, float, float, Exp(lane::F32(), x))
MAKESPAN_BODY_OF_ONE(ExpF64, double, double, Exp(lane::F64(), x))
MAKESPAN_BODY_OF_ONE(LogOf, double, double, Log(lane::F64(), x))
MAKESPAN_BODY_OF_ONE(SinPiOf, double, double, SinPi(lane::F64(), x))
MAKESPAN_BODY_OF_ONE(CosPiOf, double, double, CosPi(lane::F64(), x))
MAKESPAN_BODY_OF_ONE(NormalCdfOf, double, double, NormalCdf(lane::F64(), x))
MAKESPAN_BODY_OF_ONE(InverseNormalOf, double, double, InverseNormal(lane::F64(), x))
MAKESPAN_BODY_OF_ONE(InverseNormal32Of, std::uint32_t, float, InverseNormal32(x))
MAKESPAN_BODY_OF_ONE(MantissaOf, float, float, Mantissa(x))
MAKESPAN_BODY_OF_ONE(ExponentOfTwiceOf, float, float, ExponentOfTwice(x))
MAKESPAN_BODY_OF_ONE(ReverseBitsOf, std::uint32_t, std::uint32_t, ReverseBits(x))
#undef MAKESPAN_BODY_OF_ONE

struct SumOfEightPart {
  double const* from;
  double* to;
  MAKESPAN_BODY void operator()(std::size_t i) const {
    double parts[8];
    for (int k = 0; k < 8; ++k) parts[k] = from[8 * i + static_cast<std::size_t>(k)];
    to[i] = lane::SumOfEight(parts);
  }
};
void sums_of_eight(std::span<double const> from, double* to) {
  GpuArray<double> const in(from);
  GpuArray<double> const out(from.size() / 8);
  run_on_gpu(SumOfEightPart{in.data(), out.data()}, from.size() / 8);
  out.copy_to(to);
}

struct LookupPart {
  float const* table;
  std::int32_t const* index;
  float* to;
  MAKESPAN_BODY void operator()(std::size_t i) const { to[i] = lane::Lookup32(table, index[i]); }
};
void lookup_32(float const* table, std::span<std::int32_t const> index, float* to) {
  GpuArray<float> const entries(std::span<float const>(table, 32));
  GpuArray<std::int32_t> const in(index);
  GpuArray<float> const out(index.size());
  run_on_gpu(LookupPart{entries.data(), in.data(), out.data()}, index.size());
  out.copy_to(to);
}

struct GatherPart {
  double const* table;
  std::uint64_t const* index;
  double* to;
  std::size_t count;
  MAKESPAN_BODY void operator()(std::size_t i) const {
    auto const quad = lane::GatherQuads(lane::F64(), table, index[i]);
    for (std::size_t k = 0; k < 4; ++k) to[k * count + i] = quad.part[k];
  }
};
void gather_quads(double const* table, std::span<std::uint64_t const> index, double* to) {
  std::size_t const rows = index.empty() ? 0 : *std::ranges::max_element(index) + 1;
  GpuArray<double> const entries(std::span<double const>(table, 4 * rows));
  GpuArray<std::uint64_t> const in(index);
  GpuArray<double> const out(4 * index.size());
  run_on_gpu(GatherPart{entries.data(), in.data(), out.data(), index.size()}, index.size());
  out.copy_to(to);
}

template <class Word, class Normal>
struct BoxMullerPart {
  Word const* radius;
  Word const* angle;
  Normal* sine;
  Normal* cosine;
  MAKESPAN_BODY void operator()(std::size_t i) const {
    if constexpr (sizeof(Word) == sizeof(std::uint32_t)) {
      Word const radii[1] = {radius[i]};
      Word const angles[1] = {angle[i]};
      Normal s[1];
      Normal c[1];
      lane::BoxMuller(radii, angles, s, c);
      sine[i] = s[0];
      cosine[i] = c[0];
    } else {
      lane::BoxMuller(radius[i], angle[i], sine[i], cosine[i]);
    }
  }
};
template <class Pair, class Word, class Normal>
void box_muller(Pair const& words, Normal* sine, Normal* cosine) {
  GpuArray<Word> const radius(words.first);
  GpuArray<Word> const angle(words.second);
  GpuArray<Normal> const s(words.first.size());
  GpuArray<Normal> const c(words.first.size());
  run_on_gpu(BoxMullerPart<Word, Normal>{radius.data(), angle.data(), s.data(), c.data()},
             words.first.size());
  s.copy_to(sine);
  c.copy_to(cosine);
}

struct PhiloxPart {
  PhiloxRequest request;
  bool both_halves;  // by words of 64 bits, of which each holds two
  std::uint32_t* to;

  template <int rounds>
  MAKESPAN_BODY void Words(std::size_t i) const {
    auto const keys = philox_round_keys(request.stream.key);
    auto const step = philox_step(request.stream, request.step);
    std::uint64_t const path[1] = {request.path_first + i};
    auto const paths = lane::StartPhilox(path, request.stream, keys);
    if (both_halves) {
      std::uint64_t word[2][1];
      lane::PhiloxWords64<rounds>(paths, step, keys, word);
      for (std::size_t pair = 0; pair < 2; ++pair) {
        to[2 * pair * request.count + i] = static_cast<std::uint32_t>(word[pair][0] >> 32);
        to[(2 * pair + 1) * request.count + i] = static_cast<std::uint32_t>(word[pair][0]);
      }
      return;
    }
    std::uint32_t word[4][1];
    lane::PhiloxWords<rounds, 1>(paths, step, keys, word);
    for (std::size_t w = 0; w < 4; ++w) to[w * request.count + i] = word[w][0];
  }
  MAKESPAN_BODY void operator()(std::size_t i) const {
    if (request.rounds == 7) {
      Words<7>(i);
    } else {
      Words<10>(i);
    }
  }
};
template <bool both_halves>
void philox_words(PhiloxRequest const& request, std::uint32_t* to) {
  GpuArray<std::uint32_t> const out(4 * request.count);
  run_on_gpu(PhiloxPart{request, both_halves, out.data()}, request.count);
  out.copy_to(to);
}

// The list of operations of body_table-inl.hpp on values of this kind.
template <class D, std::size_t operations>
struct OperationsPart {
  using T = typename D::Lane;
  T const* a;
  T const* b;
  T* to;
  std::size_t count;
  MAKESPAN_BODY void operator()(std::size_t i) const {
    T results[operations];
    lane::OperationsOf(D(), a[i], b[i], results);
    for (std::size_t k = 0; k < operations; ++k) to[k * count + i] = results[k];
  }
};
template <class D, std::size_t operations, class T = typename D::Lane>
void operations_on_gpu(std::span<T const> a, std::span<T const> b, T* to) {
  GpuArray<T> const first(a);
  GpuArray<T> const second(b);
  GpuArray<T> const out(operations * a.size());
  run_on_gpu(OperationsPart<D, operations>{first.data(), second.data(), out.data(), a.size()},
             a.size());
  out.copy_to(to);
}

void word_operations(Pair32 const& words, std::uint32_t* to) {
  operations_on_gpu<lane::U32, word_operation_count>(words.first, words.second, to);
}
void word_operations_64(Pair64 const& words, std::uint64_t* to) {
  operations_on_gpu<lane::U64, word_operation_64_count>(words.first, words.second, to);
}

}  // namespace

Bodies gpu_bodies() {
  cuda::use_gpu(0);
  return {"gpu",
          map_on_gpu<ExpF32>,
          map_on_gpu<ExpF64>,
          map_on_gpu<LogOf>,
          map_on_gpu<SinPiOf>,
          map_on_gpu<CosPiOf>,
          map_on_gpu<NormalCdfOf>,
          map_on_gpu<InverseNormalOf>,
          map_on_gpu<InverseNormal32Of>,
          box_muller<Pair32, std::uint32_t, float>,
          box_muller<Pair64, std::uint64_t, double>,
          map_on_gpu<MantissaOf>,
          map_on_gpu<ExponentOfTwiceOf>,
          map_on_gpu<ReverseBitsOf>,
          sums_of_eight,
          lookup_32,
          gather_quads,
          philox_words<false>,
          philox_words<true>,
          operations_on_gpu<lane::F32, float_operation_count>,
          operations_on_gpu<lane::F64, float_operation_count>,
          word_operations,
          word_operations_64};
}

}  // namespace makespan::simd

// SPDX-License-Identifier: Apache-2.0
// What the CUDA runtime calls a stream and an event, without its headers.
#pragma once

#if defined(MAKESPAN_CHIPSTAR)
struct ihipStream_t;
struct ihipEvent_t;
#else
struct CUstream_st;
struct CUevent_st;
#endif

namespace makespan::cuda {

#if defined(MAKESPAN_CHIPSTAR)
using StreamObject = ihipStream_t;
using EventObject = ihipEvent_t;
#else
using StreamObject = CUstream_st;
using EventObject = CUevent_st;
#endif

}  // namespace makespan::cuda

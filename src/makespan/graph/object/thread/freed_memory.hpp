// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the C library does with memory that is freed. Messages come and go by the megabyte in every
// phase; where the top of the heap is given back to the system each time, every page of it faults
// again, for 1.2 us each. Whether it is depends on what lies above it: an object that came to a
// place can move the end of the heap for the rest of the run (a sixth of stencil4d's time was lost
// so; docs/decisions/0064-freed-memory-is-kept.md).

namespace makespan::graph {

// From now on this process keeps what is freed for what it allocates next, blocks of up to 32 MiB;
// with glibc only, and not where the environment says how malloc should do it (GLIBC_TUNABLES, or
// one of the variables MALLOC_..._). May be called more than once, by any thread.
void keep_freed_memory();

// Gives back to the system what is not in use now, if it was kept for keep_freed_memory(). By any
// thread.
void give_back_freed_memory();

}  // namespace makespan::graph

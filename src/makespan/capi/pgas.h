/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAKESPAN_CAPI_PGAS_H
#define MAKESPAN_CAPI_PGAS_H

/* The one-sided runtime in C (C11, or C++): images that read, write and count in each other's
 * memory while the other side computes.
 *
 *   makespan_runtime* runtime;
 *   makespan_endpoint* here;
 *   int64_t counter, mine;
 *   makespan_begin_all(NULL, &runtime);
 *   makespan_endpoint_of(runtime, 0, &here);
 *   makespan_allocate_all(runtime, 8, "counter", &counter);
 *   makespan_fetch_add(here, (makespan_address){.offset = counter, .image = 0}, 1, &mine);
 *   makespan_end_all(runtime);
 *
 * Status. Functions that return int return one of makespan_status; makespan_last_error() is the
 * text to it. A function that is refused (MAKESPAN_BAD_INPUT, MAKESPAN_NOT_CONFIGURED) has done
 * nothing, unless it says otherwise; for other failures see "After a failure". No function throws,
 * and none prints or exits but makespan_end_all, see there; a defect that is found (a broken
 * contract) is printed and aborts.
 *
 * Images, ranks and threads count from 0. Sizes, offsets and strides are in bytes. Offsets count
 * from the beginning of the symmetric heap, which is the same on all images.
 *
 * Collective functions end in _all: all members of the team (of the job, if there is no team) call
 * them in the same order with the same sizes, from the thread of endpoint 0. They block until their
 * result can be used, and drive progress, but for team_free_all, which gives no result, and
 * team_shrink_all.
 *
 * Progress: what serves the requests of other images while this one computes. Between nodes, in
 * mode manual, only calls that drive progress do; in the other modes a helper thread does. On a
 * node (transport shm) memory operations need no help of the target image.
 *
 *   function                                      | blocks until        | drives progress
 *   put, update, event_post                       | the value is taken  | while there is no room
 *   update with MAKESPAN_COMPARE_SWAP: it fetches | it is done          | yes, off the node
 *   get, fetch…, event_query                      | the value is here   | yes, off the node
 *   …_async, rpc                                  | it has begun        | while there is no room
 *   put_strided, put_signal, flush, flush_all     | done at the target  | yes, off the node
 *   get_strided                                   | all of it is here   | yes, off the node
 *   request_wait, event_wait, wait_until, …_all,  | it is so            | yes
 *     sync_images                                 |                     |
 *   request_test, progress                        | never               | yes
 *   team_shrink_all                               | all that are left   | no
 *   team_free_all, all others                     | never               | no
 *
 * "Off the node" is off this image with am or ucx alone, and everywhere with rma. What drives
 * progress runs remote calls of others, and takes as long as they do.
 *
 * Guarantees. What was put can be seen at its target after flush() of that image, and before the
 * signal of a put_signal. Atomics on one word are sequentially consistent with each other. */

#include <stdint.h>

/* The names and declarations below are C's.
 * NOLINTBEGIN(readability-identifier-naming,modernize-use-using) */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status */

/* What functions return; makespan_last_error() has the text to all but MAKESPAN_OK. */
enum makespan_status {
  MAKESPAN_OK = 0,
  MAKESPAN_BAD_INPUT = 1,      /* an invalid or inconsistent argument, option, variable or call */
  MAKESPAN_IMAGE_FAILED = 2,   /* an image that was needed died, or fell silent; final */
  MAKESPAN_TIMEOUT = 3,        /* nothing came for longer than the limit on waits */
  MAKESPAN_MPI_ERROR = 4,      /* an MPI call failed; the job cannot go on */
  MAKESPAN_NOT_CONFIGURED = 5, /* this build or this machine does not have that */
  MAKESPAN_INTERNAL = 6,       /* a defect, or no memory; the job cannot go on */
  MAKESPAN_REMOTE_ERROR = 7    /* a function that another image ran for this one failed there */
};

/* After a failure. MAKESPAN_TIMEOUT and MAKESPAN_IMAGE_FAILED end what waits, and not always what
 * it began:
 *
 *   function                        | what it has done       | again, after MAKESPAN_TIMEOUT
 *   request_wait, event_wait,       | nothing                | yes
 *     wait_until, flush, flush_all  |                        |
 *   sync_images                     | said that it is here   | yes: it goes on
 *   get, get_strided                | perhaps a part         | yes
 *   put, put_strided, put_signal,   | all, a part, or        | where twice does no harm: a second
 *     event_post, update, fetch,    | nothing; or it comes   | fetch_add may add twice
 *     fetch_add, rpc                | yet                    |
 *   …_all                           | begun, and has no      | no
 *                                   | result here            |
 *
 * A collective that has begun cannot be taken back: the other members, when they come, get through
 * it (with Open MPI's --with-ft ulfm they get MAKESPAN_IMAGE_FAILED, though none is lost), and a
 * second call would be taken for their next one. So MAKESPAN_TIMEOUT is final for the
 * team, and of begin_all, end_all, allocate_all and free_all for the job: no more collectives of
 * it; the program can only end. For memory that was passed see "Memory of collectives". */

/* What went wrong in the last call of this thread that failed: "problem (why): what would be
 * right". Empty before the first. Valid until this thread's next call that fails. */
char const* makespan_last_error(void);

/* "ok", "bad input", … */
char const* makespan_status_name(int status);

/* ---- the job */

typedef struct makespan_runtime makespan_runtime;   /* one at a time in a process */
typedef struct makespan_endpoint makespan_endpoint; /* one thread's way to all images */

/* What serves the requests of other images while this one computes. */
enum makespan_progress_mode {
  MAKESPAN_PROGRESS_MANUAL = 0, /* no helper: only calls that drive progress */
  MAKESPAN_PROGRESS_NAP = 1,    /* a helper thread that looks and naps in turn */
  MAKESPAN_PROGRESS_EVENT = 2,  /* a helper thread that the network wakes */
  MAKESPAN_PROGRESS_SPIN = 3    /* a helper thread that never rests: wants a core of its own */
};

/* How the threads of an image share the network. */
enum makespan_endpoint_design {
  MAKESPAN_PER_THREAD = 0,         /* each thread has a channel of its own */
  MAKESPAN_SHARED_GLOBAL_LOCK = 1, /* one channel, behind one lock */
  MAKESPAN_SHARED_FINE_LOCK = 2    /* one channel, whose parts have locks of their own */
};

/* Whether a thread with nothing to do runs remote calls that were sent to other threads of its
 * image. */
enum makespan_stealing { MAKESPAN_STEALING_ON = 0, MAKESPAN_STEALING_OFF = 1 };

/* Variables of the environment (MAKESPAN_PROGRESS, MAKESPAN_TRANSPORT, …) override these, all but
 * `threads`. */
typedef struct makespan_options {
  int32_t threads;           /* that communicate, on each image; 1 */
  int32_t progress;          /* makespan_progress_mode; MANUAL */
  int32_t endpoints;         /* makespan_endpoint_design; PER_THREAD */
  int32_t stealing;          /* makespan_stealing; ON */
  int64_t heap_bytes;        /* symmetric heap of each image; 32 MiB */
  int64_t message_bytes_max; /* 64 KiB */
  double silence_s;          /* an image silent for so long is lost (one that
                                was never heard: 10 at least); 1.25 */
  double wait_limit_s;       /* a wait in which nothing happens ends; 300 */
  char const*
      transport; /* "shm", "am", "rma", "ucx", "shm+am", "shm+ucx"; NULL or "auto" chooses */
} makespan_options;

/* Fills in the defaults, as above. */
void makespan_options_init(makespan_options* options);

/* Collective: waits for all images. NULL means the defaults. The calling thread becomes thread 0.
 * Remote calls that come meanwhile run in its first wait afterwards. One runtime after another is
 * for a program without a launcher, or one that begins MPI itself, with MPI_THREAD_MULTIPLE, and
 * ends it: else MPI ends with the first, and the second is refused. */
int makespan_begin_all(makespan_options const* options, makespan_runtime** runtime);

/* Collective: waits for all images, unless some are lost, and fails with MAKESPAN_TIMEOUT where
 * they do not leave within 10 s of the last one's coming. The caller is the thread that began; no
 * other thread uses what came from `runtime` any more. Endpoints, teams and memory of it mean
 * nothing afterwards, and calls with them are bad input; also when this failed while it closed.
 * Wait for requests before. Where MPI's own last calls do not come back for 60 s, though all images
 * have come to the end, it prints so and ends this process with status 1: they cannot be given up.
 */
int makespan_end_all(makespan_runtime* runtime);

/* This image, and how many there are; -1 when `runtime` has ended. */
int32_t makespan_image(makespan_runtime const* runtime);
int32_t makespan_images(makespan_runtime const* runtime);

/* For a run record. Texts live as long as `runtime`. */
typedef struct makespan_description {
  int32_t images;
  int32_t nodes;
  int32_t threads;
  int32_t reserved;
  int64_t heap_bytes;
  char const* launcher;  /* "MPICH 4.0.2", "none" */
  char const* transport; /* "shm", "shm+ucx", … */
  char const* endpoints; /* "per-thread", … */
  char const* progress;  /* "manual", "nap", "event", "spin" */
} makespan_description;
/* Fills in `description`. Not collective, does not block. */
int makespan_describe(makespan_runtime* runtime, makespan_description* description);

/* That of `thread`, 0 to threads-1. An endpoint is for one thread at a time. */
int makespan_endpoint_of(makespan_runtime* runtime, int32_t thread, makespan_endpoint** endpoint);

/* For callers that do not want to carry endpoints: the calling thread takes that of `thread` as its
 * own, and makespan_here() gives it, or NULL to threads without one. */
int makespan_use_endpoint(makespan_runtime* runtime, int32_t thread);
makespan_endpoint* makespan_here(void);

/* One round: moves messages, serves others. `happened`, how many things, may be NULL. */
int makespan_progress(makespan_endpoint* here, int32_t* happened);

/* ---- lost images */

/* 1, or 0 once it died or fell silent. */
int makespan_is_alive(makespan_runtime* runtime, int32_t image, int32_t* is_alive);
/* Why it is lost; empty while it is not. Valid until this thread's next call of this function. */
int makespan_loss_of(makespan_runtime* runtime, int32_t image, char const** why);
/* From now on, waits that name no image go on without it; flush_all, too. */
int makespan_accept_loss(makespan_runtime* runtime, int32_t image);

/* ---- memory */

/* A place in the heap of an image. */
typedef struct makespan_address {
  int64_t offset;
  int32_t image;
} makespan_address;

/* Collective over the job. `bytes` on each image, zero at first, at the same offset, which is a
 * multiple of 64. `name` is for errors; NULL is none. */
int makespan_allocate_all(makespan_runtime* runtime, int64_t bytes, char const* name,
                          int64_t* offset);
/* Collective over the job: when the first image calls this, no image uses the memory any more. */
int makespan_free_all(makespan_runtime* runtime, int64_t offset);

/* Where this image's own part is. With the transport rma, words in it that others change by atomics
 * are read by fetches only. */
int makespan_local(makespan_runtime* runtime, int64_t offset, int64_t bytes, void** local);

/* Writes `bytes` of `data` to the heap of image `to.image`, this one or another, from `to.offset`
 * on. Not collective. Blocks until `data` may be used again; it can be seen there after
 * makespan_flush of that image. MAKESPAN_BAD_INPUT where the bytes do not lie within the heap. */
int makespan_put(makespan_endpoint* here, makespan_address to, void const* data, int64_t bytes);
/* Reads `bytes` from the heap of image `from.image`, this one or another, from `from.offset` on.
 * Not collective. Blocks until they are in `data`. Fails as makespan_put does. */
int makespan_get(makespan_endpoint* here, makespan_address from, void* data, int64_t bytes);

/* A box of up to four dimensions, the outermost first; unused ones are {1, 0, 0}. The box begins at
 * `from` and `to`; strides of the local side are not negative. */
typedef struct makespan_dimension {
  int64_t count;
  int64_t source_stride;
  int64_t target_stride;
} makespan_dimension;
/* The whole box: elements of `element_bytes` bytes, contiguous in themselves. */
typedef struct makespan_box {
  int64_t element_bytes;
  makespan_dimension dimensions[4];
} makespan_box;
/* Writes a box, whose source is `from` here, and whose target begins at `to`. Not collective.
 * Blocks until all of it can be seen there. MAKESPAN_BAD_INPUT where it does not lie within the
 * heap. */
int makespan_put_strided(makespan_endpoint* here, makespan_address to, void const* from,
                         makespan_box const* box);
/* Reads a box, whose source begins at `from`, and whose target is `to` here. Not collective. Blocks
 * until all of it is here. Fails as makespan_put_strided does. */
int makespan_get_strided(makespan_endpoint* here, makespan_address from, void* to,
                         makespan_box const* box);

/* What is done to a word of 8 bytes of the target when the data is there. */
enum makespan_signal_kind { MAKESPAN_SIGNAL_ADD = 0, MAKESPAN_SIGNAL_SET = 1 };
/* The word, and what is done to it. */
typedef struct makespan_signal {
  int64_t offset; /* of the word, on the target of the data; of an event, to post to it */
  int64_t value;
  int32_t kind;
} makespan_signal;
/* As makespan_put, and then changes a word of the same image: who sees it changed sees the data
 * too. Not collective. Blocks until both are done. The target waits by makespan_wait_until or
 * makespan_event_wait. */
int makespan_put_signal(makespan_endpoint* here, makespan_address to, void const* data,
                        int64_t bytes, makespan_signal const* signal);

/* Everything that `here` began on `image`, or on all images, can be seen there. Where images are
 * lost, flush_all fails when it has flushed the others, up to one that does not answer either,
 * unless the losses were accepted. */
int makespan_flush(makespan_endpoint* here, int32_t image);
int makespan_flush_all(makespan_endpoint* here);

/* ---- operations that go on while their thread does something else */

/* An operation that was begun, and is not known to be done yet. */
typedef struct makespan_request makespan_request;

/* Data must last until the request is done: then what was put can be seen at the target, and what
 * was got is here. A request may be NULL: it is done already, or the function that would have begun
 * it failed, which it also does where the operation failed at once. */
int makespan_put_async(makespan_endpoint* here, makespan_address to, void const* data,
                       int64_t bytes, makespan_request** request);
int makespan_get_async(makespan_endpoint* here, makespan_address from, void* data, int64_t bytes,
                       makespan_request** request);

/* Both for the thread that began the request. A request that is done is freed, and set to NULL,
 * whatever the status says. After a failure it is still there where it may be under way, as always
 * after MAKESPAN_TIMEOUT: its data must stay, and it can be waited for again. */
int makespan_request_wait(makespan_request** request);
int makespan_request_test(makespan_request** request, int32_t* is_done);

/* ---- remote calls */

/* What other images may call. The function gets the caller's arguments, which last as long as the
 * call, and writes `result_bytes` of result, as many as the caller asked for. Any status but
 * MAKESPAN_OK fails the call. The function may wait; makespan_here() gives it the endpoint of the
 * thread that runs it. */
typedef int (*makespan_function)(void const* arguments, int64_t bytes, void* result,
                                 int64_t result_bytes);

/* Names a function of this process, for calls of all images: before makespan_begin_all, or before
 * any image calls it. Callable from any thread. A name stays. */
int makespan_register_function(char const* name, makespan_function function);

/* What is called, where, with which arguments, and where the result goes. */
typedef struct makespan_remote_call {
  int32_t image;         /* that runs it: another one, or this one */
  int32_t thread;        /* that runs it, or, where stealing is on, any thread of the image */
  char const* name;      /* of up to 256 bytes */
  void const* arguments; /* copied before makespan_rpc returns, and so may be reused */
  int64_t bytes;         /* of the arguments */
  void* result;          /* must last until the request is done */
  int64_t result_bytes;  /* message_bytes_max - 8 at most */
} makespan_remote_call;

/* Calls a function of another image, or of this one, once. It runs when a thread there waits or
 * drives progress. Waiting for the request fails with MAKESPAN_REMOTE_ERROR where the function is
 * not registered there, or returned another status than MAKESPAN_OK; where that is known at once,
 * this function fails so itself. */
int makespan_rpc(makespan_endpoint* here, makespan_remote_call const* call,
                 makespan_request** request);

/* ---- atomics, on words of 4 or 8 bytes */

/* What becomes of the word. */
enum makespan_atomic_op {
  MAKESPAN_LOAD = 0,
  MAKESPAN_STORE = 1,
  MAKESPAN_ADD = 2,
  MAKESPAN_AND = 3,
  MAKESPAN_OR = 4,
  MAKESPAN_XOR = 5,
  MAKESPAN_SWAP = 6,
  MAKESPAN_COMPARE_SWAP = 7 /* stores operand if the word is `expected` */
};
/* An operation on one word, which lies at a multiple of its size. */
typedef struct makespan_atomic {
  makespan_address at;
  int32_t op;    /* makespan_atomic_op */
  int32_t bytes; /* 4 or 8 */
  int64_t operand;
  int64_t expected; /* by compare_swap */
} makespan_atomic;

/* Carries it out, and gives the value before it: `old` is as wide as the word. */
int makespan_fetch(makespan_endpoint* here, makespan_atomic const* atomic, void* old);
/* Carried out before the next flush() of that image is over; MAKESPAN_COMPARE_SWAP when this
 * returns, which takes a round trip. Not for loads. */
int makespan_update(makespan_endpoint* here, makespan_atomic const* atomic);
/* `old` must last until the request is done, and is written then. */
int makespan_fetch_async(makespan_endpoint* here, makespan_atomic const* atomic, void* old,
                         makespan_request** request);

/* The one that hands out work: fetch with MAKESPAN_ADD on a word of 8 bytes. */
int makespan_fetch_add(makespan_endpoint* here, makespan_address at, int64_t operand, int64_t* old);

/* ---- events: words of 8 bytes that count posts */

/* Adds a post to the event of any image. Says nothing of puts that were not flushed. */
int makespan_event_post(makespan_endpoint* here, makespan_address event);
/* Waits until the event of this image has `count` >= 1 posts, and takes them away. */
int makespan_event_wait(makespan_endpoint* here, makespan_address event, int64_t count);
/* How many posts the event of this image has. */
int makespan_event_query(makespan_endpoint* here, makespan_address event, int64_t* count);

/* How a word is compared with a value, both unsigned. */
enum makespan_comparison {
  MAKESPAN_EQUAL = 0,
  MAKESPAN_NOT_EQUAL = 1,
  MAKESPAN_AT_LEAST = 2,
  MAKESPAN_AT_MOST = 3
};
/* Waits until this image's word of 8 bytes at `offset`, unsigned, compares so with `value`. `seen`,
 * what it was then, may be NULL. */
int makespan_wait_until(makespan_endpoint* here, int64_t offset, int32_t comparison, int64_t value,
                        int64_t* seen);

/* ---- images that do something together */

/* Images that call collective functions together; its members have ranks from 0. */
typedef struct makespan_team makespan_team;

/* Teams of all images, and of those on this image's node. They belong to the runtime. */
int makespan_team_of_all(makespan_runtime* runtime, makespan_team** team);
int makespan_team_of_node(makespan_runtime* runtime, makespan_team** team);

/* This image's place among the members, and how many there are; -1 of a team that has ended. */
int32_t makespan_team_rank(makespan_team const* team);
int32_t makespan_team_size(makespan_team const* team);
/* Which image the member of a rank is. Not collective, does not block. MAKESPAN_BAD_INPUT where
 * there is no such rank. */
int makespan_team_member(makespan_team const* team, int32_t rank, int32_t* image);

/* Collective over `team`: the members of the same color, by key and then by rank. NULL for a
 * negative color. Drives progress until all have called it. */
int makespan_team_split_all(makespan_team* team, int32_t color, int32_t key, makespan_team** part);
/* Collective over the members that are left: a team without the lost ones. MPI does it alone: no
 * progress is driven, so none of them may wait for what another serves before it comes.
 * MAKESPAN_NOT_CONFIGURED where MPI cannot go on after a loss, MAKESPAN_TIMEOUT where a member that
 * is not lost does not answer within 5 s. */
int makespan_team_shrink_all(makespan_team* team, makespan_team** rest);
/* Of what split or shrink gave; collective over it. Sets it to NULL; copies are bad input then. */
int makespan_team_free_all(makespan_team** team);

/* Collective over `team`: blocks until all members have called it. Says nothing of puts that were
 * not flushed. */
int makespan_barrier_all(makespan_team* team);

/* As if each pair had a barrier of its own: for each of `images`, waits until it has called this
 * with this image among its own as often as this image has with that one. Flushes first. Lost
 * images that are not named do not end it. A call that fails while it waits has told the others
 * that this image is here, and one that fails while it flushes has not; the next one with the same
 * images goes on with that meeting, and does not tell them again. One thread at a time meets with
 * an image. */
int makespan_sync_images(makespan_endpoint* here, int32_t const* images, int32_t count);

/* Memory of collectives. After MAKESPAN_IMAGE_FAILED or MAKESPAN_TIMEOUT MPI may still read and
 * write what broadcast_all, reduce_all and scan_all were given, when the others come: data and
 * results of more than 64 KiB must stay as they are until the process ends, neither freed nor used
 * for anything else. Shorter ones are copied, and whatever gather_all gets and gives. */

/* MAKESPAN_BAD_INPUT for more than 2147483647 elements, of broadcasts and gathers bytes, where MPI
 * carries them: nothing has begun then. */

/* In place of a root: the result on all members. */
enum { MAKESPAN_ALL_RANKS = -1 };

/* Collective over `team`: `data` of all members becomes that of rank `root`, `bytes` of it, as many
 * on all. Blocks until it is here. MAKESPAN_BAD_INPUT where `root` is no rank. */
int makespan_broadcast_all(makespan_team* team, void* data, int64_t bytes, int32_t root);
/* Collective over `team`: `bytes` of `data` of each member come to rank `root`, or to all. Blocks
 * until they are there. `all`, where there is a result: size times `bytes`, by rank. Elsewhere NULL
 * will do. */
int makespan_gather_all(makespan_team* team, void const* data, int64_t bytes, void* all,
                        int32_t root);

/* Of the elements of a reduction. */
enum makespan_type {
  MAKESPAN_INT32 = 0,
  MAKESPAN_UINT32 = 1,
  MAKESPAN_INT64 = 2,
  MAKESPAN_UINT64 = 3,
  MAKESPAN_FLOAT = 4,
  MAKESPAN_DOUBLE = 5
};
/* How two elements become one. */
enum makespan_reduce_op {
  MAKESPAN_SUM = 0,
  MAKESPAN_PRODUCT = 1,
  MAKESPAN_MIN = 2,
  MAKESPAN_MAX = 3,
  MAKESPAN_BIT_AND = 4, /* bits: of integers */
  MAKESPAN_BIT_OR = 5,
  MAKESPAN_BIT_XOR = 6
};
/* Of how many elements of which type, and by which operation: the same on all members. */
typedef struct makespan_reduction {
  int64_t count; /* of elements */
  int32_t type;  /* makespan_type */
  int32_t op;    /* makespan_reduce_op */
} makespan_reduction;

/* Collective over `team`: element by element over the members; the result is on rank `root`, or on
 * all. Blocks until it is there. `results` may be `values`. Sums of floating-point numbers
 * may round differently with other numbers of images. */
int makespan_reduce_all(makespan_team* team, makespan_reduction const* reduction,
                        void const* values, void* results, int32_t root);
/* Collective over `team`: as makespan_reduce_all, over the members of ranks 0 to this one's. */
int makespan_scan_all(makespan_team* team, makespan_reduction const* reduction, void const* values,
                      void* results);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-use-using) */

#endif

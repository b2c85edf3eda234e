// What a thread holds of SQLite's blocks that are too small to be counted one by one in a number of the whole process.
#ifndef MARTLET_MEMORY_H
#define MARTLET_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/// Bytes that this thread took in blocks of one size or another while it counted, less those that it gave back. A block
/// that another thread gives back makes one of them too large and the other too small, so only differences mean
/// something, and only those of numbers between which the thread did not stop counting.
typedef struct {
  int64_t small;
  int64_t middle;
  bool is_counting;
} martlet_block_bytes;

extern _Thread_local martlet_block_bytes martlet_thread_blocks __attribute__((tls_model("initial-exec")));

static inline void martlet_small_blocks_add(int64_t bytes) { martlet_thread_blocks.small += bytes; }
static inline void martlet_middle_blocks_add(int64_t bytes) { martlet_thread_blocks.middle += bytes; }
static inline martlet_block_bytes martlet_blocks(void) { return martlet_thread_blocks; }
/// To ask the system for the size of each small block is 3 % of a point read, so only a thread that runs a
/// statement with a bound does.
static inline bool martlet_blocks_are_counted(void) { return martlet_thread_blocks.is_counting; }
static inline void martlet_blocks_count(bool counts) { martlet_thread_blocks.is_counting = counts; }

#endif

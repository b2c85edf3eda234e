// What a thread holds of SQLite's blocks that are too small to be counted one by one in a number of the whole process.
#ifndef MARTLET_MEMORY_H
#define MARTLET_MEMORY_H

#include <stdint.h>

/// Bytes that this thread took in blocks of one size or another, less those that it gave back. A block that another
/// thread gives back makes one of them too large and the other too small, so only differences mean something.
typedef struct {
  int64_t small;
  int64_t middle;
} martlet_block_bytes;

extern _Thread_local martlet_block_bytes martlet_thread_blocks __attribute__((tls_model("initial-exec")));

static inline void martlet_small_blocks_add(int64_t bytes) { martlet_thread_blocks.small += bytes; }
static inline void martlet_middle_blocks_add(int64_t bytes) { martlet_thread_blocks.middle += bytes; }
static inline martlet_block_bytes martlet_blocks(void) { return martlet_thread_blocks; }

#endif

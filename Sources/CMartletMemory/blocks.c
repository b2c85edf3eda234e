// The one place where the numbers of each thread lie: a header alone would give every file that reads it its own.
#include "martlet_memory.h"

_Thread_local martlet_block_bytes martlet_thread_blocks;

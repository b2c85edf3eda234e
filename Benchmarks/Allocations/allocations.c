// Counts allocations: the executable's `malloc` stands before the C library's, which does the work.
//
// Always true: only the GNU C library has `__libc_malloc`; elsewhere nothing is counted.
#include "allocations.h"

#include <stddef.h>

static _Thread_local uint64_t count;

uint64_t martlet_allocation_count(void) { return count; }

#ifdef __GLIBC__
void *__libc_malloc(size_t size);

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}
#endif

// Counts allocations: the executable's `malloc` stands before the C library's, which does the work.
//
// Always true: only the GNU C library has `__libc_malloc`; elsewhere, and under a sanitizer, which has an allocator of
// its own, nothing is counted.
#include "allocations.h"

#include <stddef.h>

static _Thread_local uint64_t count;

uint64_t martlet_allocation_count(void) { return count; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MARTLET_SANITIZED
#endif
#endif

#if defined(__GLIBC__) && !defined(MARTLET_SANITIZED)
void *__libc_malloc(size_t size);

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}
#endif

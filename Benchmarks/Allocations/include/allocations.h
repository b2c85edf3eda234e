// How many blocks this thread has asked the allocator for since it began.
#ifndef MARTLET_ALLOCATIONS_H
#define MARTLET_ALLOCATIONS_H

#include <stdint.h>

uint64_t martlet_allocation_count(void);

#endif

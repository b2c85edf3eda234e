// The door to libuv, and to what of the system's allocator and sockets Swift cannot import.
#ifndef CLIBUV_SHIM_H
#define CLIBUV_SHIM_H

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <uv.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// From which size on blocks come from the system directly, how much free memory at an arena's end goes back, and how
/// many arenas there are. Small blocks join their neighbours when they are freed: if `malloc_trim` joins them, and the
/// result lies at the end of an arena that is not the first, it stays (glibc 2.36). Nothing if the C library is another.
static inline void martlet_allocator_tune(int direct_bytes, int trim_bytes, int arenas) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, direct_bytes);
  mallopt(M_TRIM_THRESHOLD, trim_bytes);
  mallopt(M_ARENA_MAX, arenas);
  mallopt(M_MXFAST, 0);
#else
  (void)direct_bytes, (void)trim_bytes, (void)arenas;
#endif
}

#if defined(__linux__)
// Declared here because the system's headers show it only to programs that ask for all extensions.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
#endif

/// Accepts a connection whose descriptor programs that are started later do not inherit.
static inline int martlet_accept(int listening) {
#if defined(__linux__)
  return accept4(listening, 0, 0, SOCK_CLOEXEC);
#else
  int descriptor = accept(listening, 0, 0);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

/// The event of `poll` that says that the peer has sent its end, whatever has not been read before it.
static inline short martlet_poll_peer_left(void) {
#if defined(POLLRDHUP)
  return POLLRDHUP;
#elif defined(__linux__)
  return 0x2000;
#else
  return POLLHUP;
#endif
}

/// Gives the allocator's free memory back to the system.
static inline void martlet_allocator_return_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

#endif

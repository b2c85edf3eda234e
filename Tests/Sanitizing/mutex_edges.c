// Tells ThreadSanitizer of the locks of Swift's Synchronization: loaded before the others (LD_PRELOAD), it stands before
// the two functions that a `Mutex` calls when it is not free at once.
//
// The way of a free mutex is inlined into the program, which the sanitizer sees. The other one is in a library that is not
// built for it, so what a thread did before it gave the mutex away seemed to race with what the next one did.
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context)) void *self
#define SWIFT __attribute__((swiftcall))

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

SWIFT void martlet_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void martlet_unlock(SELF) __asm__(UNLOCK);

SWIFT void martlet_lock(uint32_t thread, SELF) {
  typedef void (*Lock)(uint32_t, SELF) SWIFT;
  ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void martlet_unlock(SELF) {
  typedef void (*Unlock)(SELF) SWIFT;
  if (__tsan_release) __tsan_release(self);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(self);
}

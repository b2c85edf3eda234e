// Linux from 6.13 on notes that somebody has read a file's times, and writes the file's inode with the next
// `fdatasync` then. A look between two commits made each commit half as dear again, so no look asks for them: `statx`
// with a mask instead of `stat`.
#define _GNU_SOURCE
#include "martlet_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#if defined(__linux__)
#include <sys/sysmacros.h>

static int look_without_times(int directory, const char *name, martlet_file_status *status) {
  struct statx found;
  unsigned int wanted = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_INO | STATX_SIZE;
  if (statx(directory, name, AT_SYMLINK_NOFOLLOW, wanted, &found) != 0) return errno;
  // A file system that does not say all of it is asked in the old way.
  if ((found.stx_mask & wanted) != wanted) return ENOSYS;
  status->device = makedev(found.stx_dev_major, found.stx_dev_minor);
  status->inode = found.stx_ino;
  status->bytes = (int64_t)found.stx_size;
  status->links = found.stx_nlink;
  status->mode = found.stx_mode;
  return 0;
}
#endif

int martlet_file_look(int directory, const char *name, martlet_file_status *status) {
#if defined(__linux__)
  int error = look_without_times(directory, name, status);
  // A kernel that does not know the call, or a sandbox that does not let it through, is asked in the old way too.
  if (error != ENOSYS && error != EPERM) return error;
#endif
  struct stat found;
  if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  status->device = (uint64_t)found.st_dev;
  status->inode = (uint64_t)found.st_ino;
  status->bytes = (int64_t)found.st_size;
  status->links = (uint64_t)found.st_nlink;
  status->mode = (uint32_t)found.st_mode;
  return 0;
}

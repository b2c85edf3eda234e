// The door to what the system says of a file, without the times that it keeps.
#ifndef MARTLET_FILES_H
#define MARTLET_FILES_H

#include <stdint.h>

typedef struct {
  uint64_t device;
  uint64_t inode;
  int64_t bytes;
  uint64_t links;
  /// As `st_mode`: the kind of file, and who may do what with it.
  uint32_t mode;
} martlet_file_status;

/// Looks at what has the name in an open directory, or at a path with `AT_FDCWD`; a symbolic link is not followed.
/// Returns 0, or the number of the error.
int martlet_file_look(int directory, const char *name, martlet_file_status *status);

#endif

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

/// From here on, what ends the process because a file of its memory is shorter than it was says on standard error which
/// file that is, before it does what it did until now. A second call does nothing.
void martlet_tell_of_cut_files(void);

#endif

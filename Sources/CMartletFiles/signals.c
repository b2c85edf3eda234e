// SQLite has the index of a log in memory that is a file, which all processes share that use the database. Where somebody
// cuts the file, or its disk is full, the next look into that memory is SIGBUS, and nothing can be done but to say why.
// What a handler of signals may call is little: the list of what is mapped is read by hand.
#define _GNU_SOURCE
#include "martlet_files.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)

enum { line_bytes = 4608 };

static struct sigaction former;

static void say(const char *text, size_t count) {
  while (count > 0) {
    ssize_t written = write(STDERR_FILENO, text, count);
    if (written <= 0) return;
    text += written;
    count -= (size_t)written;
  }
}

/// A hexadecimal number; `*text` is behind it afterwards.
static uintptr_t number(const char **text) {
  uintptr_t value = 0;
  for (;; (*text)++) {
    char c = **text;
    if (c >= '0' && c <= '9') value = value * 16 + (uintptr_t)(c - '0');
    else if (c >= 'a' && c <= 'f') value = value * 16 + (uintptr_t)(c - 'a' + 10);
    else return value;
  }
}

/// The path in a line of the list, if the address lies in what it is about.
static const char *path_at(const char *line, uintptr_t address) {
  uintptr_t start = number(&line);
  if (*line != '-') return NULL;
  line++;
  uintptr_t end = number(&line);
  if (address < start || address >= end) return NULL;
  return strchr(line, '/');
}

static void tell(uintptr_t address) {
  static const char before[] = "martlet: the file ";
  static const char after[] =
      " was cut by another program, or its disk is full, so the server ends. Every write that was acknowledged is in "
      "the database and its log: start the server again.\n";
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  char line[line_bytes], c;
  size_t count = 0;
  while (read(maps, &c, 1) == 1) {
    if (c != '\n') {
      if (count < line_bytes - 1) line[count++] = c;
      continue;
    }
    line[count] = 0;
    count = 0;
    const char *path = path_at(line, address);
    if (path == NULL) continue;
    say(before, sizeof before - 1);
    say(path, strlen(path));
    say(after, sizeof after - 1);
    break;
  }
  close(maps);
}

static void bus_error(int signal, siginfo_t *info, void *context) {
  (void)context;
  tell((uintptr_t)info->si_addr);
  // The access is tried again, and then it is as it would have been without this.
  sigaction(signal, &former, NULL);
}

void martlet_tell_of_cut_files(void) {
  struct sigaction action, present;
  if (sigaction(SIGBUS, NULL, &present) != 0) return;
  if ((present.sa_flags & SA_SIGINFO) && present.sa_sigaction == bus_error) return;
  former = present;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, NULL);
}

#else

void martlet_tell_of_cut_files(void) {}

#endif
